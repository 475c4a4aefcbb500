"""The notes of one judge on the tasks that it judges: made once for a task, and kept."""

import hashlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from trajaudit.datamodel.judged import Commitment
from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.judge.commit import Commission


@dataclass
class Notebook:
    """Asks for notes where there are none yet. Thread-safe: one task is asked about once."""

    make: Callable[[Commission], Commitment]
    known: dict[str, Commitment] = field(default_factory=dict)
    """Hash of the commission → notes."""
    _locks: dict[str, threading.Lock] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def on(self, commission: Commission) -> Commitment:
        """Return the notes on a task; those that a provider failed to make are tried again."""
        key = commission.sha256
        with self._lock:
            own = self._locks.setdefault(key, threading.Lock())
        with own:
            found = self.known.get(key)
            if found is None:
                found = self.make(commission)
                if found.status is not ReplyStatus.PROVIDER_FAILED:
                    self.known[key] = found
            return found


def keyed(commitments: Iterable[Commitment]) -> dict[str, Commitment]:
    """Return notes by the hash of what they are about."""
    return {one.task_sha256: one for one in commitments}


def text_sha256(text: str) -> str:
    """Return the hash by which votes name the notes that were shown."""
    return hashlib.sha256(text.encode()).hexdigest()
