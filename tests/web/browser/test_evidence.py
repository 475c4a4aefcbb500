"""Words that are selected become evidence: the very words, and the step they stand in."""

import json

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Enter, Lasting
from tests.web.browser.person import Person
from tests.web.browser.served import Served
from tests.web.hostile import hostile_run
from trajaudit.datamodel.review import Mark, ReviewPolicy

POLICY = ReviewPolicy(double=0.0, gold=0.0, batch=1)
_BEGIN = """([root, words]) => {
  const walker = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(words);
    if (at >= 0) { getSelection().setBaseAndExtent(node, at, node, at + 1); return true; }
  }
  return false;
}"""


@pytest.fixture(scope="module")
def served(lasting: Lasting) -> Served:
    return lasting(lambda runs: hostile_run(runs, tasks=6), POLICY)


def _select(person: Person, root: str, words: str, letters: int) -> None:
    """Begin a selection at some words, and make it longer by Shift and arrow."""
    assert person.page.evaluate(_BEGIN, [root, words])
    person.press(*["Shift+ArrowRight"] * (letters - 1))


def _saved(served: Served, person: Person) -> tuple[Mark, ...]:
    person.label("fail")
    (label,) = served.labels(person.name)
    return label.evidence


def test_selected_words_and_e_are_saved_as_a_quote_of_their_step(
    served: Served, enter: Enter
) -> None:
    ann = enter(served, "ann")
    ann.start()
    _select(ann, "#x-s2", "I call refund_order", 19)
    ann.press("e")
    expect(ann.page.locator("#own-marks li")).to_have_count(1)
    ann.says("Marked as evidence: step 2")
    assert ann.page.evaluate("CSS.highlights.get('cited').size") == 1

    assert _saved(served, ann) == (Mark(step=2, quote="I call refund_order"),)


def test_words_of_the_task_and_of_the_answer_are_cited_where_they_stand(
    served: Served, enter: Enter
) -> None:
    bea = enter(served, "bea")
    bea.start()
    _select(bea, "#x-s0", "Refund order A", 12)
    bea.press("e")
    _select(bea, "#x-reply", "is refunded", 11)
    bea.press("e", "[", "]", "]")

    assert _saved(served, bea) == (
        Mark(step=0, quote="Refund order"),
        Mark(step=4, quote="is refunded"),
    )


def test_a_selection_by_mouse_offers_a_button_that_does_the_same(
    served: Served, enter: Enter
) -> None:
    cai = enter(served, "cai")
    cai.start()
    cai.page.locator("#x-s1 .message pre").first.dblclick(position={"x": 12, "y": 8})
    button = cai.page.get_by_role("button", name="Mark as evidence")
    expect(button).to_be_visible()
    button.click()
    expect(button).to_be_hidden()

    (mark,) = _saved(served, cai)
    assert (mark.step, mark.quote in {"I", "call"}) == (1, True)


def test_marks_come_back_after_a_reload_and_can_be_removed(served: Served, enter: Enter) -> None:
    dan = enter(served, "dan")
    dan.start()
    for words in ("I call look_up", "refund_order"):
        _select(dan, "#x-s1" if "look" in words else "#x-s2", words, len(words))
        dan.press("e")
    dan.page.reload()
    expect(dan.page.locator("#own-marks li")).to_have_count(2)
    assert dan.page.evaluate("CSS.highlights.get('cited').size") == 2
    dan.tab_to("#own-marks button", most=200)
    dan.press("Enter")
    expect(dan.page.locator("#own-marks li")).to_have_count(1)
    assert [one["step"] for one in json.loads(dan.field["evidence"])] == [2]

    assert _saved(served, dan) == (Mark(step=2, quote="refund_order"),)


def test_more_than_two_thousand_characters_are_cut_and_it_is_said(
    served: Served, enter: Enter
) -> None:
    eve = enter(served, "eve")
    eve.start()
    eve.page.locator("#x-s2 details.fold").first.evaluate("fold => { fold.open = true; }")
    eve.page.evaluate("getSelection().selectAllChildren(document.querySelector('#x-s2'))")
    eve.press("e")
    eve.says("At most 2,000 characters can be marked at once")

    (mark,) = _saved(served, eve)
    assert (mark.step, len(mark.quote)) == (2, 2000)
