"""The columns of the index; tables do not validate, so nothing but `index` uses them."""

from sqlmodel import Field, SQLModel


class RunRow(SQLModel, table=True):
    """One run directory."""

    __tablename__ = "runs"
    run_id: str = Field(primary_key=True)
    created: str = Field(index=True)
    scenario: str = Field(index=True)
    agent: str
    model_id: str = Field(index=True)
    tasks: int
    trials: int
    whole: int
    graded: int
    strict: int
    lenient: int
    final: int
    findings: int
    fingerprint: str


class TrialRow(SQLModel, table=True):
    """One whole trial."""

    __tablename__ = "trials"
    run_id: str = Field(primary_key=True)
    task_id: str = Field(primary_key=True)
    trial: int = Field(primary_key=True)
    end_reason: str
    duration_s: float
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class OutcomeRow(SQLModel, table=True):
    """The columns of a trial side by side."""

    __tablename__ = "outcomes"
    number: int | None = Field(default=None, primary_key=True)
    run_id: str = Field(index=True)
    task_id: str
    trial: int
    raw: bool | None
    strict: bool | None
    lenient: bool | None
    panel: bool | None
    human: bool | None
    final: bool | None
    source: str
    status: str


class FindingRow(SQLModel, table=True):
    """One finding."""

    __tablename__ = "findings"
    number: int | None = Field(default=None, primary_key=True)
    run_id: str = Field(index=True)
    task_id: str
    trial: int
    kind: str = Field(index=True)
    fault: str
    decided: bool
    reason: str


TABLES = [SQLModel.metadata.tables[name] for name in ("runs", "trials", "outcomes", "findings")]
