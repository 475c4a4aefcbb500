"""Is the bug mended by what the agent left in its repository, and is nothing else broken?

The tests were run before, in a container of their own; here it is only said what came of them.
"""

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.patch import PatchVerdict, TestStatus, Verification
from trajaudit.datamodel.patch_trial import PatchSpec, TakenPatch
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.target import PatchTarget
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, GradeStatus, Mode, Verdict
from trajaudit.score.criteria import PATCH

MODES: tuple[Mode, ...] = ("strict", "lenient")
MOST_NAMED = 5
_PASSES = frozenset({TestStatus.PASSED, TestStatus.XPASS})
_FAILS = frozenset({TestStatus.FAILED, TestStatus.ERROR})
_SAID = {
    PatchVerdict.EMPTY_PATCH: "nothing was changed in the repository",
    PatchVerdict.PATCH_APPLY_FAILED: "the patch does not apply to the repository",
    PatchVerdict.TEST_PATCH_FAILED: "the tests of the task cannot be put in place any more",
    PatchVerdict.COLLECTION_ERROR: "the tests cannot be loaded any more",
    PatchVerdict.RUNNER_DIED: "the test run broke off before its end",
    PatchVerdict.TAMPERING: "a test that has to fail passed, or one that has to pass failed: what "
    "was changed decides how tests end",
    PatchVerdict.F2P_FAILED: "tests that show the bug do not pass",
    PatchVerdict.P2P_REGRESSED: "tests that had passed do not pass any more",
    PatchVerdict.RESOLVED: "the tests that show the bug pass, and the others still do",
    PatchVerdict.INVALID_INSTANCE: "the task cannot tell whether a patch is right",
    PatchVerdict.TIMEOUT: "the tests did not end in time",
}


def patch_verdicts(
    task: Task, trajectory: Trajectory, tested: Verification | None
) -> list[Verdict]:
    """Return a strict and a lenient verdict; none where the task asks for no patch."""
    if not isinstance(task.target, PatchTarget):
        return []
    return [_verdict(task.target.patch, trajectory, tested, mode) for mode in MODES]


def _verdict(
    spec: PatchSpec, trajectory: Trajectory, tested: Verification | None, mode: Mode
) -> Verdict:
    taken = trajectory.patch
    if taken is None:
        return _open(trajectory, mode, GradeStatus.MISSING_ARTIFACT, "no patch was taken")
    if taken.problem is not None:
        reason = f"there is no patch to test ({taken.problem}): {taken.detail}"
        return _failed(trajectory, mode, taken, reason, PatchVerdict.EMPTY_PATCH)
    if taken.size == 0:
        reason = _SAID[PatchVerdict.EMPTY_PATCH]
        return _failed(trajectory, mode, taken, reason, PatchVerdict.EMPTY_PATCH)
    if tested is None or tested.patch_sha256 not in {"", taken.artifact}:
        reason = "the patch was not tested; `trajaudit resume` does it"
        return _open(trajectory, mode, GradeStatus.MISSING_ARTIFACT, reason)
    verdict = tested.strict if mode == "strict" else tested.lenient
    if tested.status != "graded" or verdict is None:
        reason = f"sandbox_failed: the patch could not be tested: {tested.reason}"
        return _open(trajectory, mode, GradeStatus.INFRA_ERROR, reason)
    return _of_tests(spec, trajectory, tested, verdict, mode)


def _of_tests(
    spec: PatchSpec,
    trajectory: Trajectory,
    tested: Verification,
    verdict: PatchVerdict,
    mode: Mode,
) -> Verdict:
    taken = trajectory.patch or TakenPatch()
    failing = list(_failing(spec, tested))
    if verdict is PatchVerdict.TIMEOUT and failing:
        verdict = PatchVerdict.F2P_FAILED  # settled before the time was over
    if verdict is PatchVerdict.TIMEOUT:
        reason = f"timeout: {_SAID[verdict]} ({spec.timeout_s:g} s)"
        return _open(trajectory, mode, GradeStatus.VERIFIER_TIMEOUT, reason)
    if verdict is PatchVerdict.INVALID_INSTANCE:
        reason = f"invalid_instance: {'; '.join(tested.notes) or _SAID[verdict]}"
        return _open(trajectory, mode, GradeStatus.SCORER_ERROR, reason)
    if verdict is PatchVerdict.RESOLVED:
        return _passed(trajectory, mode, taken, tested)
    if verdict is PatchVerdict.P2P_REGRESSED:
        failing = [t for t in spec.pass_to_pass or () if not _is_kept(tested.statuses.get(t))]
    told = f"{verdict.value}: {_SAID[verdict]}"
    if verdict in {PatchVerdict.F2P_FAILED, PatchVerdict.P2P_REGRESSED} and failing:
        told += f": {_named(failing)}"
    elif tested.reason:
        told += f"; {tested.reason}"
    return _failed(trajectory, mode, taken, told, verdict, tested, failing)


def _failing(spec: PatchSpec, tested: Verification) -> Iterator[str]:
    """Yield the tests of the bug that do not pass; of a run that broke off, those that failed."""
    whole = PatchVerdict.TIMEOUT not in {tested.strict, tested.lenient}
    for test in spec.fail_to_pass or ():
        status = tested.statuses.get(test)
        if status in _FAILS or (whole and status not in _PASSES):
            yield test


def _is_kept(status: TestStatus | None) -> bool:
    return status in _PASSES or status is TestStatus.XFAIL


def _named(tests: Sequence[str]) -> str:
    more = len(tests) - MOST_NAMED
    return ", ".join(tests[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _open(trajectory: Trajectory, mode: Mode, status: GradeStatus, reason: str) -> Verdict:
    return Verdict(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=PATCH,
        mode=mode,
        passed=None,
        status=status,
        reason=reason,
        evidence=_where(trajectory),
    )


def _passed(trajectory: Trajectory, mode: Mode, taken: TakenPatch, tested: Verification) -> Verdict:
    strictly = tested.strict is PatchVerdict.RESOLVED
    return Verdict(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=PATCH,
        mode=mode,
        passed=True,
        reason=f"resolved: {_SAID[PatchVerdict.RESOLVED]}",
        reading=PatchVerdict.RESOLVED.value,
        tolerances=() if strictly else (*tested.repairs, *tested.notes),
        evidence=_where(trajectory),
        detail=_detail(taken, PatchVerdict.RESOLVED, tested),
    )


def _failed(
    trajectory: Trajectory,
    mode: Mode,
    taken: TakenPatch,
    reason: str,
    verdict: PatchVerdict,
    tested: Verification | None = None,
    failing: Sequence[str] = (),
) -> Verdict:
    kinds = {
        PatchVerdict.EMPTY_PATCH: FailureKind.NO_ANSWER,
        PatchVerdict.TAMPERING: FailureKind.TEST_TAMPERING,
    }
    return Verdict(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=PATCH,
        mode=mode,
        passed=False,
        reason=reason,
        reading=verdict.value,
        evidence=_where(trajectory, failing[0] if failing else ""),
        label=kinds.get(verdict, FailureKind.WRONG_ANSWER).value,
        detail={**_detail(taken, verdict, tested), "failing": list(failing)},
    )


def _detail(
    taken: TakenPatch, verdict: PatchVerdict, tested: Verification | None
) -> dict[str, JsonValue]:
    return {
        "verdict": verdict.value,
        "files": list(taken.files),
        "left_out": list(taken.left_out),
        "flags": list(tested.flags) if tested else [],
        "notes": list(tested.notes) if tested else [],
    }


def _where(trajectory: Trajectory, quote: str = "") -> tuple[Evidence, ...]:
    seq = trajectory.patch.seq if trajectory.patch else None
    return (Evidence(seq=seq, quote=quote),) if seq is not None or quote else ()
