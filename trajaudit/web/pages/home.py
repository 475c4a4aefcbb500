"""Where a reviewer starts, and what they said before."""

from fastapi import APIRouter
from starlette.responses import Response

from trajaudit.web.visit import Get

router = APIRouter()
_NOTICES = {"batch", "done", "no_undo"}
_SHOWN = 5
_HISTORY = 50


@router.get("/")
def home(visit: Get, notice: str = "") -> Response:
    values = {
        "progress": visit.desk.progress(visit.who),
        "past": visit.desk.history(visit.who, limit=_SHOWN),
        "notice": notice if notice in _NOTICES else "",
    }
    return visit.page("home.html.j2", values)


@router.get("/history")
def history(visit: Get) -> Response:
    return visit.page("history.html.j2", {"past": visit.desk.history(visit.who, limit=_HISTORY)})
