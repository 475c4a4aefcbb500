"""What an importer is: it recognises a foreign log and tells its trials one by one."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from trajaudit.datamodel.event import EventBase
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.errors import UsageError
from trajaudit.record.importers.losses import Losses

HEAD_BYTES = 64 * 1024
T = TypeVar("T")


class SourceError(UsageError):
    """A file cannot be read as the format that it seemed to be; the text says where and why."""


class PartOfAnotherError(SourceError):
    """The file belongs to a log that another file holds, and is read with that one."""


@dataclass(frozen=True)
class Totals:
    """Sums over a trial, where the log does not tell them call by call."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True)
class Source:
    """A file, or a folder that is one log, with enough of it to recognise its format."""

    path: Path
    name: str
    """As it is shown: relative to what was asked for."""
    head: bytes = b""
    """The first 64 KiB of a file; empty for a folder."""
    entries: tuple[str, ...] = ()
    """Names in a folder, sorted, at most a thousand; empty for a file."""

    @property
    def is_folder(self) -> bool:
        return bool(self.entries)


@dataclass
class ForeignTrial:
    """One trial of a foreign log, mapped; the writer adds run, trial number and start."""

    task: Task
    """Ids that need not be unique: a different task of the same id gets a suffix later."""
    events: list[EventBase]
    """From seq 2 on (the start is 1), ending with an `End`; see `TrialBuilder`."""
    origin: Origin
    tools: tuple[ToolSpec, ...] = ()
    started: str = ""
    """ISO 8601, where the log tells it."""
    duration_s: float = 0.0
    totals: Totals | None = None
    """None: they are the sums over the model calls among the events."""


@dataclass(frozen=True)
class Share:
    """A part of a log that can be read apart from the others."""

    start: int
    end: int
    """Numbers of its records, `end` not included."""


ReadShare = Callable[[Share, Losses], Iterator["ForeignTrial"]]


@dataclass(frozen=True)
class Shared:
    """How a log is cut into shares that several processes read at once."""

    cut: Callable[[Source, Losses], list[Share] | None]
    """All shares, in order; None: read it whole. Raises SourceError."""
    count: Callable[[Source, Losses], None]
    """Counts the losses that concern a log as a whole, which was cut; shares may be read meanwhile.
    """
    opened: Callable[[Source], AbstractContextManager["ReadShare"]]
    """Opens a log that was cut, to read shares of it."""


@dataclass(frozen=True)
class Importer:
    """One foreign format. `read` yields trials in the order of the log, always the same."""

    name: str
    sniff: Callable[[Source], bool]
    read: Callable[[Source, Losses], Iterator[ForeignTrial]]
    describes: str = ""
    """One line for people: what the format is, and which versions are read."""
    needs: tuple[str, ...] = field(default=())
    """Python packages that it needs beyond the standard ones."""
    shared: Shared | None = None
    """None: a log is read as a whole."""


# What hostile or odd content makes of code that reads it; a bug of ours looks the same, and is
# then one malformed record in the loss report instead of an import that stops.
ODD = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    IndexError,
    RecursionError,
    ArithmeticError,
    ValidationError,
)


def mapped(
    items: Iterator[tuple[str, Any]], make: Callable[[Any], T | None], losses: Losses, what: str
) -> Iterator[T]:
    """Yield `make(item)` of each (place, item); one that cannot be mapped is counted and named.

    Args:
        items: places as `file:line` or `file!member`, with what stands there.
        make: the mapping; None: nothing to tell, which it has counted itself.
        losses: gets `malformed` losses of field `what`.
        what: for example `sample`.
    """
    for where, item in items:
        losses.where = where
        try:
            made = make(item)
        except ODD as error:
            losses.malformed(what, f"{type(error).__name__}: {_short(error)}")
            continue
        if made is not None:
            yield made


def _short(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return " ".join(str(error).split())
