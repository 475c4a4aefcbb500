"""Verdicts, findings and outcomes of a run, recomputed from its files alone."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from trajaudit.audit.control import control_of
from trajaudit.audit.scoring import Key, Scored, Scoring
from trajaudit.audit.together import together
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.judging import PanelDecision
from trajaudit.datamodel.run import Outcome, RunConfig, TrialRecord
from trajaudit.datamodel.scenario import ReplayAgent, ScriptedAgent
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.errors import RunDirError
from trajaudit.judge.column import with_panel
from trajaudit.record.journal import read_events, verify
from trajaudit.record.judged import read_decisions
from trajaudit.record.rundir import RunDir
from trajaudit.record.trajectory import read_trajectory
from trajaudit.score.agreement import broken_task, reading_of
from trajaudit.score.driver import TrialScores, score_trial

_UNKNOWN = "unknown model"
"""Imported trials of which no log tells the model count as repeats of one."""


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

    The control of a run is scored first, into files of its own. Memory does not grow with what is
    said of the trials: verdicts go to their file as they come.
    """
    before = _finals(run)
    with Scoring(_scored(run)) as scoring:
        run.write_verdicts(scoring.verdicts())
        flips: list[Flip] = []
        run.write_findings(_findings(scoring, _added(run, scoring), before, flips))
        run.write_failures(scoring.failures)
        run.write_outcomes(scoring.outcomes())
    return flips


def _scored(run: RunDir) -> Iterator[Scored]:
    """Score trial by trial."""
    config = run.config
    controls = _control_outcomes(run)
    panels = _decisions(run)
    for record, trajectory in trajectories(run):
        control = controls.get((record.task_id, record.trial))
        task, scenario = run.tasks.task(record.task_id), run.tasks.scenario(record)
        one = score_trial(scenario, task, trajectory, control=control, recorded=record.origin)
        one = _with_raw(one, record)
        model = (record.origin.model_id or _UNKNOWN) if record.origin else ""
        reading = reading_of(one.outcome, one.verdicts, trajectory, _origin(config), model)
        yield record, _with_panel(one, panels), reading


def _added(run: RunDir, scoring: Scoring) -> dict[Key, Finding]:
    """Return what only the trials of a task together can show, by trial."""
    found = together(run, scoring.seen)
    if run.config.agent == "golden":
        broken = (broken_task(outcome) for outcome in scoring.outcomes())
        found += [one for one in broken if one is not None]
    return {(one.task_id, one.trial): one for one in found}


def _findings(
    scoring: Scoring,
    added: dict[Key, Finding],
    before: dict[Key, bool | None],
    flips: list[Flip],
) -> Iterator[Finding]:
    """Yield all findings in the order of the trials, and note the flips."""
    for outcome, findings in scoring.findings(added):
        flip = _flip(before, outcome, findings)
        if flip is not None:
            flips.append(flip)
        yield from findings


def _with_raw(scores: TrialScores, record: TrialRecord) -> TrialScores:
    """Put the verdict that came with an imported log beside ours."""
    if record.origin is None or record.origin.raw is None:
        return scores
    outcome = scores.outcome.model_copy(update={"raw": record.origin.raw})
    return replace(scores, outcome=outcome)


def _decisions(run: RunDir) -> dict[Key, PanelDecision]:
    """Return what a panel said of each trial, where its rubric decides outcomes."""
    return {(one.task_id, one.trial): one for one in read_decisions(run) if one.decides}


def _with_panel(scores: TrialScores, panels: dict[Key, PanelDecision]) -> TrialScores:
    decision = panels.get((scores.outcome.task_id, scores.outcome.trial))
    return replace(scores, outcome=with_panel(scores.outcome, decision))


def _origin(config: RunConfig) -> str:
    """Name what makes trials repeat each other: a script, or a model that does not sample."""
    scenario = config.scenario
    if isinstance(scenario.agent, ScriptedAgent | ReplayAgent):
        return config.agent
    return config.model_id if scenario.generation.temperature == 0 else ""


def _control_outcomes(run: RunDir) -> dict[Key, Outcome]:
    control = control_of(run)
    if control is None:
        return {}
    score_run(control)
    return _outcomes(control)


def _outcomes(run: RunDir) -> dict[Key, Outcome]:
    if not (run.path / "outcomes.jsonl").exists():
        return {}
    return {(one.task_id, one.trial): one for one in run.read_outcomes()}


def _finals(run: RunDir) -> dict[Key, bool | None]:
    if not (run.path / "outcomes.jsonl").exists():
        return {}
    return {(one.task_id, one.trial): one.final for one in run.read_outcomes()}


def _flip(before: dict[Key, bool | None], now: Outcome, findings: list[Finding]) -> Flip | None:
    key = (now.task_id, now.trial)
    if key not in before or before[key] == now.final:
        return None
    deciding = next((finding for finding in findings if finding.decided), None)
    return Flip(
        task_id=key[0],
        trial=key[1],
        before=before[key],
        after=now.final,
        reason=deciding.reason if deciding else now.status_detail,
    )
