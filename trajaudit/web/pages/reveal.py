"""What was hidden while an item was open: judges, rules, and what others said of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.responses import Response

from trajaudit.datamodel.review import FlagView
from trajaudit.review.desk_records import FORM_OF_PAIR, FORM_OF_TRIAL, FlagForm, RevisionForm
from trajaudit.review.reveal_records import Revealed
from trajaudit.web.pages.item import sides
from trajaudit.web.refusal import Refused
from trajaudit.web.visit import Get, Post, Visit

router = APIRouter()
_NOTICES = {"revised", "flagged"}


@dataclass
class Cited:
    """A step that a judge cites for a criterion, and what the reviewer said of that."""

    judge: str
    criterion: str
    step: int
    quotes: list[str] = field(default_factory=list)
    view: FlagView | None = None


@router.get("/reveal/{item}")
def reveal(visit: Get, item: str, notice: str = "") -> Response:
    return _page(visit, item, notice=notice if notice in _NOTICES else "")


@router.post("/reveal/{item}/revise")
def revise(visit: Post, item: str) -> Response:
    named = {name: visit.fields.get(name, "") for name in ("verdict", "reason")}
    try:
        form = RevisionForm.model_validate({"item_id": item, **named})
    except ValidationError:
        return _page(visit, item, typed=named)
    visit.desk.revise(visit.who, form)
    return visit.to(f"/reveal/{item[:16]}?notice=revised")


@router.post("/reveal/{item}/flag")
def flag(visit: Post, item: str) -> Response:
    named = {name: visit.fields.get(name, "") for name in ("judge", "criterion", "step", "view")}
    try:
        form = FlagForm.model_validate({"item_id": item, **named})
    except ValidationError as error:
        raise Refused(422, "bad_form") from error
    visit.desk.flag(visit.who, form)
    return visit.to(f"/reveal/{item[:16]}?notice=flagged")


def _page(
    visit: Visit,
    item: str,
    *,
    notice: str = "",
    typed: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    found = visit.desk.reveal(visit.who, item)
    visit.site.recent.put(visit.who.name, "reveal", found.item_id, found.content)
    left, right = sides(visit, found.content)
    values = {
        "found": found,
        "trials": [left, right] if right else [left],
        "cited": list(_cited(found)),
        "views": [view.value for view in FlagView],
        "choices": FORM_OF_PAIR if found.is_pair else FORM_OF_TRIAL,
        "may_revise": found.labels[0].letter == "you" and found.labels[0].revised is None,
        "base": f"/reveal/{found.item_id[:16]}",
        "notice": notice,
        "typed": typed,
        "problem": "bad_form" if typed else "",
    }
    return visit.page("reveal.html.j2", values, 422 if typed else 200)


def _cited(found: Revealed) -> Iterator[Cited]:
    """Every step that a judge cites, once for each criterion."""
    said = {(one.judge, one.criterion, one.step): one.view for one in found.flags}
    cited: dict[tuple[str, str, int], Cited] = {}
    for judge, criterion, step, quote in _citations(found):
        key = (judge, criterion, step)
        one = cited.setdefault(key, Cited(judge, criterion, step, view=said.get(key)))
        if quote not in one.quotes:
            one.quotes.append(quote)
    yield from cited.values()


def _citations(found: Revealed) -> Iterator[tuple[str, str, int, str]]:
    for trial in found.trials:
        for vote in trial.votes:
            for criterion in vote.criteria:
                for one in criterion.evidence:
                    yield vote.judge, criterion.id, one.step, one.quote
    for pair in found.pair_votes:
        for preference in pair.criteria:
            for cite in preference.evidence:
                yield pair.judge, preference.id, cite.step, cite.quote
