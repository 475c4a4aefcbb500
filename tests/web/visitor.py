"""People with a browser, for the tests of the pages."""

import html
import re
from collections.abc import Mapping
from pathlib import Path

from httpx2 import Response
from starlette.testclient import TestClient

from tests.review.desked import START, Clock, a_desk
from trajaudit.datamodel.review import Reviewer, ReviewPolicy, Role
from trajaudit.review.desk import Desk
from trajaudit.review.people import People
from trajaudit.web.app import create_app
from trajaudit.web.security import Origin
from trajaudit.web.visit import Settings

BASE = "http://127.0.0.1:8765"
OWN = {"sec-fetch-site": "same-origin", "origin": "null"}
_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


class Served:
    """The pages of a desk."""

    def __init__(
        self,
        runs: Path,
        policy: ReviewPolicy,
        *,
        alone: Reviewer | None = None,
        origin: Origin | None = None,
        desk: Desk | None = None,
    ) -> None:
        self.runs, self.clock = runs, Clock()
        self.desk = desk or a_desk(runs, policy, clock=self.clock, alone=alone is not None)
        self.people = People(runs)
        self.origin = origin or Origin.of(["127.0.0.1"])
        settings = Settings(
            origin=self.origin,
            clock=self.clock,
            alone=alone,
            sessions_path=runs / ".review" / "sessions.jsonl",
        )
        self.app = create_app(self.desk, self.people, settings)

    def add(self, name: str, role: Role = Role.REVIEWER) -> "Visitor":
        """A person who has logged in."""
        _, token = self.people.add(name, role, now=START)
        visitor = self.visitor()
        answer = visitor.post("/login", {"token": token, "next": "/"})
        assert answer.status_code == 303, answer.text
        return visitor

    def visitor(self, base: str = BASE) -> "Visitor":
        """Somebody who has not logged in."""
        client = TestClient(
            self.app, base_url=base, follow_redirects=False, raise_server_exceptions=True
        )
        return Visitor(client)


class Visitor:
    """Remembers the last page, and every answer that came."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.page = ""
        self.answers: list[Response] = []

    def get(self, path: str, **headers: str) -> Response:
        return self._noted(self.client.get(path, headers=headers))

    def post(
        self, path: str, fields: Mapping[str, str], headers: Mapping[str, str] = OWN
    ) -> Response:
        """Send a form with the token of the session."""
        if "csrf" not in fields:
            fields = {"csrf": self.csrf(), **fields}
        return self._noted(self.client.post(path, data=dict(fields), headers=dict(headers)))

    def csrf(self) -> str:
        found = self.hidden(self.client.get("/help").text)
        return found["csrf"]

    def start(self) -> str:
        """Get the next item; return its address."""
        return self.follow(self.post("/start", {}))

    def follow(self, answer: Response) -> str:
        """Open the page that an answer leads to; return its address."""
        assert answer.status_code == 303, answer.text
        self.get(answer.headers["location"])
        return answer.headers["location"]

    def hidden(self, page: str = "") -> dict[str, str]:
        """The hidden fields of the verdict form, or of the first form."""
        text = page or self.page
        at = max(text.find('id="verdict"'), 0)
        return {name: html.unescape(value) for name, value in reversed(_FIELD.findall(text, at))}

    def label(self, verdict: str, **fields: str) -> Response:
        """Send the verdict form of the page that is open."""
        action = re.search(r'id="verdict" method="post" action="([^"]+)"', self.page)
        assert action is not None
        return self.post(action[1], {**self.hidden(), "verdict": verdict, **fields})

    def _noted(self, answer: Response) -> Response:
        self.answers.append(answer)
        self.page = answer.text
        return answer
