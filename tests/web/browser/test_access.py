"""The pages without a mouse, without sharp eyes, without a screen, without JavaScript."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Enter, Lasting
from tests.web.browser.measure import faint, nameless, tab_stops
from tests.web.browser.person import Person
from tests.web.browser.served import Served
from tests.web.hostile import hostile_run
from trajaudit.datamodel.review import Mark, ReviewPolicy

POLICY = ReviewPolicy(double=1.0, gold=0.0, batch=1)
MOST_STOPS = 120
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture(scope="module")
def served(lasting: Lasting) -> Served:
    return lasting(lambda runs: hostile_run(runs, tasks=6, long_steps=2), POLICY)


def _every_page(served: Served, enter: Enter) -> Iterator[tuple[str, Page]]:
    """Bring up each kind of page, one after the other."""
    ann, judy, lea = (enter(served, name) for name in ("ann", "judy", "lea"))
    yield "home", ann.page
    item = ann.start()
    ann.press("f", "j", "e", "x")
    yield "item", ann.page
    ann.label("fail", "words of mine")
    yield "after a label", ann.page
    _differs(enter(served, "ben"), item)
    judy.go("/conflicts")
    yield "conflicts", judy.page
    judy.go(f"/conflict{item[5:]}")
    yield "conflict", judy.page
    judy.label("pass", "a third word")
    for path in ("/history", "/help", "/nothing", f"/reveal{item[5:]}"):
        ann.go(path)
        yield path, ann.page
    lea.go("/lead")
    yield "lead", lea.page
    lea.page.get_by_role("button", name="Log out").press("Enter")
    expect(lea.page.locator("#token")).to_be_visible()
    yield "login", lea.page


def _differs(person: Person, item: str) -> None:
    """Label until the item comes, and contradict."""
    path = ""
    while path != item:
        path = person.start()
        person.label("pass")


def test_every_text_stands_out_and_every_control_has_a_name(served: Served, enter: Enter) -> None:
    seen = set()
    for name, page in _every_page(served, enter):
        assert (name, nameless(page)) == (name, [])
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert (name, scheme, faint(page)) == (name, scheme, [])
        seen.add(page.title())
    assert len(seen) == 10


def test_contrast_and_names_are_measured_at_all(served: Served, enter: Enter) -> None:
    cai = enter(served, "cai")
    cai.page.evaluate("document.querySelector('h1').style.color = '#999'")
    cai.page.evaluate("document.querySelector('#start').textContent = ''")

    assert [one.split(":")[0] for one in faint(cai.page)] == ["Hello, cai"]
    assert nameless(cai.page) == ["button"]


def test_tab_goes_through_an_item_in_order_and_one_sees_where_one_is(
    served: Served, enter: Enter
) -> None:
    dan = enter(served, "dan", viewport={"width": 1280, "height": 720})
    dan.start()
    stops = tab_stops(dan.page, MOST_STOPS)

    assert stops[0].text == "Skip to the content"
    assert [one.place for one in stops] == sorted(one.place for one in stops)
    assert [one for one in stops if not one.outline] == []
    assert [one for one in stops if not one.seen] == []
    assert {"textarea", "select", "input", "summary", "section"} <= {one.tag for one in stops}
    assert "Submit" in " ".join(one.text for one in stops)


def test_the_first_tab_skips_to_the_content(served: Served, enter: Enter) -> None:
    eve = enter(served, "eve")
    eve.go("/help")
    eve.press("Tab")
    expect(eve.page.get_by_text("Skip to the content")).to_be_in_viewport()
    eve.press("Enter", "Tab")
    inside = "document.activeElement.closest('main') !== null || location.hash === '#main'"

    assert eve.page.evaluate(inside)


def test_without_javascript_an_item_is_labelled_by_keyboard(served: Served, enter: Enter) -> None:
    fay = enter(served, "fay", java_script_enabled=False)
    fay.tab_to("#start")
    item = fay.press_and_go("Enter").removeprefix("/item/")
    fay.tab_to("[name=verdict]", MOST_STOPS)
    fay.press("ArrowDown", "Tab")
    fay.tab_to("[name=first_bad]")
    fay.page.keyboard.insert_text("2")
    fay.tab_to("[name=reason]")
    fay.page.keyboard.insert_text("no script here")
    fay.tab_to("[name=quote_step]")
    fay.page.keyboard.insert_text("2")
    fay.press("Tab")
    fay.page.keyboard.insert_text("I call refund_order.")
    fay.press_and_go("Enter")

    (label,) = served.labels("fay")
    assert (label.item_id[:16], label.verdict, label.steps) == (item, "fail", (2,))
    assert (label.reason, label.evidence) == (
        "no script here",
        (Mark(step=2, quote="I call refund_order."),),
    )


def test_without_javascript_long_trials_are_read_and_searched(served: Served, enter: Enter) -> None:
    gil = enter(served, "gil", java_script_enabled=False)
    gil.tab_to("#start")
    gil.press_and_go("Enter")
    gil.tab_to("#search")
    gil.page.keyboard.insert_text("refund_order")
    gil.press_and_go("Enter")

    expect(gil.page.locator("main")).to_contain_text("step 2")
    gil.tab_to("main li a, main td a, main p a")
    gil.press("Enter")
    expect(gil.page.locator("#x-s2, #verdict").first).to_be_attached()
