"""Items on which two people differ: a third one decides, who sees neither names nor judges."""

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from trajaudit.datamodel.review import Role
from trajaudit.review.desk_records import AdjudicationForm, DeskError, Refusal
from trajaudit.web.form import adjudication_form
from trajaudit.web.pages.item import work_page
from trajaudit.web.refusal import refused
from trajaudit.web.visit import Get, Post, Visit

router = APIRouter()
_NOTICES = {"adjudicated"}


@router.get("/conflicts")
def conflicts(visit: Get, notice: str = "") -> Response:
    rows = visit.desk.conflicts(visit.at_least(Role.ADJUDICATOR))
    values = {"rows": rows, "notice": notice if notice in _NOTICES else ""}
    return visit.page("conflicts.html.j2", values)


@router.get("/conflict/{item}")
def conflict(visit: Get, item: str) -> Response:
    opened = visit.desk.open_conflict(visit.at_least(Role.ADJUDICATOR), item)
    return work_page(visit, opened, opened.draft)


@router.post("/conflict/{item}")
def adjudicate(visit: Post, item: str) -> Response:
    who = visit.at_least(Role.ADJUDICATOR)
    form = adjudication_form(item, visit.fields)
    try:
        visit.desk.adjudicate(who, form)
    except DeskError as error:
        return _again(visit, form, error)
    return visit.to("/conflicts?notice=adjudicated")


@router.post("/conflict/{item}/renew")
def renew(visit: Post, item: str) -> Response:  # noqa: ARG001 (the lease says which)
    until = visit.desk.renew(visit.at_least(Role.ADJUDICATOR), visit.fields.get("lease", ""))
    return JSONResponse({"expires": until.isoformat()})


@router.post("/conflict/{item}/draft")
def draft(visit: Post, item: str) -> Response:
    who = visit.at_least(Role.ADJUDICATOR)
    kept = visit.desk.keep(who, adjudication_form(item, visit.fields))
    return JSONResponse({"kept": kept})


def _again(visit: Visit, form: AdjudicationForm, error: DeskError) -> Response:
    if error.reason not in {Refusal.LEASE_OVER, Refusal.BAD_FORM}:
        raise refused(error, visit.fields) from error
    try:
        opened = visit.desk.open_conflict(visit.who, form.item_id)
    except DeskError as second:
        raise refused(second, visit.fields) from error
    answer = refused(error)
    return work_page(visit, opened, form, notice=answer.key, status=answer.status)
