"""Verdicts, findings and outcomes of a run, recomputed from its files alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from trajaudit.audit.control import control_of
from trajaudit.audit.grading import Grader
from trajaudit.audit.scoring import KeptScores, Key, ScoredTrial, Scoring, Seen, read_findings
from trajaudit.audit.tested import tested
from trajaudit.audit.together import together
from trajaudit.audit.worker import Ask
from trajaudit.audit.workers import processes_for, spread
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.judging import PanelDecision
from trajaudit.datamodel.run import Outcome, RunConfig, TrialRecord
from trajaudit.datamodel.scenario import ReplayAgent, ScriptedAgent
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.errors import RunDirError
from trajaudit.record.journal import read_events, verify
from trajaudit.record.judged import read_decisions
from trajaudit.record.rundir import RunDir
from trajaudit.record.trajectory import read_trajectory
from trajaudit.review.column import broken_tasks
from trajaudit.review.settle import human_decisions
from trajaudit.score.agreement import broken_task

_TOGETHER = 8
"""Trials that a worker is given at once."""
_SMALL = 64
"""Fewer trials are scored before a further process is worth its start."""


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


def score_run(run: RunDir, processes: int | None = None) -> list[Flip]:
    """Score every whole trial, write the results and return which final outcomes flipped.

    The control of a run is scored first, into files of its own. Memory does not grow with what is
    said of the trials. The result does not depend on
    `processes`; by default there is one for each processor, and one alone for a small run.
    """
    with Scoring(run.path) as scoring:
        for one in kept_trials(run, _grader(run), scoring, processes):
            scoring.take(one)
        return finish_scoring(run, scoring)


def finish_scoring(run: RunDir, scoring: Scoring) -> list[Flip]:
    """Write what was said of the trials, with what follows from them together."""
    scoring.sort(run.config.task_ids)
    run.write_lines("verdicts", scoring.verdict_lines(), named=False)
    before = _finals(run)
    flips: list[Flip] = []
    findings = _findings(scoring, _added(run, scoring), before, flips)
    run.write_lines("findings", findings, named=False)
    run.write_failures(scoring.failures, named=False)
    run.write_lines("outcomes", scoring.outcome_lines())
    return flips


def kept_trials(
    run: RunDir, grader: Grader, scoring: Scoring, processes: int | None
) -> Iterator[KeptScores]:
    """Score trial after trial, in the order of the run."""

    def scored(keys: list[Key], ask: Ask) -> Iterator[ScoredTrial]:
        for task_id, trial in keys:
            ask.attend()
            record = run.read_trial(task_id, trial)
            if record is not None:
                task, scenario = run.tasks.task(task_id), run.tasks.scenario(record)
                trajectory = trajectory_of(run, task_id, trial)
                seen = tested(run, task, trial)
                yield grader.grade(record, scenario, task, trajectory, seen)

    def work(keys: list[Key], ask: Ask) -> Iterator[list[KeptScores]]:
        yield scoring.keep(list(scored(keys, ask)))

    keys = list(run.trial_keys())
    units = (keys[start : start + _TOGETHER] for start in range(0, len(keys), _TOGETHER))
    count = 1 if len(keys) < _SMALL else processes_for(processes)
    for some in spread(units, work, processes=count):
        yield from some


def _grader(run: RunDir) -> Grader:
    people = human_decisions(run)
    return Grader(
        origin=_origin(run.config),
        controls=_control_outcomes(run),
        panels=_decisions(run),
        people=people,
        broken=broken_tasks(people.values()),
    )


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
) -> Iterator[bytes]:
    """Yield all findings in the order of the trials, as whole lines, and note the flips."""
    for seen, outcome, lines in scoring.finding_lines(added):
        flip = _flip(before, seen, outcome, lines)
        if flip is not None:
            flips.append(flip)
        yield lines


def _decisions(run: RunDir) -> dict[Key, PanelDecision]:
    """Return what a panel said of each trial, where its rubric decides outcomes."""
    return {(one.task_id, one.trial): one for one in read_decisions(run) if one.decides}


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


def _flip(before: dict[Key, bool | None], seen: Seen, outcome: bytes, lines: bytes) -> Flip | None:
    key = (seen.task_id, seen.trial)
    if key not in before or before[key] == seen.final:
        return None
    deciding = next((finding for finding in read_findings(lines) if finding.decided), None)
    now = Outcome.model_validate_json(outcome)
    return Flip(
        task_id=key[0],
        trial=key[1],
        before=before[key],
        after=now.final,
        reason=deciding.reason if deciding else now.status_detail,
    )
