"""Which process owns a container, and does it still live?

A process id alone is reused; with its start time and the boot it is unique on a machine. An owner
on another machine, or in another process namespace, cannot be judged from here: it counts as alive.
"""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

PREFIX = "trajaudit.owner."


@dataclass(frozen=True, kw_only=True)
class Owner:
    """One process, beyond doubt."""

    pid: int
    started: str
    """Clock ticks after boot."""
    boot: str
    place: str
    """Machine and process namespace in which `pid` means something."""

    @classmethod
    def current(cls) -> Self:
        """Return this process."""
        pid = os.getpid()
        return cls(pid=pid, started=_started(pid) or "", boot=_boot(), place=_place())

    @classmethod
    def from_labels(cls, labels: Mapping[str, str]) -> Self | None:
        """Return the owner that labels name, or None when they name none."""
        try:
            return cls(
                pid=int(labels[PREFIX + "pid"]),
                started=labels[PREFIX + "started"],
                boot=labels[PREFIX + "boot"],
                place=labels[PREFIX + "place"],
            )
        except (KeyError, ValueError):
            return None

    def labels(self) -> dict[str, str]:
        """Return the labels that `from_labels` reads."""
        return {
            PREFIX + "pid": str(self.pid),
            PREFIX + "started": self.started,
            PREFIX + "boot": self.boot,
            PREFIX + "place": self.place,
        }

    def is_dead(self) -> bool:
        """Tell whether the process has certainly ended."""
        if self.place != _place():
            return False
        if self.boot != _boot():
            return True
        started = _started(self.pid)
        return started is None or started != self.started


def _started(pid: int) -> str | None:
    """Return field 22 of /proc/PID/stat (proc(5)); None when there is no such process."""
    if not Path("/proc/self/stat").exists():
        return _started_without_proc(pid)
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    state, *fields = stat.rpartition(")")[2].split()
    return None if state in {"Z", "X"} else fields[18]


def _started_without_proc(pid: int) -> str | None:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return ""
    return ""


def _boot() -> str:
    return _text("/proc/sys/kernel/random/boot_id")


def _place() -> str:
    machine = _text("/etc/machine-id") or socket.gethostname()
    try:
        namespace = Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        namespace = 0
    return f"{machine}/{namespace}"


def _text(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
