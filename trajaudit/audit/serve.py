"""Opens the desk of some runs to people: the review pages, until somebody presses Ctrl-C."""

import contextlib
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from trajaudit.audit.rates import RateOptions, rates
from trajaudit.audit.review import label_marks
from trajaudit.datamodel.review import Reviewer, Role
from trajaudit.errors import UsageError
from trajaudit.record.rundir import RunDir
from trajaudit.report.corrected_schema import Correction
from trajaudit.review.people import People
from trajaudit.review.policy import review_dir

if TYPE_CHECKING:
    from fastapi import FastAPI

    from trajaudit.web.visit import Settings

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
ALONE = "me"
"""Name of the one person of a desk on this machine."""
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_FEW_SECONDS = 3
_EVERY_S = 5.0
_EVERY = frozenset({"0.0.0.0", "::"})  # noqa: S104 (what is asked for on the command line)
"""Addresses that stand for all of this machine's."""
SESSIONS = "sessions.jsonl"


def serve(
    runs: Sequence[RunDir],
    *,
    host: str,
    port: int,
    say: Callable[[str], None],
    url: str = "",
) -> None:
    """Serve the pages until a signal comes; `say` is told the address.

    On this machine alone nobody has to log in, unless reviewers were added. `url`: how a proxy in
    front of it is reached, where there is one.

    Raises:
        UsageError: another address than this machine's own and nobody has a token; or the port is
            taken.
    """
    folder = runs[0].path.parent
    people = People(folder)
    person = alone(people, host, url)
    with bound(host, port) as listening:
        address = url or _address(host, listening)
        _run(runs, people, person, listening, address, say)


def alone(people: People, host: str, url: str = "") -> Reviewer | None:
    """Return the one person of a desk on this machine; None: tokens are asked for.

    Raises:
        UsageError: tokens are needed and nobody has one.
    """
    if people.everybody():
        return None
    if host in LOOPBACK and not url:
        return Reviewer(name=ALONE, role=Role.LEAD)
    raise UsageError(
        f"on any address but this machine's own, reviewers log in by token, and there are none; "
        f"got {url or host!r}; add some with: trajaudit review add NAME"
    )


def _run(
    runs: Sequence[RunDir],
    people: People,
    person: Reviewer | None,
    listening: socket.socket,
    address: str,
    say: Callable[[str], None],
) -> None:
    """Put up the items, tell the address, and serve until a signal comes."""
    from trajaudit.review.contents import RunContents
    from trajaudit.review.desk import Desk
    from trajaudit.web.app import create_app
    from trajaudit.web.recent import RecentContents

    folder = runs[0].path.parent
    contents = RecentContents(RunContents(folder, Path.cwd()), _now)
    desk = Desk.open_at(
        folder, start=Path.cwd(), clock=_now, alone=person is not None, contents=contents
    )
    with contextlib.closing(desk):
        for one in desk.enqueue(runs, Reading(say)):
            say(f"{one.source}: {one.wanted} to look at")
            for reason in one.damaged:
                say(f"  left out: {reason}")
        settings = _settings(runs, person, address)
        say(f"{address}   (Ctrl-C ends it)")
        _until_signal(create_app(desk, people, settings), listening)


def _settings(runs: Sequence[RunDir], person: Reviewer | None, address: str) -> "Settings":
    from trajaudit.web.security import Origin
    from trajaudit.web.visit import Settings

    origin = Origin.of(
        _names(address),
        https=address.startswith("https:"),
        any_address=urlsplit(address).hostname in _EVERY,
    )
    return Settings(
        origin=origin,
        clock=_now,
        rates=_Rates(runs),
        alone=person,
        sessions_path=review_dir(runs[0].path.parent) / SESSIONS,
    )


def _now() -> datetime:
    return datetime.now(UTC)


def _names(address: str) -> set[str]:
    """Return what a browser may call the server by; any other name may lead here by a trick."""
    name = urlsplit(address).hostname or ""
    if name not in _EVERY:
        return {name}
    return {"localhost", socket.gethostname().lower(), socket.getfqdn().lower()}


class Reading:
    """Says how far the reading of trials is, not too often."""

    def __init__(
        self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say, self._clock = say, clock
        self._last = clock()

    def __call__(self, source: str, done: int, due: int) -> None:
        now = self._clock()
        if now - self._last >= _EVERY_S and done < due:
            self._last = now
            self._say(f"{source}: {done} of {due} trials read")


class _Rates:
    """What people's labels say so far of each run's rate; computed anew once there are others."""

    def __init__(self, runs: Sequence[RunDir]) -> None:
        self._runs = runs
        self._marks: object = None
        self._found: list[Correction] = []

    def __call__(self) -> list[Correction]:
        marks = label_marks(self._runs[0].path.parent)
        if marks != self._marks:
            found: list[Correction] = []
            for run in self._runs:
                with contextlib.suppress(UsageError):  # a run that is not scored has no rate yet
                    found += rates([run], RateOptions())
            self._marks, self._found = marks, found
        return self._found


@contextlib.contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """Listen on an address.

    Raises:
        UsageError: it cannot be had.
    """
    try:
        family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server(where[:2], family=family)
        # Else the second half of an answer waits 40 ms until the browser has confirmed the first.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"{host}:{port} cannot be listened on; {reason}; give another --port, or 0"
        ) from error
    with listening:
        yield listening


def _address(host: str, listening: socket.socket) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}"


def _until_signal(app: "FastAPI", listening: socket.socket) -> None:
    """Serve until Ctrl-C, `kill` or a closed terminal; what was begun is answered first."""
    from uvicorn import Config, Server

    config = Config(
        app,
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=_FEW_SECONDS,
    )
    with _no_more_than_ending():
        Server(config).run(sockets=[listening])


@contextlib.contextmanager
def _no_more_than_ending() -> Iterator[None]:
    """Let a signal end the server and nothing else: it is raised again once the server is down."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    taken = [one for one in _ENDING if signal.getsignal(one) != signal.SIG_IGN]
    before = [signal.signal(one, lambda *_: None) for one in taken]
    try:
        yield
    finally:
        for one, old in zip(taken, before, strict=True):
            signal.signal(one, old)
