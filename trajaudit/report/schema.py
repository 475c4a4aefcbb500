"""What a report says, as records: every renderer shows these and computes nothing."""

from typing import Literal

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.verdict import Fault
from trajaudit.report.corrected_schema import Correction
from trajaudit.report.judging_schema import Judging
from trajaudit.stats import Interval

ColumnName = Literal["raw", "strict", "lenient", "panel", "human", "final"]


class TrialRef(Record):
    """One trial of one task."""

    task_id: str
    trial: int

    def __str__(self) -> str:
        return f"{self.task_id}/{self.trial}"


class RepeatedRate(Record):
    """pass@k or pass^k: the mean over the tasks that have k graded trials."""

    k: int
    value: float | None
    """None: no task has k graded trials."""
    tasks: int
    of: int


class Column(Record):
    """One way of deciding, over all trials. Ungraded trials are counted, never guessed."""

    name: ColumnName
    passes: int
    graded: int
    due: int
    """Trials that the run was to have, whether or not they ran; those of broken tasks left out."""
    pass_at_1: float | None
    """Mean over tasks. None: nothing was graded, or only the trials that were picked for this
    column were, whose rate says nothing about the run (panel, human)."""
    interval: Interval | None
    """95 %, clustered by task."""
    if_wrong: float | None
    """pass@1, were every ungraded trial a failure."""
    if_right: float | None
    """pass@1, were every ungraded trial a pass."""
    pass_at_k: RepeatedRate | None = None
    pass_hat_k: RepeatedRate | None = None
    """None: one trial per task."""
    ungraded: dict[str, int]
    """Reason → trials."""


class Group(Record):
    """Trials that share a cause."""

    kind: FailureKind | None
    """None: no finding explains these trials."""
    fault: Fault | None
    count: int
    reason: str
    """The commonest reason in the group."""
    other_reasons: int
    """Further distinct reasons."""
    trials: tuple[TrialRef, ...]


class Pointer(Record):
    """Where to look, and why. `trial` None: at the whole task."""

    task_id: str
    trial: int | None = None
    step: int | None = None
    kind: FailureKind | None = None
    reason: str

    @property
    def name(self) -> str:
        """For example `t08/3`, or `t08` for a task."""
        return self.task_id if self.trial is None else f"{self.task_id}/{self.trial}"


class TrialRow(Record):
    """The columns of one trial, and what was found in it."""

    task_id: str
    trial: int
    raw: bool | None = None
    strict: bool | None = None
    lenient: bool | None = None
    panel: bool | None = None
    human: bool | None = None
    final: bool | None = None
    source: str = "none"
    ungraded: str | None = None
    """Why there is no final outcome."""
    kinds: tuple[FailureKind, ...] = ()
    """Kinds of its findings, the deciding one first."""
    reason: str = ""
    end_reason: EndReason | None = None
    """None: the trial did not run to its end."""
    model_calls: int = 0
    tool_calls: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    duration_s: float = 0.0


class Count(Record):
    """Passes of one task in one column."""

    passes: int
    graded: int


class BrokenTask(Record):
    """A task that people called broken: its trials are in no rate, and counted here."""

    task_id: str
    trials: int
    reason: str


class TaskRow(Record):
    """One task: its counts in every column that is shown."""

    task_id: str
    due: int
    """0: the task is broken."""
    columns: dict[ColumnName, Count]
    kinds: tuple[FailureKind, ...] = ()


class Effort(Record):
    """What the run took."""

    trials: int
    """Trials that ran to their end."""
    model_calls: int
    tool_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    """Sum over the trials whose price is known; None: of none."""
    unpriced_trials: int
    """Trials that called a model whose price is unknown."""
    trial_seconds: float
    """Summed over trials; trials run side by side, so the clock shows less."""
    median_s: float | None
    longest_s: float | None


class RecordedLine(Record):
    """Some of the trials that the log calls failures, or passes; each is in one line."""

    what: str
    count: int
    share: float
    interval: Interval
    """95 %, Wilson, trials taken as independent."""
    trials: tuple[TrialRef, ...]


class Recorded(Record):
    """Whether the verdicts that came with an imported log hold."""

    failures: int
    """Trials that the log calls failures."""
    passes: int
    without: int
    """Trials of which the log says neither."""
    of_failures: tuple[RecordedLine, ...]
    of_passes: tuple[RecordedLine, ...]


class Sufficient(Record):
    """The smallest token limits under which a share of the replies ends by itself."""

    share: float
    of_finished: int | None
    """Of the replies that did end. None: none did."""
    of_all: int | None
    """Of all replies, cut ones included: an estimate after Kaplan and Meier (1958). None: it lies
    beyond every reply that ended."""


class LimitShare(Record):
    """What share of the replies one limit would have let end by itself."""

    limit: int
    share: float | None
    """By the same estimate. None: nobody was let write that much."""
    low: float
    high: float
    """What is certain: every cut reply would have gone on for ever, or have ended at once."""


class TaskLengths(Record):
    """Replies of one task."""

    task_id: str
    replies: int
    cut: int
    sufficient: tuple[Sufficient, ...]


class Lengths(Record):
    """Tokens of the agent's replies, thinking included: those that ended and those cut."""

    max_tokens: int | None
    """The limit that the scenario sets. None: the agent's own."""
    replies: int
    cut: int
    longest_cut: int | None
    unmeasured: int
    """Replies whose tokens are not known, and that are not among these."""
    sufficient: tuple[Sufficient, ...]
    limits: tuple[LimitShare, ...]
    tasks: tuple[TaskLengths, ...]


class RecoveryRow(Record):
    """Trials of tasks with injected faults that fared alike."""

    state: str
    """recovered, contained, unrecovered, never_hit or not_graded."""
    trials: tuple[TrialRef, ...]
    comparisons: dict[str, int]
    """Beside the same trials without faults: failed_with_only, failed_both, passed_both,
    passed_with_only or not_compared → trials."""


class Recovery(Record):
    """How trials got over their injected faults."""

    has_control: bool
    """The same trials were run without faults."""
    rows: tuple[RecoveryRow, ...]

    def shown_comparisons(self) -> tuple[str, ...]:
        """Comparisons that any trial is in; none where there is nothing to compare with."""
        names = dict.fromkeys(name for row in self.rows for name in row.comparisons)
        found = (n for n in names if any(row.comparisons[n] for row in self.rows))
        return tuple(found) if self.has_control else ()


class Summary(StoredRecord):
    """The first page: what a strict grader says, what a careful reader says, and why."""

    run_id: str
    created: str
    scenario: str
    scenario_path: str
    agent: str
    model_id: str
    tasks: int
    trials: int
    """Per task."""
    isolation: Literal["container", "process", "none"]
    isolation_text: str
    banners: tuple[str, ...]
    """What a reader must know before believing a number."""
    columns: tuple[Column, ...]
    recorded: Recorded | None = None
    """Only where an imported log has verdicts of its own."""
    rescued: tuple[Group, ...]
    """Why strict failures pass a careful reading; each such trial is in one group."""
    failed: tuple[Group, ...]
    """What really failed; each such trial is in one group."""
    suspicious: tuple[Pointer, ...]
    """Passes that may not be deserved."""
    look_first: tuple[Pointer, ...]
    broken: tuple[BrokenTask, ...] = ()
    """Tasks that are in no column."""
    task_rows: tuple[TaskRow, ...]
    trial_rows: tuple[TrialRow, ...]
    effort: Effort
    lengths: Lengths | None = None
    """None: the length of no reply is known."""
    recovery: Recovery | None = None
    """None: no task declares faults."""
    judging: tuple[Judging, ...] = ()
    """One entry for each rubric by which a panel judged."""
    corrected: Correction | None = None
    """None: no person labelled any trial."""
