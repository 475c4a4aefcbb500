"""Verdicts, findings and outcomes of a run, recomputed from its files alone."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from trajaudit.audit.control import control_of
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.run import Outcome, RunConfig, TrialRecord
from trajaudit.datamodel.scenario import ReplayAgent, ScriptedAgent
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.errors import RunDirError
from trajaudit.record.journal import read_events, verify
from trajaudit.record.rundir import RunDir
from trajaudit.record.trajectory import read_trajectory
from trajaudit.score.agreement import TrialReading, broken_task, reading_of, suspect_references
from trajaudit.score.driver import TrialScores, score_trial


@dataclass(frozen=True, kw_only=True)
class Flip:
    """A trial whose final outcome is not what it was."""

    task_id: str
    trial: int
    before: bool | None
    after: bool | None
    reason: str


def trajectory_of(run: RunDir, task_id: str, trial: int) -> Trajectory:
    """Return one trial as the scorers see it."""
    return read_trajectory(read_events(run.journal_path(task_id, trial)))


def trajectories(run: RunDir) -> Iterator[tuple[TrialRecord, Trajectory]]:
    """Yield the whole trials of a run, one at a time."""
    for record in run.read_trials():
        yield record, trajectory_of(run, record.task_id, record.trial)


def require_intact(run: RunDir) -> None:
    """Refuse a run whose journals are not as they were written.

    Raises:
        RunDirError: one was edited; every fault as `path:line: what`.
    """
    faults = [
        fault
        for part in (run, control_of(run))
        if part is not None
        for one in part.read_trials()
        for fault in verify(part.journal_path(one.task_id, one.trial), one.head, one.events)
    ]
    if faults:
        raise RunDirError("\n".join(faults))


def score_run(run: RunDir) -> list[Flip]:
    """Score every whole trial, write the results and return which final outcomes flipped.

    The control of a run is scored first, into files of its own.
    """
    before = _outcomes(run)
    scores = _scores(run)
    run.write_verdicts(verdict for one in scores for verdict in one.verdicts)
    run.write_findings(finding for one in scores for finding in one.findings)
    run.write_failures(failure for one in scores for failure in one.failures)
    run.write_outcomes(one.outcome for one in scores)
    return [flip for one in scores if (flip := _flip(before, one)) is not None]


def _scores(run: RunDir) -> list[TrialScores]:
    """Score trial by trial, then add what only the trials of a task together can show."""
    config = run.config
    controls = _control_outcomes(run)
    readings: dict[str, list[TrialReading]] = {}
    scores = []
    for record, trajectory in trajectories(run):
        control = controls.get((record.task_id, record.trial))
        task, scenario = run.tasks.task(record.task_id), run.tasks.scenario(record)
        scored = score_trial(scenario, task, trajectory, control=control, recorded=record.origin)
        one = _with_raw(scored, record)
        reading = reading_of(one.outcome, one.verdicts, trajectory, _origin(config))
        readings.setdefault(record.task_id, []).append(reading)
        scores.append(one)
    found = [one for task_id in readings for one in suspect_references(task_id, readings[task_id])]
    if config.agent == "golden":
        found += [broken for one in scores if (broken := broken_task(one.outcome)) is not None]
    by_trial = {(one.task_id, one.trial): one for one in found}
    return [
        one if new is None else _with_finding(one, new)
        for one in scores
        for new in [by_trial.get((one.outcome.task_id, one.outcome.trial))]
    ]


def _with_raw(scores: TrialScores, record: TrialRecord) -> TrialScores:
    """Put the verdict that came with an imported log beside ours."""
    if record.origin is None or record.origin.raw is None:
        return scores
    outcome = scores.outcome.model_copy(update={"raw": record.origin.raw})
    return replace(scores, outcome=outcome)


def _with_finding(scores: TrialScores, new: Finding) -> TrialScores:
    """Add a finding about a trial that came from looking at its whole task."""
    findings = list(scores.findings)
    if new.decided:
        findings = [one.model_copy(update={"decided": False}) for one in findings]
    together = sorted([*findings, new], key=lambda one: not one.decided)
    return replace(scores, findings=tuple(together))


def _origin(config: RunConfig) -> str:
    """Name what makes trials repeat each other: a script, or a model that does not sample."""
    scenario = config.scenario
    if isinstance(scenario.agent, ScriptedAgent | ReplayAgent):
        return config.agent
    return config.model_id if scenario.generation.temperature == 0 else ""


def _control_outcomes(run: RunDir) -> dict[tuple[str, int], Outcome]:
    control = control_of(run)
    if control is None:
        return {}
    score_run(control)
    return _outcomes(control)


def _outcomes(run: RunDir) -> dict[tuple[str, int], Outcome]:
    if not (run.path / "outcomes.jsonl").exists():
        return {}
    return {(one.task_id, one.trial): one for one in run.read_outcomes()}


def _flip(before: dict[tuple[str, int], Outcome], now: TrialScores) -> Flip | None:
    key = (now.outcome.task_id, now.outcome.trial)
    if key not in before or before[key].final == now.outcome.final:
        return None
    deciding = next((finding for finding in now.findings if finding.decided), None)
    return Flip(
        task_id=key[0],
        trial=key[1],
        before=before[key].final,
        after=now.outcome.final,
        reason=deciding.reason if deciding else now.outcome.status_detail,
    )
