"""Which trial of a pair stands on which hand."""

from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel.review import Mark, ReviewVerdict
from trajaudit.review.desk_records import FORM_OF_PAIR, FORM_OF_TRIAL, FormVerdict
from trajaudit.review.hands import Hands

IDS = st.text("0123456789abcdef", min_size=64, max_size=64)


@given(IDS, st.text(min_size=1, max_size=20), st.sampled_from(ReviewVerdict))
def test_a_verdict_comes_back_from_the_page_as_it_went(
    item: str, who: str, verdict: ReviewVerdict
) -> None:
    hands = Hands(item, who)
    assert hands.verdict(hands.chosen(verdict)) is verdict


@given(IDS, st.text(min_size=1, max_size=20), st.sampled_from(["a", "b", None]))
def test_a_mark_comes_back_from_the_page_as_it_went(item: str, who: str, side: str | None) -> None:
    mark = Mark.model_validate({"step": 2, "quote": "it is", "side": side})
    hands = Hands(item, who)
    assert hands.marks(hands.form_marks([mark])) == (mark,)


@given(IDS, st.text(min_size=1, max_size=20))
def test_the_two_runs_stand_on_different_hands(item: str, who: str) -> None:
    hands = Hands(item, who)
    assert {hands.hand("a"), hands.hand("b")} == {"left", "right"}


def test_half_of_the_pairs_are_turned_round_for_a_reviewer_and_not_the_same_for_all() -> None:
    items = [f"{number:064x}" for number in range(2000)]
    turned = {
        who: [Hands(item, who).hand("a") == "right" for item in items] for who in ("ann", "ben")
    }
    for each in turned.values():
        assert abs(sum(each) / 2000 - 0.5) < 0.05
    same = sum(x == y for x, y in zip(turned["ann"], turned["ben"], strict=True))
    assert abs(same / 2000 - 0.5) < 0.05


def test_what_a_page_offers_can_be_said() -> None:
    hands = Hands("a" * 64, "ann")
    said = {hands.verdict(FormVerdict(one)).value for one in (*FORM_OF_TRIAL, *FORM_OF_PAIR)}
    assert said == {one.value for one in ReviewVerdict}
