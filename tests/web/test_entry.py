"""Who gets in, with what, and how far."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from tests.review.desked import SINGLE, START, a_run
from tests.web.visitor import OWN, Served
from trajaudit.datamodel.review import Role
from trajaudit.web.app import _PAGES
from trajaudit.web.security import Origin
from trajaudit.web.sessions import WAIT_FROM
from trajaudit.web.visit import inside


@pytest.fixture
def served(tmp_path: Path) -> Served:
    a_run(tmp_path, tasks=4)
    return Served(tmp_path, SINGLE)


PAGES = (
    "/",
    "/history",
    "/conflicts",
    "/lead",
    "/item/0123456789abcdef",
    "/reveal/0123456789abcdef",
)


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_is_sent_to_the_login_page(served: Served, path: str) -> None:
    answer = served.visitor().get(path)

    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/login?next=%2F")


def test_a_stranger_s_form_is_refused_and_what_was_typed_is_kept(served: Served) -> None:
    stranger = served.visitor()
    answer = stranger.post("/item/0123456789abcdef", {"verdict": "pass", "reason": "long words"})

    assert answer.status_code == 401
    assert "long words" in answer.text


def test_after_login_one_is_where_one_wanted_to_go_with_another_cookie(served: Served) -> None:
    _, token = served.people.add("ann", now=START)
    visitor = served.visitor()
    visitor.get("/login?next=/history")
    before = visitor.client.cookies["review"]
    answer = visitor.post("/login", {"token": f" {token}\n", "next": "/history"})

    assert answer.headers["location"] == "/history"
    assert visitor.client.cookies["review"] != before
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    visitor.client.cookies.clear()
    visitor.client.cookies.set("review", before)
    assert visitor.get("/history").status_code == 303


def test_behind_https_the_cookie_is_secure_and_bound_to_the_host(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    origin = Origin.of(["review.example"], https=True)
    answer = Served(tmp_path, SINGLE, origin=origin).visitor("https://review.example").get("/login")

    assert answer.headers["set-cookie"].startswith("__Host-review=")
    assert "Secure" in answer.headers["set-cookie"]


def test_logout_ends_the_session_on_the_server(served: Served) -> None:
    ann = served.add("ann")
    cookie = ann.client.cookies["review"]
    assert ann.post("/logout", {}).headers["location"] == "/login"
    ann.client.cookies.clear()
    ann.client.cookies.set("review", cookie)

    assert ann.get("/").status_code == 303


def test_guessing_tokens_is_throttled_and_keeps_nobody_out(served: Served) -> None:
    _, token = served.people.add("ann", now=START)
    guesser = served.visitor()
    codes = [guesser.post("/login", {"token": f"guess {n}"}).status_code for n in range(WAIT_FROM)]
    assert codes == [401] * WAIT_FROM

    refused = guesser.post("/login", {"token": "another guess"})
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert served.visitor().post("/login", {"token": token}).status_code == 303
    served.clock.pass_(seconds=2)
    assert guesser.post("/login", {"token": "another guess"}).status_code == 401


@pytest.mark.parametrize(
    "token", ["", " ", "\x00", "'; DROP TABLE people; --", "\ud83d", "x" * 9999]
)
def test_no_other_text_is_a_token(served: Served, token: str) -> None:
    served.people.add("ann", now=START)
    answer = served.visitor().post("/login", {"token": token.encode("utf-8", "replace").decode()})

    assert answer.status_code == 401


def _posts() -> list[str]:
    routes = [route for page in _PAGES for route in page.router.routes]
    found = [route for route in routes if isinstance(route, APIRoute)]
    found = [route for route in found if "POST" in (route.methods or ())]
    return [route.path.replace("{item}", "0123456789abcdef") for route in found]


@pytest.mark.parametrize(
    ("fields", "headers"),
    [
        ({"csrf": ""}, OWN),
        ({"csrf": "0" * 64}, OWN),
        ({"csrf": "é"}, OWN),
        ({}, {**OWN, "sec-fetch-site": "cross-site"}),
        ({}, {"origin": "http://evil.example"}),
    ],
)
def test_no_form_is_taken_from_elsewhere(
    served: Served, fields: dict[str, str], headers: dict[str, str]
) -> None:
    lea = served.add("lea", Role.LEAD)
    paths = _posts()

    assert len(paths) >= 14
    answers = {path: lea.post(path, fields, headers).status_code for path in paths}
    assert set(answers.values()) == {403}, answers


def test_another_session_s_form_token_is_refused(served: Served) -> None:
    ann, ben = served.add("ann"), served.add("ben")

    assert ann.post("/start", {"csrf": ben.csrf()}).status_code == 403


@pytest.mark.parametrize(
    "kind", ["application/json", "text/plain", "multipart/form-data; boundary=x"]
)
def test_only_plain_forms_are_read(served: Served, kind: str) -> None:
    ann = served.add("ann")
    body = f"csrf={ann.csrf()}".encode()
    answer = ann.client.post("/start", content=body, headers={**OWN, "content-type": kind})

    assert answer.status_code == 415


def test_an_upload_without_a_length_ends_at_the_limit(served: Served) -> None:
    ann = served.add("ann")

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    headers = {**OWN, "content-type": "application/x-www-form-urlencoded"}
    answer = ann.client.post("/start", content=endless(), headers=headers)

    assert answer.status_code == 413


@pytest.mark.parametrize("body", [b"csrf=%ff%fe", b"&".join(b"a=1" for _ in range(999))])
def test_a_form_that_is_no_text_or_has_endless_fields_is_refused(
    served: Served, body: bytes
) -> None:
    ann = served.add("ann")
    headers = {**OWN, "content-type": "application/x-www-form-urlencoded"}

    assert ann.client.post("/start", content=body, headers=headers).status_code == 400


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static//etc/passwd",
        "/static/review.css%00.js",
        "/static/",
        "/static/templates",
        "/item/../static/review.css/..",
        "/item/..%2f..%2freviewers.jsonl",
    ],
)
def test_no_other_file_is_served(served: Served, path: str) -> None:
    answer = served.add("ann").client.get(path)

    assert answer.status_code in {303, 404}
    assert "create_app" not in answer.text
    assert "root:" not in answer.text


def test_files_of_the_pages_are_served_for_long_and_pages_are_not_kept(served: Served) -> None:
    ann = served.add("ann")
    style = ann.get("/static/review.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "immutable" in style.headers["cache-control"]
    assert ann.get("/static/review.js").headers["content-type"].startswith("text/javascript")
    assert ann.get("/").headers["cache-control"] == "no-store"
    assert ann.get(ann.start()).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "safe"),
    [
        ("/history", "/history"),
        ("/item/abc?x=1", "/item/abc?x=1"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
        ("/a\r\nset-cookie: x=1", "/"),
        ("/\u202e", "/"),
        ("/\t/evil.example", "/"),
    ],
)
def test_nobody_is_sent_to_another_site(path: str, safe: str) -> None:
    assert inside(path) == safe


def test_login_and_language_lead_nowhere_else(served: Served) -> None:
    _, token = served.people.add("ann", now=START)
    visitor = served.visitor()
    away = {"next": "//evil.example/"}

    assert visitor.post("/language", {"language": "zh", **away}).headers["location"] == "/"
    assert visitor.post("/login", {"token": token, **away}).headers["location"] == "/"
    assert visitor.get("/login?next=//evil.example/").headers["location"] == "/"
