"""Which trial of a pair stands on which hand, and what a page's words mean for the two runs.

Each reviewer has a side order of their own for each pair, always the same one, so that a habit for
the left hand favours neither run.
"""

import hashlib
from collections.abc import Iterable

from trajaudit.datamodel.review import Mark, ReviewVerdict, Side
from trajaudit.review.blind import BlindTrial
from trajaudit.review.contents import Shown
from trajaudit.review.desk_records import (
    FORM_OF_PAIR,
    FORM_OF_TRIAL,
    BlindPair,
    FormMark,
    FormVerdict,
    Hand,
)

_LEFT_FIRST: dict[Side, Hand] = {"a": "left", "b": "right"}
_RIGHT_FIRST: dict[Side, Hand] = {"a": "right", "b": "left"}


class Hands:
    """The order in which one reviewer sees one item; of a trial it changes nothing."""

    def __init__(self, item_id: str, reviewer: str) -> None:
        digest = hashlib.sha256(f"hand\0{item_id}\0{reviewer}".encode("utf-8", "surrogatepass"))
        self._hand = _RIGHT_FIRST if digest.digest()[0] & 1 else _LEFT_FIRST
        self._side = {hand: side for side, hand in self._hand.items()}

    def hand(self, side: Side) -> Hand:
        """Return where the trial of a run stands."""
        return self._hand[side]

    def content(self, shown: Shown) -> BlindTrial | BlindPair:
        """Return what is shown, in this order."""
        if not isinstance(shown, tuple):
            return shown
        by_hand = {self._hand["a"]: shown[0], self._hand["b"]: shown[1]}
        return BlindPair(left=by_hand["left"], right=by_hand["right"])

    def verdict(self, chosen: FormVerdict) -> ReviewVerdict:
        """Return what a choice on the page says of the runs."""
        if chosen is FormVerdict.LEFT:
            return ReviewVerdict(self._side["left"])
        if chosen is FormVerdict.RIGHT:
            return ReviewVerdict(self._side["right"])
        return ReviewVerdict(chosen.value)

    def chosen(self, verdict: ReviewVerdict) -> FormVerdict:
        """Return how a verdict looks on the page."""
        if verdict is ReviewVerdict.A:
            return FormVerdict(self._hand["a"])
        if verdict is ReviewVerdict.B:
            return FormVerdict(self._hand["b"])
        return FormVerdict(verdict.value)

    def marks(self, marks: Iterable[FormMark]) -> tuple[Mark, ...]:
        """Return marks of the page as marks of the runs."""
        return tuple(
            Mark(step=one.step, quote=one.quote, side=self._side[one.hand] if one.hand else None)
            for one in marks
        )

    def form_marks(self, marks: Iterable[Mark]) -> tuple[FormMark, ...]:
        """Return marks of the runs as marks of the page."""
        return tuple(
            FormMark(
                step=one.step, quote=one.quote, hand=self._hand[one.side] if one.side else None
            )
            for one in marks
        )


def choices(*, is_pair: bool) -> tuple[str, ...]:
    """Return what can be chosen of an item."""
    return FORM_OF_PAIR if is_pair else FORM_OF_TRIAL
