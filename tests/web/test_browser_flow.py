"""People at real browsers settle items by keyboard; nothing hidden comes over the wire, and
nothing that was saved is lost.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.review.desked import a_run
from tests.web.browsing import Server, begin, chromium, needs_browser, person, submit
from tests.web.hostile import SECRET, hostile_run
from trajaudit.datamodel.review import Adjudication, Review, ReviewPolicy
from trajaudit.record.reviews import read_reviews
from trajaudit.record.rundir import RunDir

pytestmark = [needs_browser, pytest.mark.slow]
TWICE = ReviewPolicy(double=1.0, gold=0.0, batch=20)
ONCE = ReviewPolicy(double=0.0, gold=0.0, batch=20)


def _label_all(page: Page, verdicts: str) -> int:
    """Label whatever comes, by keyboard alone; return how many."""
    count = 0
    begin(page)
    while page.query_selector("#timer"):
        verdict = verdicts[count % len(verdicts)]
        submit(page, "j", "e", *(["j", "x"] if verdict == "2" else []), verdict)
        count += 1
        if page.query_selector("#start"):
            begin(page)
    return count


def test_two_reviewers_and_an_adjudicator_settle_thirty_items_by_keyboard(tmp_path: Path) -> None:
    hostile_run(tmp_path, tasks=30)
    names = ("ann-the-first", "ben-the-second", "judy")
    with Server(tmp_path, TWICE, names) as server, chromium() as browser:
        ann, ann_wire = person(browser, server, names[0])
        ben, ben_wire = person(browser, server, names[1])
        assert _label_all(ann, "1") == 30
        assert _label_all(ben, "112") == 30
        judy, judy_wire = person(browser, server, "judy")
        judy.goto(f"{server.url}/conflicts")
        decided = 0
        while judy.query_selector("a.primary"):
            judy.focus("a.primary")
            judy.keyboard.press("Enter")
            judy.wait_for_selector("#timer")
            submit(judy, "]", "2")
            decided += 1
        code, said = server.stop()

    assert decided == 10
    assert code == 0, said
    assert "outcomes flipped" in said
    records = list(read_reviews(RunDir(tmp_path / "run-canary-7f3a")))
    assert sum(isinstance(one, Review) for one in records) == 60
    assert sum(isinstance(one, Adjudication) for one in records) == 10
    others = {0: [names[1]], 1: [names[0]], 2: list(names[:2])}
    for number, wire in enumerate((ann_wire, ben_wire, judy_wire)):
        words = [*SECRET.values(), *others[number], "order_flip", '"gold"']
        assert [word for word in words if any(word.casefold() in one for one in wire.said)] == []
        assert wire.hosts == {f"127.0.0.1:{server.port}"}
        assert wire.faults == []


def test_a_server_that_is_killed_loses_no_saved_label_and_knows_its_people(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=4)
    with Server(tmp_path, ONCE, ["ann"]) as server, chromium() as browser:
        ann, _ = person(browser, server, "ann")
        begin(ann)
        submit(ann, "1")
        ann.fill("[name=reason]", "typed before the end")
        ann.keyboard.press("Escape")
        ann.keyboard.press("2")
        ann.wait_for_selector("#live:has-text('Draft saved')")
        server.kill()
        assert len(list(read_reviews(run))) == 1
        ann.fill("[name=reason]", "typed after the end")
        ann.wait_for_selector("#live:has-text('does not answer')")
        server.start()
        submit(ann)
        assert ann.query_selector("#timer")

    saved = [one for one in read_reviews(run) if isinstance(one, Review)]
    assert [(one.verdict, one.reason) for one in saved] == [
        ("pass", ""),
        ("fail", "typed after the end"),
    ]


def test_a_lease_that_runs_out_is_taken_over_and_the_late_form_loses_nothing(
    tmp_path: Path,
) -> None:
    run = a_run(tmp_path, tasks=1)
    short = ONCE.model_copy(update={"lease_minutes": 0.05})
    with Server(tmp_path, short, ["ann", "ben"]) as server, chromium() as browser:
        ann, _ = person(browser, server, "ann")
        begin(ann)
        ann.fill("[name=reason]", "words of ann")
        ann.route("**/renew", lambda route: route.abort())
        ann.wait_for_selector("#lease-over:has-text('has run out')")
        ben, _ = person(browser, server, "ben")
        begin(ben)
        submit(ben, "2")
        ann.keyboard.press("Escape")
        ann.keyboard.press("1")
        submit(ann)
        kept = ann.input_value("textarea")
        title = ann.inner_text("h1")

    assert (title, kept) == ("Not any more", "words of ann")
    assert [one.reviewer for one in read_reviews(run) if isinstance(one, Review)] == ["ben"]


def _reviews(run: RunDir) -> list[tuple[str, str]]:
    return [(one.verdict, one.reason) for one in read_reviews(run) if isinstance(one, Review)]


def test_two_tabs_double_clicks_the_back_button_and_stale_forms_save_once(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=5)
    with Server(tmp_path, ONCE, ["ann"]) as server, chromium() as browser:
        first, _ = person(browser, server, "ann")
        address = begin(first)
        second = first.context.new_page()
        second.goto(address)
        submit(first, "1")
        # The same item in the other tab: the second word changes nothing.
        submit(second, "2")
        after_tab = _reviews(run)
        second.close()
        first.check("[value=fail]")
        first.dblclick("button.submit")
        first.wait_for_timeout(800)
        after_click = _reviews(run)
        first.go_back()
        first.wait_for_load_state()
        shown = first.query_selector("#timer")
        if shown:
            submit(first, "1")
        after_back = _reviews(run)

    assert after_tab == [("pass", "")]
    assert after_click == [("pass", ""), ("fail", "")]
    assert after_back == after_click


def test_the_page_works_without_javascript(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=2)
    with Server(tmp_path, ONCE, ["ann"]) as server, chromium() as browser:
        ann, _ = person(browser, server, "ann", java_script_enabled=False)
        ann.click("#start")
        ann.check("[value=fail]")
        ann.select_option("[name=failure_kind]", "wrong_answer")
        ann.fill("[name=first_bad]", "1")
        ann.fill("[name=quote_step]", "1")
        ann.fill("[name=reason]", "by hand")
        ann.click("button.submit")
        ann.wait_for_load_state()
        ann.goto(f"{server.url}/history")
        assert ann.inner_text("table").count("by hand") == 1

    (saved,) = (one for one in read_reviews(run) if isinstance(one, Review))
    assert (saved.verdict, saved.failure_kind, saved.steps) == ("fail", "wrong_answer", (1,))
    assert [one.step for one in saved.evidence] == [1]


def test_one_person_alone_needs_no_token_and_ctrl_c_scores_again(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=2)
    with Server(tmp_path, ONCE) as server, chromium() as browser:
        me, _ = person(browser, server)
        begin(me)
        submit(me, "2")
        code, said = server.stop()

    assert code == 0
    assert "r1: " in said


def _started(browser: Browser, server: Server) -> Page:
    page, _ = person(browser, server, "ann")
    begin(page)
    return page


def test_undo_and_defer_by_keyboard(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=3)
    with Server(tmp_path, ONCE, ["ann"]) as server, chromium() as browser:
        ann = _started(browser, server)
        first = ann.url
        submit(ann, "1")
        second = ann.url
        ann.keyboard.press("u")
        ann.wait_for_url(first)
        assert ann.is_checked("[value=pass]")
        ann.keyboard.press("d")
        ann.wait_for_url(lambda url: url != first)
        assert ann.url == second

    assert len([one for one in read_reviews(run) if isinstance(one, Review)]) == 1
