"""The server dies in the middle of saves: what the page had acknowledged is there, and once."""

import threading
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

from tests.review.desked import a_run
from tests.web.browser.conftest import Enter, Serve
from tests.web.browser.person import ITEM, VERDICTS, Person
from tests.web.browser.served import Served
from trajaudit.datamodel.review import ReviewPolicy

pytestmark = pytest.mark.slow
POLICY = ReviewPolicy(double=0.5, gold=0.0, batch=200)
KILLS_AFTER_S = (1.1, 1.7, 2.3)
Said = tuple[str, str]


def test_what_was_acknowledged_outlives_kill_9_and_nothing_is_double(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    a_run(tmp_path / "runs", tasks=80)
    served = serve(POLICY)
    people = [enter(served, name) for name in ("ann", "ben")]
    saved: dict[str, list[Said]] = {one.name: [] for one in people}
    for one in people:
        one.start()
    for delay in KILLS_AFTER_S:
        _label_until_killed(served, people, saved, delay)
        served.start()
        for one in people:
            _checks(served, one, saved[one.name])
            _goes_on(one, saved[one.name])
            _checks(served, one, saved[one.name])
    assert min(len(labels) for labels in saved.values()) > len(KILLS_AFTER_S)


def _label_until_killed(
    served: Served, people: list[Person], saved: dict[str, list[Said]], delay: float
) -> None:
    """Both save without waiting for each other, until no answer comes any more."""
    timer = threading.Timer(delay, served.kill)
    timer.start()
    alive = True
    while alive:
        sent = [(one, one.path, VERDICTS[len(saved[one.name]) % 2]) for one in people]
        for one, _, verdict in sent:
            one.press(str(VERDICTS.index(verdict) + 1), "Control+Enter")
        for one, path, verdict in sent:
            if _acknowledged(one, path):
                saved[one.name].append((path, verdict))
            else:
                alive = False
    timer.join()


def _acknowledged(person: Person, path: str) -> bool:
    """Whether the page of another item came as the answer."""
    try:
        person.page.wait_for_url(lambda url: not url.endswith(path), timeout=8000)
    except Error:
        return False
    return ITEM.search(person.page.url) is not None


def _checks(served: Served, person: Person, acknowledged: list[Said]) -> None:
    labels = served.labels(person.name)
    found = {(f"/item/{one.item_id[:16]}", one.verdict.value) for one in labels}
    assert set(acknowledged) <= found
    # At most the one form whose answer did not come is there beside them.
    assert len(found) - len(acknowledged) <= len(KILLS_AFTER_S)
    assert [n for n in Counter(one.item_id for one in labels).values() if n > 1] == []
    assert [n for n in Counter(one.review_id for one in labels).values() if n > 1] == []


def _goes_on(person: Person, saved: list[Said]) -> None:
    """Come back without logging in, find the item that one was at, or the next, and label it."""
    assert person.go("/").status == 200
    expect(person.page.locator("#start")).to_be_focused()
    path = person.start()
    assert path not in {one for one, _ in saved}
    assert ITEM.search(person.label("pass"))
    saved.append((path, "pass"))


def test_a_form_whose_answer_was_lost_is_saved_once_when_it_is_sent_again(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    a_run(tmp_path / "runs", tasks=3)
    served = serve(POLICY.model_copy(update={"double": 0.0}))
    ann = enter(served, "ann")
    path = ann.start()
    ann.choose("fail")
    ann.write("typed before the server died")
    expect(ann.page.locator("#live")).to_contain_text("Draft saved")
    served.kill()
    with pytest.raises(Error):
        ann.go(path)
    served.start()
    assert ann.go(path).status == 200
    assert ann.page.locator("[name=reason]").input_value() == "typed before the server died"
    ann.submit()
    ann.page.go_back()
    assert [(one.verdict, one.reason) for one in served.labels("ann")] == [
        ("fail", "typed before the server died")
    ]
