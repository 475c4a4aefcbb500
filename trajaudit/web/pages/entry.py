"""Coming in and going out, the language, the help page, and the files that all pages need."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from trajaudit.web import language
from trajaudit.web.refusal import Refused
from trajaudit.web.render import static_files
from trajaudit.web.sessions import LIFE
from trajaudit.web.visit import Get, Post, Visit, inside, set_cookie

router = APIRouter()


@router.get("/login")
def login_page(visit: Get, next: str = "/") -> Response:  # noqa: A002 (a parameter of the address)
    if visit.reviewer is not None:
        return visit.to(inside(next))
    return _login(visit, inside(next))


@router.post("/login")
def login(visit: Post) -> Response:
    site, address = visit.site, _address(visit.request)
    after = inside(visit.fields.get("next", "/"))
    if site.alone is not None:
        return visit.to(after)
    # A right token first: behind a proxy all share one address, and one could keep all out.
    person = site.people.authenticate(visit.fields.get("token", "").strip())
    if person is None:
        if wait := site.throttle.wait_s(address):
            return _login(visit, after, "wait_n", wait)
        site.throttle.failed(address)
        return _login(visit, after, "wrong_token")
    site.throttle.passed(address)
    site.sessions.end(visit.secret)
    visit.is_new = False
    response = visit.to(after)
    # Another secret than before: one that somebody planted here leads nowhere.
    set_cookie(site, response, site.sessions.start(person))
    return response


@router.post("/logout")
def logout(visit: Post) -> Response:
    visit.site.sessions.end(visit.secret)
    visit.is_new = False
    response = visit.to("/login")
    response.delete_cookie(
        visit.site.cookie,
        path="/",
        secure=visit.site.settings.origin.https,
        httponly=True,
        samesite="strict",
    )
    return response


@router.post("/language")
def choose_language(visit: Post) -> Response:
    wanted = visit.fields.get("language", "")
    response = visit.to(inside(visit.fields.get("next", "/")))
    if wanted in language.TEXTS:
        response.set_cookie(
            language.COOKIE,
            wanted,
            max_age=int(60 * LIFE.total_seconds()),
            path="/",
            secure=visit.site.settings.origin.https,
            httponly=True,
            samesite="strict",
        )
    return response


@router.get("/help")
def help_page(visit: Get) -> Response:
    return visit.page("help.html.j2", {})


@router.get("/static/{name}")
def static(name: str) -> Response:
    found = static_files().get(name)
    if found is None:
        raise Refused(404, "not_found")
    kind, content = found
    # The address changes with the content.
    kept = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(content, media_type=kind, headers=kept)


def _login(visit: Visit, after: str, problem: str = "", wait: int = 0) -> Response:
    status = {"": 200, "wait_n": 429}.get(problem, 401)
    values = {"next": after, "problem": problem, "wait": wait}
    response = visit.page("login.html.j2", values, status)
    if wait:
        response.headers["retry-after"] = str(wait)
    return response


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
