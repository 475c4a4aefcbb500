"""A run: its frozen configuration, its trials and the outcome of each, column by column."""

from typing import Literal

from pydantic import Field, JsonValue

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.scenario import Scenario
from trajaudit.datamodel.verdict import GradeStatus


class RunConfig(StoredRecord):
    """Everything that decides, written before anything starts (`run.json`)."""

    run_id: str
    created: str
    """ISO 8601 UTC."""
    trajaudit_version: str
    scoring_checksum: str
    """SHA-256 over the sources of the scoring code."""
    git_commit: str | None = None
    scenario: Scenario
    scenario_path: str
    """Relative to the project root."""
    scenario_sha256: str
    files_sha256: dict[str, str] = Field(default_factory=dict)
    """Mocks, golden trajectories and files that the scenario names."""
    image: str | None = None
    image_digest: str | None = None
    sandbox_kind: str
    isolation: Literal["container", "process", "none"]
    """`none`: nothing of an agent was executed (scripted, replay, imported)."""
    agent: str
    """Short name for tables, for example `langgraph`, `scripted:careless`."""
    model_id: str
    model_params: dict[str, JsonValue] = Field(default_factory=dict)
    base_url: str | None = None
    concurrency: int = 1
    versions: dict[str, str] = Field(default_factory=dict)
    """Python, engine, libraries that matter."""
    task_ids: tuple[str, ...] = ()
    """Tasks of the scenario that this run covers."""
    trials: int = 1
    control: str | None = None
    """Folder in the run directory of the control run: the same trials without faults."""


class TrialRecord(StoredRecord):
    """A finished trial (`trial.json`), written last: a trial without it is not whole."""

    run_id: str
    task_id: str
    trial: int
    end_reason: EndReason
    end_detail: str = ""
    started: str = ""
    duration_s: float = 0.0
    setup_s: float = 0.0
    """Part of it before the agent began."""
    model_calls: int = 0
    tool_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    """None when any call's price is unknown."""
    events: int = 0
    head: str = ""
    """SHA-256 of the journal's last line: a cut journal is noticed."""
    attempt: int = 1
    """Counts starts of this trial, abandoned ones included."""
    origin: Origin | None = None
    """Of an imported trial: where it came from and what its log said of it."""


class Outcome(StoredRecord):
    """The columns of a trial side by side, and the final one with its source."""

    task_id: str
    trial: int
    raw: bool | None = None
    """What the imported log, or a plain grader, said."""
    strict: bool | None = None
    lenient: bool | None = None
    panel: bool | None = None
    human: bool | None = None
    final: bool | None = None
    source: Literal["human", "panel", "lenient", "strict", "none"] = "none"
    status: GradeStatus = GradeStatus.GRADED
    status_detail: str = ""


class ScorerFailure(Record):
    """A scorer raised: a fault of the evaluator, never a verdict."""

    task_id: str
    trial: int
    scorer: str
    error: str
    traceback: str
