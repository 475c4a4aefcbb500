"""Who is at the other end: sessions by a random cookie, of which only the digest is kept.

A session ends with the token that it began with: whoever was removed, or got another token, is out.
Sessions are written to a file, so that a server that was killed knows its reviewers again.
"""

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import orjson

from trajaudit.datamodel.review import Reviewer
from trajaudit.record.stored import storing
from trajaudit.review.people import People

LIFE = timedelta(hours=12)
WAIT_FROM = 5
"""Wrong tokens in a row from one address, after which it has to wait."""
LONGEST_WAIT = timedelta(minutes=5)
MOST_ADDRESSES = 10_000


def new_secret() -> str:
    """Return 256 random bits for a cookie."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """Return what is kept of a cookie."""
    return hashlib.sha256(secret.encode()).hexdigest()


def csrf_of(secret: str) -> str:
    """Return what a form must send along: it follows from the cookie, which no other page reads."""
    return hmac.new(secret.encode(), b"trajaudit form", hashlib.sha256).hexdigest()


def same(one: str, other: str) -> bool:
    """Compare without telling by the time how much is alike."""
    return hmac.compare_digest(one.encode(), other.encode())


Entry = tuple[str, str, datetime]
"""Name of the reviewer, digest of their token, end of the session."""


@dataclass
class Sessions:
    """Digest of a cookie → reviewer; thread-safe."""

    clock: Callable[[], datetime]
    path: Path | None = None
    """File of them; None: only in memory."""
    _known: dict[str, Entry] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._known.update(self._read())
        if self.path is not None:
            self._rewrite()

    def start(self, person: Reviewer) -> str:
        """Begin a session and return the secret of its cookie."""
        secret = new_secret()
        entry = (person.name, person.token_sha256, self.clock() + LIFE)
        with self._lock:
            self._known[digest(secret)] = entry
            self._append(digest(secret), entry)
        return secret

    def who(self, secret: str, people: People) -> Reviewer | None:
        """Return the reviewer; None: there is no such session, or it is over."""
        with self._lock:
            entry = self._known.get(digest(secret))
        if entry is None or entry[2] <= self.clock():
            return None
        person = people.find(entry[0])
        return person if person is not None and same(person.token_sha256, entry[1]) else None

    def end(self, secret: str) -> None:
        """Forget a session."""
        with self._lock:
            if self._known.pop(digest(secret), None) is not None and self.path is not None:
                self._rewrite()

    def _read(self) -> Iterator[tuple[str, Entry]]:
        if self.path is None or not self.path.is_file():
            return
        for line in self.path.read_bytes().splitlines():
            try:
                key, name, token, until = orjson.loads(line)
                ends = datetime.fromisoformat(until)
            except (ValueError, TypeError):
                continue  # the line that a killed server was writing: its reviewer logs in again
            if ends > self.clock():
                yield key, (name, token, ends)

    def _append(self, key: str, entry: Entry) -> None:
        if self.path is not None:
            name, token, until = entry
            with storing(self.path), self.path.open("ab") as file:
                file.write(orjson.dumps([key, name, token, until.isoformat()]) + b"\n")

    def _rewrite(self) -> None:
        if self.path is None:
            return
        with storing(self.path):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.touch(mode=0o600)
            self.path.write_bytes(b"")
        for key, entry in self._known.items():
            self._append(key, entry)


@dataclass
class Throttle:
    """Makes an address that guesses tokens wait, longer each time."""

    clock: Callable[[], datetime]
    _failed: dict[str, tuple[int, datetime]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait_s(self, address: str) -> int:
        """Return the seconds for which nothing from this address is looked at."""
        with self._lock:
            _, until = self._failed.get(address, (0, self.clock()))
        rest = until - self.clock()
        # Longer than anybody ever waits: the clock was set back, and would keep all of them out.
        return max(0, round(rest.total_seconds())) if rest <= LONGEST_WAIT else 0

    def failed(self, address: str) -> None:
        """Note a wrong token."""
        with self._lock:
            count = self._failed.get(address, (0, self.clock()))[0] + 1
            over = count - WAIT_FROM
            wait = min(timedelta(seconds=2 ** min(over, 20)), LONGEST_WAIT)
            until = self.clock() + (wait if over >= 0 else timedelta())
            while len(self._failed) >= MOST_ADDRESSES:
                self._failed.pop(next(iter(self._failed)))
            self._failed[address] = (count, until)

    def passed(self, address: str) -> None:
        """Note a right token."""
        with self._lock:
            self._failed.pop(address, None)
