"""What a page shows of one trial, as records: the templates only arrange it."""

from dataclasses import dataclass

from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.report.block import Block


@dataclass(frozen=True)
class MessageView:
    """One message, with the id that evidence jumps to."""

    anchor: str
    role: str
    source: str
    content: Block
    reasoning: Block | None
    rewrites: int | None


@dataclass(frozen=True)
class Argument:
    """One argument; the type is told because "42.50" is not 42.5."""

    name: str
    type: str
    value: Block


@dataclass(frozen=True)
class ObservationView:
    """What came back."""

    anchor: str
    content: Block
    is_error: bool
    fault: str | None
    duration_s: float


@dataclass(frozen=True)
class CallView:
    """A tool call with its arguments and what came back."""

    anchor: str
    tool: str
    arguments: tuple[Argument, ...]
    written: Block
    open_written: bool
    """The text matters: it did not parse, or is no object."""
    parse_error: str | None
    executed: bool
    requested: Block | None
    differs: tuple[str, ...]
    observations: tuple[ObservationView, ...]


@dataclass(frozen=True)
class Change:
    """One operation on the world (RFC 6902)."""

    operation: str
    path: str
    value: str


@dataclass(frozen=True)
class StepView:
    """One step."""

    anchor: str
    number: int
    before: tuple[MessageView, ...]
    message: MessageView
    calls: tuple[CallView, ...]
    stray: tuple[ObservationView, ...]
    """Observations that answer no call of this step."""
    changes: tuple[Change, ...]
    notes: tuple[Block, ...]
    finish_reason: str | None
    tokens: int | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Where:
    """Evidence, and the place on this page it points to; None: nowhere that exists."""

    label: str
    quote: str
    anchor: str | None


@dataclass(frozen=True)
class FindingView:
    """A finding with its links."""

    finding: Finding
    where: tuple[Where, ...]


@dataclass(frozen=True)
class VerdictView:
    """A verdict with its links."""

    verdict: Verdict
    where: tuple[Where, ...]


@dataclass(frozen=True)
class TrialView:
    """Everything about one trial."""

    anchor: str
    trajectory: Trajectory
    prompt: Block | None
    target: Block | None
    accept: Block | None
    """Accepted paths and end states."""
    reply: Block | None
    findings: tuple[FindingView, ...]
    verdicts: tuple[VerdictView, ...]
    steps: tuple[StepView, ...]
    after: tuple[MessageView, ...]
    notes: tuple[Block, ...]
    faults: tuple[str, ...]
    changes: tuple[Change, ...]
    """World changes that belong to no step."""
    world_start: Block | None
    world_end: Block | None
