"""Findings about the final answer."""

from collections.abc import Iterator

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.verdict import Fault, Verdict
from trajaudit.score.case_file import CaseFile, Suspicion, steps_of
from trajaudit.score.criteria import decisions_of, process
from trajaudit.score.decisive import decisive_step
from trajaudit.score.recovery import uninformed

_OF_COURSE = frozenset({FailureKind.WRONG_ANSWER, FailureKind.NO_ANSWER})
_KINDS = {kind.value: kind for kind in FailureKind}


def answer_findings(case: CaseFile) -> Iterator[Suspicion]:
    """Yield why the answer fails, or passes leniently only."""
    strict, lenient = (
        case.verdict("final_answer", "strict"),
        case.verdict("final_answer", "lenient"),
    )
    if lenient is None:
        return
    if lenient.passed is False:
        yield _with_course(
            case, lenient, _finding(lenient, _kind(case, lenient), explains=case.failed)
        )
        yield from _process_was_right(case, lenient)
    elif lenient.passed and strict is not None and strict.passed is False:
        kind = _KINDS.get(lenient.label or "", FailureKind.FORMAT_MISMATCH)
        yield _finding(lenient, kind, explains=case.differs)


def _with_course(case: CaseFile, verdict: Verdict, found: Suspicion) -> Suspicion:
    """Name the step that set the course, where it is not the one that answers."""
    course = decisive_step(case.trajectory, verdict.reading)
    if found.kind not in _OF_COURSE or course is None or course.step in found.steps:
        return found
    evidence = (*found.evidence, course)
    return found._replace(evidence=evidence, steps=steps_of(evidence))


def _kind(case: CaseFile, verdict: Verdict) -> FailureKind:
    if verdict.label in _KINDS:
        return _KINDS[verdict.label]
    if not (case.trajectory.final_reply or "").strip():
        return FailureKind.NO_ANSWER
    if case.trajectory.finish_reason == "length":
        return FailureKind.TRUNCATED
    return FailureKind.WRONG_ANSWER


def _finding(verdict: Verdict, kind: FailureKind, *, explains: bool) -> Suspicion:
    return Suspicion(
        kind,
        verdict.reason,
        verdict.fault or Fault.AGENT,
        steps_of(verdict.evidence),
        verdict.evidence,
        verdict.scorer,
        explains=explains,
    )


def _process_was_right(case: CaseFile, answer: Verdict) -> Iterator[Suspicion]:
    """Point at the criterion where everything else was done exactly right."""
    shown = any(v.scorer in {"accepted_paths", "end_state"} for v in case.verdicts)
    if not shown or answer.reading is None:
        return
    done = process(decisions_of(case.verdicts, "strict"), "strict")
    if done is None or not done.passed:
        return
    # Where what it had to go by was spoiled, the right calls do not make the target suspect.
    if not uninformed(case.readings):
        yield Suspicion(
            FailureKind.RIGHT_PROCESS_WRONG_CRITERION,
            f"the process is exactly right, and the answer {answer.reading!r} is judged wrong: "
            "look at the target",
            Fault.REFERENCE,
            steps_of(answer.evidence),
            answer.evidence,
            answer.scorer,
        )
