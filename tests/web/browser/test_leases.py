"""An item is somebody's for a while; then another may have it, and no word typed is lost."""

from pathlib import Path

from playwright.sync_api import expect

from tests.review.desked import a_run
from tests.web.browser.conftest import Enter, Serve
from tests.web.browser.person import Person
from tests.web.browser.served import Served
from trajaudit.datamodel.review import ReviewPolicy

LONG = ReviewPolicy(double=0.0, gold=0.0)
SHORT = LONG.model_copy(update={"lease_minutes": 3 / 60})
NOT_LONG = LONG.model_copy(update={"lease_minutes": 10 / 60})
WORDS = "She says refunded; the books say no.\nÜberprüft — 已核对 <b>&amp;"


def test_another_takes_over_and_the_late_form_is_refused_with_all_its_words(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    served = _served(tmp_path, serve)
    ann = _writes(enter(served, "ann"))
    ben = enter(served, "ben")
    _waits(ann)
    served.decide(LONG)
    assert ben.start() == ann.path
    ann.submit()

    ann.says("Somebody else is looking at this item now. Nothing was saved.")
    assert ann.kept == {
        "Verdict": "Fail",
        "Note": WORDS,
        "First bad step": "1",
        "Evidence": "1: ",
    }
    assert served.labels() == []
    ben.label("pass", "in time")
    assert [(one.reviewer, one.verdict) for one in served.labels()] == [("ben", "pass")]


def test_who_lost_an_item_finds_their_words_in_it_once_it_is_free_again(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    served = _served(tmp_path, serve)
    ann = _writes(enter(served, "ann"))
    ben = enter(served, "ben")
    _waits(ann)
    served.decide(NOT_LONG)
    path = ben.start()
    ben.choose("pass")
    ben.write("words of Ben")
    ann.submit()
    _waits(ben)
    assert ann.go(path).status == 200
    assert [
        ann.page.locator(f"[name={one}]").first.input_value() for one in ("first_bad", "reason")
    ] == ["1", WORDS]
    assert ann.field["verdict"] == "fail"
    ann.submit()
    ben.submit()

    ben.says("Enough people have said their word on this item meanwhile. Nothing was saved.")
    assert ben.kept == {"Verdict": "Pass", "Note": "words of Ben"}
    assert [(one.reviewer, one.reason) for one in served.labels()] == [("ann", WORDS)]


def test_a_late_form_counts_as_long_as_nobody_else_has_the_item(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    served = _served(tmp_path, serve)
    ann = _writes(enter(served, "ann"))
    _waits(ann)
    ann.submit()

    assert [(one.reviewer, one.reason) for one in served.labels()] == [("ann", WORDS)]


def test_an_item_is_taken_back_by_keyboard_before_anybody_else_has_it(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    served = _served(tmp_path, serve)
    ann = _writes(enter(served, "ann"))
    ben = enter(served, "ben")
    _waits(ann)
    served.decide(LONG)
    ann.tab_to("#take-again")
    ann.press("Enter")
    expect(ann.page.locator("#live")).to_contain_text("It is yours again")
    expect(ann.page.locator("#lease-over")).to_be_hidden()

    assert ben.start() == "/"
    assert ann.page.locator("[name=reason]").input_value() == WORDS


def _served(folder: Path, serve: Serve) -> Served:
    a_run(folder / "runs", tasks=1)
    return serve(SHORT)


def _writes(person: Person) -> Person:
    """Open the only item and write much of it."""
    person.start()
    person.choose("fail")
    person.press("j", "e", "x")
    person.write(WORDS)
    return person


def _waits(person: Person) -> None:
    """Do nothing until the page says that the time is over."""
    told = person.page.locator("#lease-text")
    expect(told).to_contain_text("has run out", timeout=20_000)
    person.page.wait_for_timeout(300)
