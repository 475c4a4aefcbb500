"""English and Chinese: one press turns every word of every page, and the choice is kept."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Enter, Lasting
from tests.web.browser.person import Person
from tests.web.browser.served import Served
from tests.web.hostile import SECRET, hostile_run
from trajaudit.datamodel.review import ReviewPolicy
from trajaudit.web.language import TEXTS

POLICY = ReviewPolicy(double=1.0, gold=0.0, batch=1)
_TEXTS = (Path(__file__).parent / "texts.js").read_text()
_WORD = re.compile(r"[A-Za-z]{3,}")
_HAN = re.compile(r"[\u4e00-\u9fff]")
NAMES = frozenset(
    {"trajaudit", "ann", "ben", "judy", "lea", "token", "Enter", "Ctrl", "Esc", "Shift", "UTC"}
    | {"Cohen", "Krippendorff", "Gwet", "AC1", "JSON", "task_success", "goal_reached"}
    | {*SECRET.values(), "strict", "lenient", "null"}
)
"""Names and data, the same in every language."""


@pytest.fixture(scope="module")
def served(lasting: Lasting) -> Served:
    return lasting(lambda runs: hostile_run(runs, tasks=3), POLICY)


def _every_page(served: Served, enter: Enter, locale: str) -> Iterator[tuple[str, Page]]:
    ann, ben, judy, lea = (
        enter(served, name, locale=locale) for name in ("ann", "ben", "judy", "lea")
    )
    yield "home", ann.page
    item = ann.start()
    ann.press("f", "j", "e", "x", "2")
    yield "item", ann.page
    ann.press("?")
    yield "keys", ann.page
    ann.press("Escape")
    ann.label("fail")
    yield "after a label", ann.page
    _contradicts(ben, item)
    judy.go("/conflicts")
    yield "conflicts", judy.page
    judy.go(f"/conflict{item[5:]}")
    yield "conflict", judy.page
    judy.label("pass")
    yield "no conflict", judy.page
    for path in ("/history", "/help", "/nothing", f"/reveal{item[5:]}", f"{item}/search?q=no-such"):
        ann.go(path)
        yield path, ann.page
    lea.go("/lead")
    yield "lead", lea.page
    ann.context.clear_cookies()
    ann.go("/history")
    yield "login", ann.page


def _contradicts(person: Person, item: str) -> None:
    while person.start() != item:
        person.label("pass")
    person.label("pass")


def test_no_english_is_left_on_a_chinese_page(served: Served, enter: Enter) -> None:
    english = {text for key, text in TEXTS["en"].items() if TEXTS["zh"][key] != text}
    left: dict[str, set[str]] = {}
    for name, page in _every_page(served, enter, "zh-CN"):
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
        texts: list[str] = page.evaluate(_TEXTS)
        assert any(_HAN.search(text) for text in texts)
        wrong = {text for text in texts if text in english}
        wrong |= {text for text in texts if set(_WORD.findall(_known_gone(text)))}
        if wrong:
            left[name] = wrong
    assert left == {}, left


def _known_gone(text: str) -> str:
    for name in sorted(NAMES, key=len, reverse=True):
        text = text.replace(name, "")
    return text


def test_what_the_script_says_is_in_the_language_of_the_page(served: Served, enter: Enter) -> None:
    fei = enter(served, "fei", locale="zh-CN")
    fei.start()
    fei.press("j", "e")
    expect(fei.page.locator("#live")).to_contain_text("已标为证据")
    fei.press("x")
    expect(fei.page.locator("#live")).to_contain_text("首个出错步骤：第 1 步")
    fei.press("/")
    fei.page.keyboard.insert_text("nowhere to be found")
    fei.press("Enter")
    expect(fei.page.locator("#found")).to_have_text("没有找到")
    fei.press("Escape", "f")
    expect(fei.page.locator("#fold-all")).to_contain_text("全部折叠")


def test_the_language_turns_on_every_page_and_is_remembered(served: Served, enter: Enter) -> None:
    gus = enter(served, "gus", locale="en-GB")
    item = gus.start()
    gus.choose("fail")
    gus.write("half a thought")
    before = set(gus.page.evaluate(_TEXTS))
    gus.tab_to("form.language button")
    assert gus.press_and_go("Enter") == item
    after = set(gus.page.evaluate(_TEXTS))

    assert {text for text in before & after if _WORD.search(_known_gone(text))} == set()
    assert gus.field["reason"] == "half a thought"
    gus.go("/history")
    expect(gus.page.locator("h1")).to_have_text("记录")
    again = gus.context.new_page()
    again.goto(f"{gus.url}/help")
    expect(again.locator("html")).to_have_attribute("lang", "zh-Hans")
    gus.tab_to("form.language button")
    gus.press_and_go("Enter")
    expect(gus.page.locator("h1")).to_have_text("History")
