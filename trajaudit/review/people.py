"""Who reviews? Names, roles, and digests of the tokens that they log in with.

A token is made once and told once; the file keeps its SHA-256 only. A person who was removed stays
in the file, so that nobody else gets their name, under which labels lie in the runs.
"""

import fcntl
import hashlib
import hmac
import os
import secrets
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from trajaudit.datamodel.review import Review, Reviewer, Role
from trajaudit.errors import UsageError
from trajaudit.record.reviews import read_reviews
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped, read_records, storing, write_atomic
from trajaudit.review.policy import make_review_dir, review_dir

PEOPLE = "reviewers.jsonl"
_LOCK = "reviewers.lock"
_TOKEN_BYTES = 32
_NOBODY = hashlib.sha256(b"").hexdigest()


class People:
    """The reviewers of a folder of runs; read anew for each question, so that a removal holds at
    once.
    """

    def __init__(self, runs: Path) -> None:
        self._runs = runs
        self._path = review_dir(runs) / PEOPLE

    def everybody(self, *, removed: bool = False) -> list[Reviewer]:
        """Return the people in the order in which they came; `removed`: those who went, too.

        Raises:
            RunDirError: the file is damaged.
        """
        return [one for one in read_records(self._path, Reviewer) if removed or not one.removed]

    def find(self, name: str) -> Reviewer | None:
        """Return a person who may review; None where there is none of that name."""
        return next((one for one in self.everybody() if one.name == name), None)

    def authenticate(self, token: str) -> Reviewer | None:
        """Return whose token it is; None: nobody's. Takes as long whichever it is."""
        digest = _digest(token)
        found = None
        for one in self.everybody():
            if hmac.compare_digest(digest, one.token_sha256 or _NOBODY) and token:
                found = one
        return found

    def add(
        self, name: str, role: Role = Role.REVIEWER, *, now: datetime, token: str | None = None
    ) -> tuple[Reviewer, str]:
        """Add a person; return them and their token, which nobody can tell again.

        `token`: by default 256 random bits.

        Raises:
            UsageError: the name cannot be used, or is taken.
            StorageError: it cannot be written.
        """
        secret = secrets.token_urlsafe(_TOKEN_BYTES) if token is None else token
        added = now.astimezone(UTC).isoformat(timespec="seconds")
        try:
            person = Reviewer(name=name, role=role, token_sha256=_digest(secret), added=added)
        except ValidationError:
            raise UsageError(
                f"a name has 1 to 60 letters, digits, blanks, or one of . @ - _; got {name!r}"
            ) from None
        with self._changing() as people:
            taken = next((one for one in people if alike(one.name, name)), None)
            if taken is not None:
                was = "was that of somebody who was removed" if taken.removed else "is taken"
                raise UsageError(f"the name {was}; got {name!r}; choose another")
            people.append(person)
        return person, secret

    def remove(self, name: str) -> Reviewer:
        """Take away a person's access; what they said stays.

        Raises:
            UsageError: there is nobody of that name.
        """
        return self._update(name, removed=True, token_sha256="")

    def pause(self, name: str, *, paused: bool) -> Reviewer:
        """Give a person no more items, or let them go on; errors as for `remove`."""
        return self._update(name, paused=paused)

    def renew(self, name: str, token: str | None = None) -> tuple[Reviewer, str]:
        """Give a person another token, and end the old one; errors as for `remove`."""
        secret = secrets.token_urlsafe(_TOKEN_BYTES) if token is None else token
        return self._update(name, token_sha256=_digest(secret)), secret

    def _update(self, name: str, **changed: object) -> Reviewer:
        with self._changing() as people:
            for at, one in enumerate(people):
                if one.name == name and not one.removed:
                    people[at] = one.model_copy(update=changed)
                    return people[at]
        known = ", ".join(one.name for one in self.everybody()) or "nobody"
        raise UsageError(f"there is no reviewer of that name; got {name!r}; known: {known}")

    @contextmanager
    def _changing(self) -> Iterator[list[Reviewer]]:
        """Yield everybody for change; what was changed is written, unless an error came."""
        folder = make_review_dir(self._runs)
        with storing(folder / _LOCK):
            fd = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            with storing(folder / _LOCK):
                fcntl.flock(fd, fcntl.LOCK_EX)
            people = self.everybody(removed=True)
            before = list(people)
            yield people
            if people != before:
                write_atomic(self._path, (dumped(one) + b"\n" for one in people))
        finally:
            os.close(fd)


class Names:
    """Names under which labels lie: one person under two spellings would agree with themselves."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = set(known)
        self._bare = {_bare(one): one for one in self._known}

    def other(self, name: str) -> str:
        """Return another spelling of a name that is not known; empty: it is known from now on."""
        if name in self._known:
            return ""
        other = self._bare.setdefault(_bare(name), name)
        if other == name:
            self._known.add(name)
        return other if other != name else ""


def known_names(runs: Sequence[RunDir]) -> set[str]:
    """Return the name of everybody who reviews, or labelled anything of these runs.

    Raises:
        RunDirError: a file is damaged.
    """
    known = {one.name for run in runs for one in People(run.path.parent).everybody(removed=True)}
    said = (record for run in runs for record in read_reviews(run))
    return known | {record.reviewer for record in said if isinstance(record, Review)}


def alike(one: str, other: str) -> bool:
    """Whether two names could be taken for each other."""
    return _bare(one) == _bare(other)


def _bare(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
