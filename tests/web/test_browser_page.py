"""What the item page does in a real browser: marks, search, keys, hostile texts, small screens."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.web.browsing import Server, Wire, begin, chromium, needs_browser, person, submit
from tests.web.hostile import hostile_run
from trajaudit.datamodel.review import Review, ReviewPolicy
from trajaudit.record.reviews import read_reviews
from trajaudit.record.rundir import RunDir

pytestmark = [needs_browser, pytest.mark.slow]
ONCE = ReviewPolicy(double=0.0, gold=0.0, batch=20)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    hostile_run(tmp_path, tasks=2, long_steps=200)
    with Server(tmp_path, ONCE, ["ann"]) as one:
        yield one


@pytest.fixture
def opened(browser: Browser, server: Server) -> Iterator[tuple[Page, Wire]]:
    page, wire = person(browser, server, "ann", viewport={"width": 1440, "height": 900})
    begin(page)
    yield page, wire
    assert wire.faults == []
    page.context.close()


def _marks(page: Page) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(page.input_value("[name=evidence]"))
    return found


def test_words_and_steps_are_marked_and_visited_by_keyboard(opened: tuple[Page, Wire]) -> None:
    page, _ = opened
    for key in ("j", "j", "e", "j", "x"):
        page.keyboard.press(key)
    page.locator("#x-s1 .message.assistant pre").select_text()
    page.keyboard.press("e")

    assert [(one["step"], str(one["quote"])[:15]) for one in _marks(page)] == [
        (2, ""),
        (1, "I call look_up."),
    ]
    assert page.input_value("[name=first_bad]") == "3"
    assert page.locator("#x-s3.bad, #x-s2.cited").count() == 2
    page.keyboard.press("]")
    page.wait_for_selector("#x-s1.current")
    page.keyboard.press("]")
    page.wait_for_selector("#x-s2.current")
    page.keyboard.press("[")
    page.wait_for_selector("#x-s1.current")
    page.click("#own-marks li:first-child button")
    assert len(_marks(page)) == 1


def test_keys_rest_while_somebody_types(opened: tuple[Page, Wire]) -> None:
    page, _ = opened
    page.keyboard.press("n")
    page.keyboard.type("1 2 d u j x ? / [")
    page.keyboard.press("Escape")

    assert page.input_value("[name=reason]") == "1 2 d u j x ? / ["
    assert page.locator("[name=verdict]:checked").count() == 0
    page.keyboard.press("2")
    assert page.is_checked("[value=fail]")
    page.keyboard.press("?")
    assert page.is_visible("#keys")
    page.keyboard.press("Escape")
    assert page.is_hidden("#keys")
    page.keyboard.press("r")
    assert page.get_attribute("#rubric", "open") is not None


def test_a_submit_without_a_verdict_says_what_is_missing(opened: tuple[Page, Wire]) -> None:
    page, _ = opened
    page.keyboard.press("Control+Enter")

    page.wait_for_selector("#live:has-text('Choose a verdict first')")
    assert "<label>" not in page.inner_text(".dock")
    assert page.query_selector("#timer")


def test_search_finds_a_folded_word_in_a_step_that_was_not_there_yet(
    opened: tuple[Page, Wire],
) -> None:
    page, _ = opened
    if not page.query_selector(".later"):
        # The other of the two is the long one.
        before = page.url
        page.keyboard.press("d")
        page.wait_for_url(lambda url: url != before)
        page.wait_for_selector(".later")
    assert page.query_selector("#x-s190") is None
    page.keyboard.press("/")
    page.keyboard.type("PAGE  185 lorem")
    page.keyboard.press("Enter")

    page.wait_for_selector("#found:has-text('1 of 1 steps: step 189')")
    page.wait_for_selector("#x-s189 details[open] pre:has-text('page 185')")
    assert page.evaluate("CSS.highlights.get('found-now').size") == 1
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.wait_for_selector("#x-s190.current")


def test_a_long_step_is_shown_whole_in_its_place(opened: tuple[Page, Wire]) -> None:
    page, _ = opened
    page.click("#x-s2 a.whole")

    page.wait_for_selector("#x-s2:not(:has(a.whole))")
    text = page.locator("#x-s2 .observation pre").text_content() or ""
    assert text.count('"list"') == 600


def test_no_text_of_a_trial_acts_or_asks_another_host(
    opened: tuple[Page, Wire], server: Server
) -> None:
    page, wire = opened
    page.keyboard.press("f")
    page.mouse.move(700, 400)
    for _ in range(4):
        page.keyboard.press("j")
    submit(page, "1")

    assert page.evaluate("'hacked' in window") is False
    assert page.evaluate("document.querySelectorAll('img, iframe, object, embed').length") == 0
    assert wire.hosts == {f"127.0.0.1:{server.port}"}


def test_nothing_is_wider_than_the_screen(browser: Browser, server: Server) -> None:
    for width, locale in itertools.product((390, 768, 1440), ("en-GB", "zh-CN")):
        size = {"width": width, "height": 844}
        page, _ = person(browser, server, "ann", viewport=size, locale=locale)
        address = begin(page)
        page.click("#fold-all")
        for path in (address, f"{server.url}/", f"{server.url}/history", f"{server.url}/help"):
            page.goto(path)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (path, locale)
        page.context.close()


def test_every_field_has_a_name_and_the_order_of_focus_is_that_of_the_page(
    opened: tuple[Page, Wire],
) -> None:
    page, _ = opened
    nameless = page.evaluate(
        """[...document.querySelectorAll("input:not([type=hidden]), select, textarea, button")]
        .filter((one) => !(one.labels && one.labels.length) && !one.textContent.trim()
          && !one.getAttribute("aria-label")).map((one) => one.outerHTML)"""
    )
    positive = page.evaluate(
        'document.querySelectorAll(\'[tabindex]:not([tabindex="0"],[tabindex="-1"])\').length'
    )
    twice = page.evaluate(
        """[...document.querySelectorAll("[id]")].map((one) => one.id)
        .filter((id, at, ids) => ids.indexOf(id) !== at)"""
    )

    assert (nameless, positive, twice) == ([], 0, [])
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"


def test_the_clock_stands_while_the_page_is_not_looked_at(opened: tuple[Page, Wire]) -> None:
    page, _ = opened
    page.wait_for_timeout(2200)
    looked = float(page.input_value("[name=seconds]"))
    page.evaluate(
        """Object.defineProperty(document, "hidden", { value: true });
        document.dispatchEvent(new Event("visibilitychange"))"""
    )
    before = float(page.input_value("[name=seconds]"))
    page.wait_for_timeout(2200)

    assert looked >= 1
    assert float(page.input_value("[name=seconds]")) - before <= 1.1


def test_the_page_works_without_javascript(browser: Browser, server: Server) -> None:
    page, _ = person(browser, server, "ann", java_script_enabled=False)
    page.click("#start")
    page.check("[value=fail]")
    page.select_option("[name=failure_kind]", "wrong_answer")
    page.fill("[name=first_bad]", "1")
    page.fill("[name=quote_step]", "1")
    page.fill("[name=reason]", "by hand")
    with page.expect_navigation():
        page.click("button.submit")
    page.goto(f"{server.url}/history")

    assert page.inner_text("table").count("by hand") == 1
    (run,) = (RunDir(path.parent) for path in server.runs.glob("*/run.json"))
    saved = [one for one in read_reviews(run) if isinstance(one, Review) and one.reason]
    assert [(one.verdict, one.failure_kind, one.steps) for one in saved] == [
        ("fail", "wrong_answer", (1,))
    ]
    assert [one.step for one in saved[0].evidence] == [1]
    page.context.close()
