"""Which requests are let in, and what every answer tells the browser."""

from collections.abc import Mapping

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from trajaudit.web.security import BODY_LIMIT, HEADERS, Guard, Origin

HERE = Origin.of(["127.0.0.1"])


async def _reached(_: Request) -> Response:
    return PlainTextResponse("reached")


def _client(origin: Origin = HERE, host: str = "127.0.0.1:8765") -> TestClient:
    everything = [
        Route("/{path:path}", _reached, methods=["GET", "POST", "PUT", "DELETE", "TRACE"])
    ]
    return TestClient(Guard(Starlette(routes=everything), origin), base_url=f"http://{host}")


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost", "[::1]:8765", "LOCALHOST:1"])
def test_a_request_names_this_server(host: str) -> None:
    assert _client().get("/", headers={"host": host}).text == "reached"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "evil@127.0.0.1", "", "[::1", "localhost:x/y"],
)
def test_a_rebound_name_is_refused(host: str) -> None:
    answer = _client().get("/", headers={"host": host})

    assert (answer.status_code, "reached" in answer.text) == (421, False)


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site", "origin": "null"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "https://127.0.0.1:8765"},
        {"origin": "null"},
        {"sec-fetch-site": "same-origin", "origin": "http://evil.example"},
    ],
)
def test_a_form_of_another_site_is_refused(headers: Mapping[str, str]) -> None:
    assert _client().post("/item/1", headers=dict(headers)).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "same-origin", "origin": "null"},
        {"origin": "http://127.0.0.1:8765"},
        {"sec-fetch-site": "same-origin", "origin": "http://127.0.0.1:8765"},
    ],
)
def test_a_form_of_our_own_pages_is_let_in(headers: Mapping[str, str]) -> None:
    assert _client().post("/item/1", headers=dict(headers)).text == "reached"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(method: str) -> None:
    assert _client().request(method, "/").status_code == 405


def test_an_oversized_upload_is_refused_before_it_is_read() -> None:
    answer = _client().post(
        "/", headers={"content-length": str(BODY_LIMIT + 1), "sec-fetch-site": "same-origin"}
    )

    assert answer.status_code == 413


@pytest.mark.parametrize("path", ["/", "/static/x"])
@pytest.mark.parametrize("status", [200, 421])
def test_every_answer_carries_the_headers(path: str, status: int) -> None:
    host = "127.0.0.1" if status == 200 else "evil.example"
    headers = _client().get(path, headers={"host": host}).headers

    assert {name: headers[name] for name in HEADERS} == HEADERS
    assert (headers.get("cache-control") == "no-store") is (path == "/")
    assert "strict-transport-security" not in headers


def test_the_policy_lets_nothing_but_own_files_act() -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in HEADERS["content-security-policy"].split(";")
    )

    assert policy == {
        "default-src": "'none'",
        "style-src": "'self'",
        "script-src": "'self'",
        "img-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


def test_behind_https_the_origin_has_that_scheme() -> None:
    secure = Origin.of(["review.example"], https=True)
    client = _client(secure, "review.example")

    own = {"origin": "https://review.example", "host": "review.example"}
    assert client.post("/", headers=own).headers["strict-transport-security"]
    assert client.post("/", headers=own | {"origin": "http://review.example"}).status_code == 403
    assert not secure.sent(Headers({"origin": "null"}))
