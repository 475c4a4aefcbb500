"""All scorers on one trial, and the outcome that they make together."""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass

from trajaudit.datamodel._base import typed
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.patch import Verification
from trajaudit.datamodel.run import Outcome, ScorerFailure
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.target import PatchTarget
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import GradeStatus, Mode, Verdict
from trajaudit.score import SCORERS
from trajaudit.score.base import Scorer
from trajaudit.score.case_file import CaseFile
from trajaudit.score.criteria import ANSWER, CRITERIA, PATCH, Decision, combine, decisions_of
from trajaudit.score.patched import patch_verdicts
from trajaudit.score.recorded import recorded_checks
from trajaudit.score.recovery import faults_of, settled
from trajaudit.score.taxonomy import findings_of

_graded = typed(Outcome)
_NOTHING = Decision(None, GradeStatus.NOT_APPLICABLE, "the task declares nothing to grade")


@dataclass(frozen=True)
class TrialScores:
    """Everything that the rules say about one trial."""

    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    outcome: Outcome
    failures: tuple[ScorerFailure, ...] = ()


def score_trial(
    scenario: Scenario,
    task: Task,
    trajectory: Trajectory,
    scorers: Mapping[str, Scorer] = SCORERS,
    control: Outcome | None = None,
    recorded: Origin | None = None,
    tested: Verification | None = None,
) -> TrialScores:
    """Run every scorer and combine their verdicts as `trajaudit.score.criteria` says; never raises.

    A trial whose infrastructure failed, or whose declared faults did not all fire, is not graded.
    `control` is the outcome of the same trial without faults, where there is one; it explains, and
    decides nothing. `recorded` is what the log of an imported trial said of it: its check of an end
    state that is not here counts as one. `tested` is what came of testing the patch that was left,
    where the task asks for one.
    """
    if trajectory.end_reason == "infra_error":
        outcome = _ungraded(trajectory, GradeStatus.INFRA_ERROR, trajectory.end_detail)
        case = CaseFile(scenario, task, trajectory, (), outcome)
        return TrialScores((), findings_of(case), outcome)
    verdicts: list[Verdict] = []
    failures: list[ScorerFailure] = []
    for name, scorer in scorers.items():
        try:
            verdicts += scorer(scenario, task, trajectory)
        except Exception as error:  # noqa: BLE001 (a scorer's bug is never a verdict)
            failures.append(_failure(trajectory, name, error))
    if recorded is not None:
        verdicts += recorded_checks(recorded, trajectory)
    verdicts += patch_verdicts(task, trajectory, tested)
    outcome = _outcome(scenario, task, trajectory, verdicts, failures)
    said = tuple(settled(verdicts, outcome, control))
    known = (tuple(failures), control, recorded)
    case = CaseFile(scenario, task, trajectory, said, outcome, *known)
    return TrialScores(said, findings_of(case), outcome, tuple(failures))


def _outcome(
    scenario: Scenario,
    task: Task,
    trajectory: Trajectory,
    verdicts: list[Verdict],
    failures: list[ScorerFailure],
) -> Outcome:
    declared = range(len(faults_of(scenario, task)))
    missed = set(declared).difference(trajectory.faults_hit)
    if missed:
        numbers = ", ".join(str(number) for number in sorted(missed))
        return _ungraded(trajectory, GradeStatus.FAULT_NOT_HIT, f"faults not hit: {numbers}")
    strict = _decide(task, verdicts, failures, "strict")
    lenient = _decide(task, verdicts, failures, "lenient")
    if lenient.passed is None:
        return _ungraded(trajectory, lenient.status, lenient.reason, strict.passed)
    return _graded(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        strict=strict.passed,
        lenient=lenient.passed,
        final=lenient.passed,
        source="lenient",
    )


def _decide(
    task: Task, verdicts: list[Verdict], failures: list[ScorerFailure], mode: Mode
) -> Decision:
    decisions = decisions_of(verdicts, mode)
    for failure in failures:
        if failure.scorer in CRITERIA:
            reason = f"{failure.scorer} raised {failure.error}"
            decisions[failure.scorer] = Decision(None, GradeStatus.SCORER_ERROR, reason)
    wanted = PATCH if isinstance(task.target, PatchTarget) else ANSWER
    if task.target is not None and wanted not in decisions:
        reason = "nothing graded the target"
        decisions[wanted] = Decision(None, GradeStatus.NOT_APPLICABLE, reason)
    return combine(decisions, mode) or _NOTHING


def _ungraded(
    trajectory: Trajectory, status: GradeStatus, detail: str, strict: bool | None = None
) -> Outcome:
    return Outcome(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        strict=strict if strict is False else None,
        status=status,
        status_detail=detail[:500],
    )


def _failure(trajectory: Trajectory, scorer: str, error: Exception) -> ScorerFailure:
    return ScorerFailure(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=scorer,
        error=f"{type(error).__name__}: {error}"[:500],
        traceback="".join(traceback.format_exception(error))[-4000:],
    )
