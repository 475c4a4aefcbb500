"""Two tabs, two clicks, the back button, old pages: whatever is sent twice is saved once."""

import pytest
from playwright.sync_api import Page, expect

from tests.review.desked import a_run
from tests.web.browser.conftest import Enter, Lasting
from tests.web.browser.person import Person
from tests.web.browser.served import Served
from trajaudit.datamodel.review import ReviewPolicy

POLICY = ReviewPolicy(double=0.0, gold=0.0, batch=4)


@pytest.fixture(scope="module")
def served(lasting: Lasting) -> Served:
    return lasting(lambda runs: a_run(runs, tasks=40), POLICY)


@pytest.fixture
def ann(served: Served, enter: Enter) -> Person:
    return enter(served, f"ann{len(served.tokens)}")


def _second_tab(person: Person) -> Page:
    page = person.context.new_page()
    page.goto(f"{person.url}{person.path}")
    return page


def _said(served: Served, ann: Person) -> list[tuple[str, str, str]]:
    return [(one.item_id[:16], one.verdict.value, one.reason) for one in served.labels(ann.name)]


def test_two_tabs_on_one_item_save_one_label_and_the_second_is_led_on(
    served: Served, ann: Person
) -> None:
    item = ann.start().removeprefix("/item/")
    other = _second_tab(ann)
    ann.label("pass", "of the first tab")
    other.keyboard.press("2")
    with other.expect_navigation():
        other.keyboard.press("Control+Enter")

    assert _said(served, ann) == [(item, "pass", "of the first tab")]
    assert other.url == ann.page.url


def test_a_draft_that_one_tab_kept_is_in_the_other_after_a_reload(
    served: Served, ann: Person
) -> None:
    ann.start()
    ann.choose("cannot_tell")
    ann.write("half a thought")
    expect(ann.page.locator("#live")).to_contain_text("Draft saved")
    other = _second_tab(ann)

    expect(other.locator("[name=reason]")).to_have_value("half a thought")
    expect(other.locator("[value=cannot_tell]")).to_be_checked()


def test_a_double_click_on_submit_saves_once(served: Served, ann: Person) -> None:
    item = ann.start().removeprefix("/item/")
    ann.choose("pass")
    ann.page.locator("button.submit").dblclick()
    ann.page.wait_for_url(lambda url: not url.endswith(item))
    ann.choose("fail")
    ann.press("Control+Enter", "Control+Enter", "Control+Enter")
    ann.page.wait_for_timeout(1500)

    assert [verdict for _, verdict, _ in _said(served, ann)] == ["pass", "fail"]


def test_enter_in_a_field_sends_the_form_and_takes_nothing_back(
    served: Served, ann: Person
) -> None:
    ann.start()
    ann.label("pass")
    ann.choose("fail")
    ann.page.locator("[name=first_bad]").focus()
    ann.page.keyboard.insert_text("1")
    ann.press_and_go("Enter")

    assert [verdict for _, verdict, _ in _said(served, ann)] == ["pass", "fail"]


def test_back_after_submit_and_submit_again_changes_nothing(served: Served, ann: Person) -> None:
    first = ann.start()
    second = ann.label("pass", "once")
    ann.page.go_back()
    ann.says("You have labelled this item already")
    assert ann.page.locator("#verdict").count() == 0
    ann.page.go_forward()
    assert ann.path == second
    ann.label("fail")

    assert _said(served, ann)[0] == (first[6:], "pass", "once")
    assert len(_said(served, ann)) == 2


def test_a_page_from_before_an_undo_does_not_bring_the_label_back(
    served: Served, ann: Person
) -> None:
    """The old form is of a label that was taken back; what is sent again is one new label."""
    first = ann.start()
    stale = _second_tab(ann)
    ann.label("pass", "too fast")
    assert ann.press_and_go("u") == first
    assert served.labels(ann.name) == []
    stale.keyboard.press("2")
    with stale.expect_navigation():
        stale.keyboard.press("Control+Enter")
    expect(stale.get_by_role("alert")).to_contain_text("It is yours again")
    assert served.labels(ann.name) == []
    assert ann.field["reason"] == "too fast"
    ann.label("fail", "now I am sure")
    assert _said(served, ann) == [(first[6:], "fail", "now I am sure")]


def test_a_reload_in_the_middle_keeps_what_was_typed_a_moment_ago(
    served: Served, ann: Person
) -> None:
    ann.start()
    ann.choose("fail")
    ann.press("j", "e", "x")
    ann.write("not yet kept")
    ann.page.reload()

    assert {name: ann.field[name] for name in ("verdict", "reason", "first_bad")} == {
        "verdict": "fail",
        "reason": "not yet kept",
        "first_bad": "1",
    }
    expect(ann.page.locator("#own-marks li")).to_have_count(1)
    assert ann.faults == []


def test_a_page_of_an_ended_session_gives_back_what_was_typed(served: Served, ann: Person) -> None:
    ann.start()
    ann.choose("fail")
    ann.write("long words")
    ann.context.clear_cookies()
    ann.submit()

    assert ann.kept == {"Verdict": "Fail", "Note": "long words"}
    assert served.labels(ann.name) == []
