"""What is known of a log from elsewhere: where it came from, what it said, what was lost of it."""

from typing import Literal

from pydantic import Field

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.tool import ToolSpec

LossKind = Literal["dropped", "guessed", "truncated", "malformed"]
"""dropped: no place for it here; guessed: not in the log, made up by a stated rule; truncated: the
log holds only a part; malformed: not as its format wants it."""


class Loss(Record):
    """One thing that an import could not carry over as it was."""

    kind: LossKind
    field: str
    """Where in the foreign format, for example `events.subtask` or `tool_call.id`."""
    count: int = Field(ge=1)
    example: str
    """The first one, shortened, with its place where it has one."""


class ImportedSource(Record):
    """One file or folder that was read."""

    path: str
    format: str
    sha256: str
    trials: int
    error: str | None = None
    """Why nothing, or not all of it, could be read."""


class ImportRecord(StoredRecord):
    """The loss report of an import (`import.json`)."""

    run_id: str
    sources: tuple[ImportedSource, ...]
    losses: tuple[Loss, ...] = ()
    unknown: tuple[str, ...] = ()
    """Files that no importer recognised, at most a hundred of them."""
    unknown_count: int = 0


class ImportedTask(StoredRecord):
    """One line of `tasks.jsonl`: a task of an imported run."""

    task: Task


class Toolset(StoredRecord):
    """One line of `toolsets.jsonl`: tools that imported trials were offered, by their hash."""

    sha256: str
    tools: tuple[ToolSpec, ...]


class Origin(Record):
    """What the log said of one trial."""

    source: str
    """File, and member or line in it."""
    format: str
    source_id: str = ""
    """Its id in the log."""
    agent: str = ""
    model_id: str = ""
    raw: bool | None = None
    """The verdict that came with the log; None: none, or neither pass nor fail."""
    raw_score: float | None = None
    raw_detail: str = ""
    """For example `accuracy=C`, `reward 0.0`."""
    checks: dict[str, bool | None] = Field(default_factory=dict)
    """Parts of that verdict, for example `{"db": true, "communicate": false}`."""
    basis: tuple[str, ...] = ()
    """Which of the checks made the verdict; empty: all of them. Others were made beside it."""
    toolset: str | None = None
    """SHA-256 of the tools it was offered, in `toolsets.jsonl`."""
