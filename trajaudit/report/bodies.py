"""Where trajectories go: onto the page while they are small together, else a page each.

Either all are on the page or none is, so that a reader knows where to look; at most
`inline_bytes` of them are held in memory.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from trajaudit.record.stored import storing
from trajaudit.report.schema import TrialRow


@dataclass(frozen=True)
class Body:
    """One trajectory, rendered."""

    anchor: str
    name: str
    row: TrialRow | None
    content: Markup


@dataclass(frozen=True)
class Place:
    """Where a trajectory can be read."""

    anchor: str
    steps: int


PageOf = Callable[[Body, str | None, str | None], str]
"""A body with the file names of the page before and the one after → a whole page."""


class Bodies:
    """Takes rendered trajectories one by one."""

    def __init__(self, folder: Path, page_of: PageOf, inline_bytes: int) -> None:
        self._folder = folder
        self._page_of = page_of
        self._left = inline_bytes
        self._held: list[Body] = []
        self._before: str | None = None
        self.apart = False
        """Each trajectory has a page of its own."""
        self._clear()

    @property
    def inline(self) -> list[Body]:
        """Those that go onto the page."""
        return [] if self.apart else self._held

    def add(self, body: Body) -> None:
        """Hold it, or write what is held before it."""
        self._left -= len(body.content)
        self._held.append(body)
        if self._left < 0:
            self.apart = True
            self._write(keep=1)

    def close(self) -> None:
        """Write what is left."""
        if self.apart:
            self._write(keep=0)

    def url(self, anchor: str) -> str:
        """Path from the report to the page that holds an anchor; empty: the same page."""
        return f"{self._folder.name}/{_file(anchor)}" if self.apart else ""

    def _write(self, *, keep: int) -> None:
        with storing(self._folder):
            self._folder.mkdir(exist_ok=True)
            while len(self._held) > keep:
                body = self._held.pop(0)
                following = _file(self._held[0].anchor) if self._held else None
                page = self._page_of(body, self._before, following)
                self._before = _file(body.anchor)
                (self._folder / self._before).write_bytes(page.encode())

    def _clear(self) -> None:
        """Remove the pages of an earlier report, and nothing else."""
        with storing(self._folder):
            for old in self._folder.glob("x*.html"):
                old.unlink()
            if self._folder.is_dir() and not any(self._folder.iterdir()):
                self._folder.rmdir()


def _file(anchor: str) -> str:
    """Anchors are made here, from numbers: no name of a log becomes a file name."""
    return f"{anchor}.html"
