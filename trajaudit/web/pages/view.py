"""What the page of an item fetches besides: further steps, whole texts, places of some words."""

from typing import Literal

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from trajaudit.datamodel.review import Role
from trajaudit.review.blind import BlindTrial
from trajaudit.review.desk_records import BlindPair, Hand
from trajaudit.web.difference import patch_view
from trajaudit.web.refusal import Refused
from trajaudit.web.search import search
from trajaudit.web.trial_page import Portion, ShownStep, portions, shown_steps, whole_step
from trajaudit.web.visit import Get, Visit

router = APIRouter(prefix="/{kind}/{item}")
PageKind = Literal["item", "conflict", "reveal"]


@router.get("/part/{number}")
def part(visit: Get, kind: PageKind, item: str, number: int, hand: Hand | None = None) -> Response:
    trial = _trial(visit, kind, item, hand)
    cut = portions(trial)
    portion = next((one for one in cut if one.number == number), None)
    if portion is None:
        raise Refused(404, "not_found")
    return _steps(visit, kind, item, hand, shown_steps(trial, visit.words, hand, portion), cut)


@router.get("/step/{number}")
def step(visit: Get, kind: PageKind, item: str, number: int, hand: Hand | None = None) -> Response:
    trial = _trial(visit, kind, item, hand)
    found = whole_step(trial, hand, number)
    if found is None:
        raise Refused(404, "not_found")
    return _steps(visit, kind, item, hand, (found,), ())


@router.get("/patch")
def patch(visit: Get, kind: PageKind, item: str, hand: Hand | None = None) -> Response:
    trial = _trial(visit, kind, item, hand)
    if trial.patch is None:
        raise Refused(404, "not_found")
    values = {"base": f"/{kind}/{item}", "patch": patch_view(trial.patch, whole=True)}
    return visit.page("patch.html.j2", values)


@router.get("/search")
def search_page(visit: Get, kind: PageKind, item: str, q: str = "") -> Response:
    trials = _trials(visit, kind, item)
    hits = [hit for hand, trial in trials.items() for hit in search(trial, q, hand)]
    if "application/json" in visit.request.headers.get("accept", ""):
        return JSONResponse(
            [{"hand": hit.hand, "step": hit.step, "count": hit.count} for hit in hits]
        )
    values = {"base": f"/{kind}/{item}", "wanted": q, "hits": hits}
    return visit.page("search.html.j2", values)


def _steps(
    visit: Visit,
    kind: PageKind,
    item: str,
    hand: Hand | None,
    steps: tuple[ShownStep, ...],
    cut: tuple[Portion, ...],
) -> Response:
    values = {
        "base": f"/{kind}/{item}",
        "hand": hand,
        "steps": steps,
        "portions": cut,
        "number": next(
            (one.number for one in cut if steps and one.first == steps[0].view.number), 0
        ),
        "marking": kind != "reveal",
    }
    return visit.page("part.html.j2", values)


def _trials(visit: Visit, kind: PageKind, item: str) -> dict[Hand | None, BlindTrial]:
    """Return what a person may see of an item: what they see already, or what the desk gives."""
    recent, who = visit.site.recent, visit.who
    content = recent.get(who.name, kind, item)
    if content is None:
        content = _content(visit, kind, item)
        recent.put(who.name, kind, item, content)
    if isinstance(content, BlindPair):
        return {"left": content.left, "right": content.right}
    return {None: content}


def _content(visit: Visit, kind: PageKind, item: str) -> BlindTrial | BlindPair:
    if kind == "item":
        return visit.desk.open(visit.who, item).content
    if kind == "conflict":
        return visit.desk.open_conflict(visit.at_least(Role.ADJUDICATOR), item).content
    return visit.desk.reveal(visit.who, item).content


def _trial(visit: Visit, kind: PageKind, item: str, hand: Hand | None) -> BlindTrial:
    found = _trials(visit, kind, item).get(hand)
    if found is None:
        raise Refused(404, "not_found")
    return found
