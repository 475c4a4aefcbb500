"""One request of one person: who it is, in which language, and how it is answered."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from trajaudit.datamodel.review import Reviewer, Role
from trajaudit.report.corrected_schema import Correction
from trajaudit.review.desk import Desk
from trajaudit.review.people import People
from trajaudit.web import language
from trajaudit.web.form import Fields, posted
from trajaudit.web.recent import Recent
from trajaudit.web.refusal import LoginNeeded, Refused
from trajaudit.web.render import render
from trajaudit.web.security import Origin
from trajaudit.web.sessions import LIFE, Sessions, Throttle, csrf_of, new_secret, same

RANK = {Role.REVIEWER: 0, Role.ADJUDICATOR: 1, Role.LEAD: 2}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How the pages are served."""

    origin: Origin
    clock: Callable[[], datetime]
    alone: Reviewer | None = None
    """The one person of a desk on this machine: nobody has to log in."""
    sessions_path: Path | None = None
    rates: Callable[[], Sequence[Correction]] | None = None
    """Corrected rates of the runs, for the lead."""


@dataclass(frozen=True)
class Site:
    """What all pages of one server share."""

    desk: Desk
    people: People
    settings: Settings
    sessions: Sessions
    throttle: Throttle
    recent: Recent

    @property
    def cookie(self) -> str:
        """Name of the session's cookie; its prefix makes a browser insist on https."""
        return "__Host-review" if self.settings.origin.https else "review"

    @property
    def alone(self) -> Reviewer | None:
        """The one person of a desk on this machine; None from when people were added."""
        return None if self.people.everybody() else self.settings.alone


@dataclass
class Visit:
    """A request with its session; `secret` is that of its cookie, made now where it had none."""

    site: Site
    request: Request
    words: language.Words
    secret: str
    reviewer: Reviewer | None
    is_new: bool
    fields: Fields = field(default_factory=dict)

    @property
    def desk(self) -> Desk:
        return self.site.desk

    @property
    def who(self) -> Reviewer:
        """Return the person.

        Raises:
            LoginNeeded: nobody is logged in.
        """
        if self.reviewer is None:
            raise LoginNeeded(self.fields)
        return self.reviewer

    def at_least(self, role: Role) -> Reviewer:
        """Return the person, who may do what `role` may.

        Raises:
            Refused: they may not; the answer is that of a page that does not exist.
        """
        if not self.may(role):
            raise Refused(404, "not_found")
        return self.who

    def may(self, role: Role) -> bool:
        return RANK[self.who.role] >= RANK[role]

    def page(self, template: str, values: Mapping[str, object], status: int = 200) -> Response:
        """Return a page."""
        person = self.reviewer
        shared = {
            "csrf": csrf_of(self.secret),
            "me": person,
            "alone": self.site.alone is not None,
            "adjudicates": person is not None and self.may(Role.ADJUDICATOR),
            "leads": person is not None and self.may(Role.LEAD),
            "here": self.request.url.path,
            "dialog": False,
        }
        text = render(template, self.words, shared | dict(values))
        return self.with_cookie(HTMLResponse(text, status))

    def to(self, path: str) -> Response:
        """Send the browser to another page of this server."""
        return self.with_cookie(RedirectResponse(path, 303))

    def with_cookie(self, response: Response) -> Response:
        """Give a session to a browser that has none."""
        if self.is_new:
            set_cookie(self.site, response, self.secret)
        return response


def set_cookie(site: Site, response: Response, secret: str) -> None:
    """Let a browser keep a session; no script reads it, and no other site sends it."""
    response.set_cookie(
        site.cookie,
        secret,
        max_age=int(LIFE.total_seconds()),
        path="/",
        secure=site.settings.origin.https,
        httponly=True,
        samesite="strict",
    )


def visit_of(request: Request) -> Visit:
    """Find out who asks."""
    site: Site = request.app.state.site
    secret = request.cookies.get(site.cookie, "")
    person = site.alone or (site.sessions.who(secret, site.people) if secret else None)
    return Visit(
        site=site,
        request=request,
        words=language.chosen(
            request.cookies.get(language.COOKIE), request.headers.get("accept-language")
        ),
        secret=secret or new_secret(),
        reviewer=person,
        is_new=not secret,
    )


async def form_of(request: Request) -> Visit:
    """Find out who sends a form, and that it is one of ours.

    Raises:
        Refused: it is not; what was typed is kept.
    """
    fields = await posted(request)
    # Whatever goes wrong from here on, what was typed is shown again.
    request.state.fields = fields
    visit = visit_of(request)
    visit.fields = fields
    if not same(fields.get("csrf", ""), csrf_of(visit.secret)):
        raise Refused(403, "stale_page", kept=fields)
    return visit


Get = Annotated[Visit, Depends(visit_of)]
Post = Annotated[Visit, Depends(form_of)]


def inside(path: str) -> str:
    """Return a path of this server; anything else becomes its first page."""
    is_path = path.startswith("/") and not path.startswith("//") and "\\" not in path
    plain = is_path and path.isprintable() and not set(path) & set("\r\n\t ")
    return quote(path, safe="/?=&#%-_.~") if plain else "/"
