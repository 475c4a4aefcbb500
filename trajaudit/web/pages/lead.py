"""What the lead of a team sees: how far it is, how far people agree, who needs a pause."""

from fastapi import APIRouter
from starlette.responses import Response

from trajaudit.datamodel.review import Role
from trajaudit.errors import UsageError
from trajaudit.web.plots import TICKS, agreement_plot, gold_plot, rates_plot, state_bars
from trajaudit.web.refusal import Refused
from trajaudit.web.visit import Get, Post, Visit

router = APIRouter()
_NOTICES = {"paused", "resumed"}


@router.get("/lead")
def lead(visit: Get, notice: str = "") -> Response:
    visit.at_least(Role.LEAD)
    figures = visit.desk.lead()
    rates = visit.site.settings.rates
    values = {
        "figures": figures,
        "states": state_bars(figures.states),
        "agreement": agreement_plot(figures, visit.words),
        "gold": gold_plot(figures.reviewers, visit.desk.core.policy.gold_least),
        "rates": [rates_plot(one, visit.words) for one in rates()] if rates else (),
        "ticks": TICKS,
        "notice": notice if notice in _NOTICES else "",
    }
    return visit.page("lead.html.j2", values)


@router.post("/lead/pause")
def pause(visit: Post) -> Response:
    return _set_paused(visit, paused=True)


@router.post("/lead/resume")
def resume(visit: Post) -> Response:
    return _set_paused(visit, paused=False)


def _set_paused(visit: Visit, *, paused: bool) -> Response:
    visit.at_least(Role.LEAD)
    try:
        visit.site.people.pause(visit.fields.get("name", ""), paused=paused)
    except UsageError as error:
        raise Refused(404, "not_found") from error
    return visit.to(f"/lead?notice={'paused' if paused else 'resumed'}")
