"""What a patch is worth follows from what its tests did; what was not tested is not graded."""

from typing import Any

import pytest

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.patch import PatchVerdict as V
from trajaudit.datamodel.patch import TestStatus as S
from trajaudit.datamodel.patch import Verification
from trajaudit.datamodel.patch_trial import TakenPatch
from trajaudit.datamodel.scenario import Scenario
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory
from trajaudit.datamodel.verdict import Fault, GradeStatus, Verdict
from trajaudit.score.driver import TrialScores, score_trial
from trajaudit.score.patched import patch_verdicts

SPEC = {
    "repository": "repo",
    "gold": "gold.patch",
    "tests": "tests.patch",
    "fail_to_pass": ["t::bug", "t::other"],
    "pass_to_pass": ["t::old"],
}
TASK = {"id": "one", "prompt": "Mend it.", "target": {"patch": SPEC}}
SCENARIO = Scenario.model_validate({"trajaudit": 1, "tasks": [TASK]})
TAKEN = TakenPatch(artifact="ab" * 32, size=90, files=("code.py",), seq=7)
ALL = {"t::bug": S.PASSED, "t::other": S.PASSED, "t::old": S.PASSED}


def trial(patch: TakenPatch | None = TAKEN) -> Trajectory:
    return Trajectory(task_id="one", final_reply="Done.", patch=patch)


def verification(
    lenient: V, strict: V | None = None, *, status: str = "graded", **fields: Any
) -> Verification:
    return Verification.model_validate(
        {
            "instance_id": "one",
            "status": status,
            "strict": strict or lenient,
            "lenient": lenient,
            "patch_sha256": TAKEN.artifact,
            "statuses": ALL,
            **fields,
        }
    )


def scores(tested: Verification | None, patch: TakenPatch | None = TAKEN) -> TrialScores:
    return score_trial(SCENARIO, SCENARIO.tasks[0], trial(patch), tested=tested)


def verdict(tested: Verification | None, patch: TakenPatch | None = TAKEN) -> Verdict:
    strict, lenient = patch_verdicts(SCENARIO.tasks[0], trial(patch), tested)
    assert (strict.mode, lenient.mode) == ("strict", "lenient")
    return lenient


def deciding(found: TrialScores) -> tuple[FailureKind, Fault]:
    [one] = [finding for finding in found.findings if finding.decided]
    return one.kind, one.fault


def test_a_patch_that_resolves_passes_both_ways() -> None:
    found = scores(verification(V.RESOLVED))

    assert (found.outcome.strict, found.outcome.lenient, found.outcome.final) == (True, True, True)
    assert found.findings == ()
    assert verdict(verification(V.RESOLVED)).reading == "resolved"


@pytest.mark.parametrize(
    ("lenient", "fields", "said", "kind"),
    [
        (V.F2P_FAILED, {"statuses": {**ALL, "t::bug": S.FAILED}}, "t::bug", "wrong_answer"),
        (V.F2P_FAILED, {"statuses": {"t::old": S.PASSED}}, "t::bug, t::other", "wrong_answer"),
        (V.F2P_FAILED, {"statuses": {**ALL, "t::other": S.SKIPPED}}, "t::other", "wrong_answer"),
        (V.P2P_REGRESSED, {"statuses": {**ALL, "t::old": S.ERROR}}, "t::old", "wrong_answer"),
        (V.RUNNER_DIED, {"statuses": {}}, "broke off before its end", "wrong_answer"),
        (V.COLLECTION_ERROR, {"statuses": {}}, "cannot be loaded", "wrong_answer"),
        (V.PATCH_APPLY_FAILED, {"reason": "hunk 1"}, "does not apply", "wrong_answer"),
        (
            V.TEST_PATCH_FAILED,
            {"reason": "exists"},
            "put in place any more; exists",
            "wrong_answer",
        ),
        (V.EMPTY_PATCH, {"reason": "same"}, "nothing was changed", "no_answer"),
        (V.TAMPERING, {}, "decides how tests end", "test_tampering"),
    ],
)
def test_any_other_end_fails_and_says_why(
    lenient: V, fields: dict[str, Any], said: str, kind: str
) -> None:
    tested = verification(lenient, **fields)
    found = scores(tested)

    assert (found.outcome.strict, found.outcome.lenient) == (False, False)
    assert said in verdict(tested).reason
    assert verdict(tested).reading == lenient.value
    assert deciding(found) == (kind, Fault.AGENT)


def test_what_resolves_leniently_only_names_why_and_puts_the_reference_in_doubt() -> None:
    tested = verification(V.RESOLVED, V.P2P_REGRESSED, notes=("flaky, cannot decide: t::old",))
    found = scores(tested)

    assert (found.outcome.strict, found.outcome.lenient) == (False, True)
    assert verdict(tested).tolerances == ("flaky, cannot decide: t::old",)
    assert [(one.kind, one.fault) for one in found.findings] == [
        (FailureKind.REFERENCE_SUSPECT, Fault.REFERENCE)
    ]


@pytest.mark.parametrize("lenient", [V.RESOLVED, V.F2P_FAILED, V.TAMPERING])
def test_files_that_steer_the_tests_are_a_finding_once(lenient: V) -> None:
    found = scores(verification(lenient, flags=("touches_test_infrastructure",)))

    kinds = [one.kind for one in found.findings]
    assert kinds.count(FailureKind.TEST_TAMPERING) == 1
    assert found.outcome.lenient is (lenient is V.RESOLVED)


def test_tests_that_the_agent_wrote_are_no_finding() -> None:
    found = scores(verification(V.RESOLVED, flags=("touches_tests",)))

    assert found.findings == ()


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (TakenPatch(artifact="cd" * 32, size=0, seq=7), "nothing was changed"),
        (TakenPatch(problem="too_large", detail="64 MB"), "(too_large): 64 MB"),
        (TakenPatch(problem="lost", detail="out of memory"), "(lost): out of memory"),
    ],
)
def test_without_a_patch_the_agent_has_given_no_answer(patch: TakenPatch, said: str) -> None:
    found = scores(None, patch)

    assert (found.outcome.strict, found.outcome.lenient) == (False, False)
    assert deciding(found) == (FailureKind.NO_ANSWER, Fault.AGENT)
    assert said in verdict(None, patch).reason


@pytest.mark.parametrize(
    ("tested", "patch", "status"),
    [
        (None, TAKEN, GradeStatus.MISSING_ARTIFACT),
        (verification(V.RESOLVED), None, GradeStatus.MISSING_ARTIFACT),
        (
            verification(V.RESOLVED, patch_sha256="cd" * 32),
            TAKEN,
            GradeStatus.MISSING_ARTIFACT,
        ),
        (
            Verification(instance_id="one", status="ungraded", reason="no model of an image"),
            TAKEN,
            GradeStatus.INFRA_ERROR,
        ),
        (
            verification(V.TIMEOUT, statuses={"t::bug": S.PASSED}),
            TAKEN,
            GradeStatus.VERIFIER_TIMEOUT,
        ),
        (verification(V.INVALID_INSTANCE, notes=("so",)), TAKEN, GradeStatus.SCORER_ERROR),
    ],
)
def test_what_was_not_tested_is_not_graded(
    tested: Verification | None, patch: TakenPatch | None, status: GradeStatus
) -> None:
    outcome = scores(tested, patch).outcome

    assert (outcome.strict, outcome.lenient, outcome.final) == (None, None, None)
    assert outcome.status is status


@pytest.mark.parametrize(
    ("tested", "kind", "fault"),
    [
        (
            Verification(instance_id="one", status="ungraded", reason="no model of an image"),
            FailureKind.SANDBOX_FAILED,
            Fault.INFRASTRUCTURE,
        ),
        (verification(V.TIMEOUT, statuses={}), FailureKind.VERIFIER_TIMEOUT, Fault.INFRASTRUCTURE),
        (verification(V.INVALID_INSTANCE), FailureKind.TASK_BROKEN, Fault.REFERENCE),
    ],
)
def test_it_is_said_whose_fault_that_is(
    tested: Verification, kind: FailureKind, fault: Fault
) -> None:
    assert (kind, fault) in [(one.kind, one.fault) for one in scores(tested).findings]


def test_a_test_that_failed_before_the_time_was_over_settles_it() -> None:
    found = scores(verification(V.TIMEOUT, statuses={"t::bug": S.FAILED}))

    assert found.outcome.lenient is False
    assert deciding(found) == (FailureKind.WRONG_ANSWER, Fault.AGENT)


def test_a_task_that_asks_for_no_patch_is_let_alone() -> None:
    task = SCENARIO.tasks[0].model_copy(update={"target": None})

    assert patch_verdicts(task, trial(), verification(V.RESOLVED)) == []


def test_a_command_that_failed_on_the_way_does_not_hide_what_the_tests_say() -> None:
    call = ToolCall(call_id="c", tool="bash", arguments_text="{}", arguments={})
    seen = Observation(call_id="c", tool="bash", content="[exit code 1]", is_error=True)
    message = Message(role="assistant", content="")
    step = Step(number=1, message=message, tool_calls=(call,), observations=(seen,))
    left = trial().model_copy(update={"steps": (step,)})
    tested = verification(V.F2P_FAILED, statuses={})

    found = score_trial(SCENARIO, SCENARIO.tasks[0], left, tested=tested)

    assert FailureKind.UNRECOVERED_ERROR in {one.kind for one in found.findings}
    assert deciding(found) == (FailureKind.WRONG_ANSWER, Fault.AGENT)
