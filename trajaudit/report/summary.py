"""Which numbers are shown: the whole first page as one record, from the records of a run."""

from collections.abc import Iterable, Sequence
from statistics import median

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome, RunConfig, TrialRecord
from trajaudit.datamodel.verdict import Verdict
from trajaudit.report import figures, groups
from trajaudit.report.board import Board, Entry, kinds_of
from trajaudit.report.columns import column_of, count
from trajaudit.report.lengths import lengths_of
from trajaudit.report.recorded import recorded
from trajaudit.report.recovery import recovery_of
from trajaudit.report.schema import (
    BrokenTask,
    Column,
    ColumnName,
    Effort,
    Pointer,
    Summary,
    TaskRow,
)

_FEW_TASKS = 5
_NAMED = 10
"""Broken tasks that a banner names."""


def summarise(
    config: RunConfig,
    trials: Sequence[TrialRecord],
    outcomes: Iterable[Outcome],
    findings: Iterable[Finding],
    verdicts: Iterable[Verdict],
) -> Summary:
    """Compute every figure of a report; renderers only format it."""
    board = Board.of(config, trials, outcomes, findings, verdicts)
    shown, counted = board.shown_columns(), board.counted()
    broken = tuple(_broken(task_id, entries) for task_id, entries in board.broken().items())
    per_task = max((len(entries) for entries in board.tasks.values()), default=0)
    columns = tuple(column_of(counted, name, per_task) for name in shown)
    return Summary(
        run_id=config.run_id,
        created=config.created,
        scenario=config.scenario.name or config.scenario_path,
        scenario_path=config.scenario_path,
        agent=config.agent,
        model_id=config.model_id,
        tasks=len(counted.tasks),
        trials=per_task,
        isolation=config.isolation,
        isolation_text=_isolation_text(config),
        banners=tuple(_banners(config, columns, len(counted.tasks), broken)),
        columns=columns,
        recorded=recorded(board),
        rescued=groups.rescued(counted),
        failed=groups.failed(counted),
        suspicious=groups.suspicious(counted),
        look_first=(*groups.look_first(counted), *map(_pointer, broken)),
        broken=broken,
        task_rows=tuple(_task_rows(board, shown)),
        trial_rows=tuple(entry.row() for entry in board.entries()),
        effort=_effort(trials),
        lengths=lengths_of(board, config.scenario.generation.max_tokens),
        recovery=recovery_of(board),
    )


def _task_rows(board: Board, shown: Sequence[ColumnName]) -> Iterable[TaskRow]:
    broken = board.broken()
    for task_id, entries in board.tasks.items():
        in_rates = () if task_id in broken else entries
        yield TaskRow(
            task_id=task_id,
            due=len(in_rates),
            columns={name: count(in_rates, name) for name in shown},
            kinds=kinds_of(entries),
        )


def _broken(task_id: str, entries: Sequence[Entry]) -> BrokenTask:
    reasons = (entry.outcome.status_detail for entry in entries if entry.outcome is not None)
    return BrokenTask(task_id=task_id, trials=len(entries), reason=next(reasons, ""))


def _pointer(one: BrokenTask) -> Pointer:
    return Pointer(task_id=one.task_id, kind=FailureKind.TASK_BROKEN, reason=one.reason)


def _isolation_text(config: RunConfig) -> str:
    if config.isolation == "container":
        image = " ".join(filter(None, (config.image, config.image_digest)))
        return f"in a container ({config.sandbox_kind}{': ' if image else ''}{image})"
    if config.isolation == "process":
        return "as a plain process on the host, without a sandbox"
    return "nothing of an agent was executed"


def _banners(
    config: RunConfig, columns: Sequence[Column], tasks: int, broken: Sequence[BrokenTask]
) -> Iterable[str]:
    if broken:
        named = ", ".join(one.task_id for one in broken[:_NAMED])
        more = f" and {len(broken) - _NAMED} more" if len(broken) > _NAMED else ""
        yield (
            f"people called {figures.counted(len(broken), 'task')} broken: {named}{more}; "
            f"{figures.counted(sum(one.trials for one in broken), 'trial')} left every rate"
        )
    if config.isolation == "process":
        yield "ran as a plain process on the host: nothing kept the agent from the machine"
    final = columns[-1]
    if missing := final.ungraded.get("not_run", 0):
        yield (
            f"{missing} of {final.due} trials did not run to their end: "
            f"trajaudit resume {config.run_id}"
        )
    if not final.graded:
        yield "no trial was graded: there is no rate"
    elif tasks < _FEW_TASKS:
        yield f"only {figures.counted(tasks, 'task')}: the intervals say little about other tasks"


def _effort(trials: Sequence[TrialRecord]) -> Effort:
    priced = [record.cost_usd for record in trials if record.cost_usd is not None]
    unpriced = [record for record in trials if record.cost_usd is None]
    durations = [record.duration_s for record in trials]
    return Effort(
        trials=len(trials),
        model_calls=sum(record.model_calls for record in trials),
        tool_calls=sum(record.tool_calls for record in trials),
        prompt_tokens=sum(record.prompt_tokens for record in trials),
        completion_tokens=sum(record.completion_tokens for record in trials),
        cost_usd=sum(priced) if priced else None,
        unpriced_trials=sum(bool(record.model_calls) for record in unpriced),
        trial_seconds=sum(durations),
        median_s=median(durations) if durations else None,
        longest_s=max(durations, default=None),
    )
