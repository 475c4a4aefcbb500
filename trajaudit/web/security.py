"""What every request passes before a page sees it, and every answer before it leaves.

Pages show hostile text to people whose word counts. So the browser is told to run and load nothing
but our own files; a request must name this server, and one that changes something must come from
one of its pages.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 1_000_000
"""Bytes of a request; a form is far below."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
UNKEPT = {**HEADERS, "cache-control": "no-store"}
"""Of every answer that may hold something of a trial."""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where this server is reached."""

    hosts: frozenset[str]
    """Names, without a port, that a request may call it by."""
    https: bool = False
    any_address: bool = False
    """A number as name is let in as well: only names can be made to point elsewhere."""

    @classmethod
    def of(
        cls, hosts: Iterable[str], *, https: bool = False, any_address: bool = False
    ) -> "Origin":
        """Return an origin; loopback names stand for each other."""
        named = {host.strip("[]").lower() for host in hosts}
        if named & set(LOOPBACK):
            named |= set(LOOPBACK)
        return cls(hosts=frozenset(named), https=https, any_address=any_address)

    def knows(self, host: str) -> bool:
        """Whether a Host header names this server: another name may be a rebound one."""
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        if name is None or set(host) & set("@/\\?# "):
            return False
        return name in self.hosts or (self.any_address and _is_address(name))

    def sent(self, headers: Headers) -> bool:
        """Whether a request that changes something may have come from a page of this server.

        Browsers write `Origin: null` where no referrer may be told, as it is here; then, and
        whenever it is there, Sec-Fetch-Site decides.
        """
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None and site != "same-origin":
            return False
        if origin is None:
            return True
        if origin == "null":
            return site == "same-origin"
        scheme = "https" if self.https else "http"
        return origin.lower() == f"{scheme}://{headers.get('host', '').lower()}"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Guard:
    """The ASGI layer around all pages."""

    app: ASGIApp
    origin: Origin
    lasting: tuple[str, ...] = field(default=("/static/",))
    """Paths whose answers hold nothing of a trial, and may be kept by a browser."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            refusal = self._refusal(scope)
            await (refusal or self.app)(scope, receive, self._dressed(scope["path"], send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.origin.knows(hosts[0]):
            return PlainTextResponse("this server has another name", 421)
        if scope["method"] in {"GET", "HEAD"}:
            return None
        if scope["method"] != "POST":
            return PlainTextResponse("GET, HEAD or POST", 405, {"allow": "GET, HEAD, POST"})
        if not self.origin.sent(headers):
            return PlainTextResponse("this form was sent from another site", 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > BODY_LIMIT:
            return PlainTextResponse(f"at most {BODY_LIMIT:,} bytes", 413)
        return None

    def _dressed(self, path: str, send: Send) -> Send:
        lasts = path.startswith(self.lasting)

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if not lasts:
                    headers["cache-control"] = "no-store"
                if self.origin.https:
                    headers["strict-transport-security"] = "max-age=31536000"
            await send(message)

        return dressed
