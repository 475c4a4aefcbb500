"""The application: pages, what guards them, and what is answered where one is not given."""

import json
import logging
from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from trajaudit.errors import TrajauditError
from trajaudit.review.desk import Desk
from trajaudit.review.desk_records import DeskError, FormVerdict
from trajaudit.review.people import People
from trajaudit.web.language import Words
from trajaudit.web.pages import conflict, entry, home, item, lead, reveal, view
from trajaudit.web.recent import Recent
from trajaudit.web.refusal import Refused, refused
from trajaudit.web.security import UNKEPT, Guard
from trajaudit.web.sessions import Sessions, Throttle
from trajaudit.web.visit import Settings, Site, visit_of

_LOG = logging.getLogger("trajaudit.web")
_PAGES = (entry, home, item, conflict, reveal, lead, view)
_AGAIN = {"lease_over", "bad_form"}
"""After these the item may still be had."""


def create_app(desk: Desk, people: People, settings: Settings) -> FastAPI:
    """Return the pages of a desk; `settings.alone` or else the tokens of `people` let one in."""
    app = FastAPI(
        openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, debug=False
    )
    app.state.site = Site(
        desk=desk,
        people=people,
        settings=settings,
        sessions=Sessions(settings.clock, settings.sessions_path),
        throttle=Throttle(settings.clock),
        recent=Recent(settings.clock),
    )
    for page in _PAGES:
        app.include_router(page.router)
    app.add_exception_handler(Refused, _on_refused)
    app.add_exception_handler(DeskError, _on_desk)
    app.add_exception_handler(TrajauditError, _on_fault)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_bad_address)
    app.add_exception_handler(Exception, _on_fault)
    app.add_middleware(Guard, origin=settings.origin)
    return app


def _on_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)  # noqa: S101 (registered for it)
    if error.status == 401 and request.method == "GET" and not _wants_json(request):
        return RedirectResponse(f"/login?{urlencode({'next': request.url.path})}", 303)
    return _answer(request, error)


def _on_desk(request: Request, error: Exception) -> Response:
    assert isinstance(error, DeskError)  # noqa: S101 (registered for it)
    return _answer(request, refused(error))


def _on_http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return _answer(request, Refused(status, "not_found" if status == 404 else "wrong_method"))


def _on_bad_address(request: Request, _: Exception) -> Response:
    return _answer(request, Refused(404, "not_found"))


def _on_fault(request: Request, error: Exception) -> Response:
    """Tell nothing of what went wrong: it may name a run. The terminal says it."""
    if isinstance(error, TrajauditError):
        # Anything else is raised on, and told by the server.
        _LOG.error("%s", error)
    kept = getattr(request.state, "fields", {})
    return _answer(request, Refused(500, "fault", kept=kept))


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def _answer(request: Request, error: Refused) -> Response:
    visit = visit_of(request)
    if _wants_json(request):
        body = {"reason": error.key, "text": visit.words(f"why_{error.key}")}
        return JSONResponse(body, error.status, {**UNKEPT, **error.headers})
    values = {
        "status": error.status,
        "why": error.key,
        "kept": list(_kept(error.kept, visit.words)),
        "again": request.url.path if error.key in _AGAIN and error.kept else "",
    }
    response = visit.page("error.html.j2", values, error.status)
    # A fault is answered outside of the guard.
    response.headers.update({**UNKEPT, **error.headers})
    return response


def _kept(fields: Mapping[str, str], words: Words) -> Iterator[tuple[str, str]]:
    """Return what a person typed, under the names of the texts for it."""
    for name, field in (("note", "reason"), ("first_bad", "first_bad"), ("other_steps", "steps")):
        if fields.get(field, "").strip():
            yield name, fields[field]
    verdict = fields.get("verdict", "")
    if verdict in {one.value for one in FormVerdict}:
        yield "verdict", words(f"choose_{verdict}")
    quotes = _quotes(fields.get("evidence", ""))
    if quotes:
        yield "evidence", quotes


def _quotes(evidence: str) -> str:
    try:
        marks = json.loads(evidence or "[]")
        return "\n".join(f"{one['step']}: {one.get('quote', '')}" for one in marks)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ""
