"""What an agent does about a tool that failed, and whether the fault made the difference."""

from typing import Any

import pytest

from tests.score.shop import LOOK as GET
from tests.score.shop import REFUND, Call, shop
from tests.score.shop import trial as shop_trial
from tests.score.trials import call, step, task_of, trial
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.tool import FaultKind
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.score.driver import TrialScores, score_trial
from trajaudit.score.recovery import compare, recovery

LOOK = call("look")
TOOLS = [{"name": "look", "effect": "read", "mock": {"static": "315"}}]
FAULTS = [{"tool": "look", "call": 1, "fail": "error"}]


def seen(number: int, fault: FaultKind | None = None, *, error: bool = False) -> Step:
    made = step(number, "", LOOK, saw=["x"], error=error)
    observed = made.observations[0].model_copy(update={"fault": fault})
    return made.model_copy(update={"observations": (observed,)})


def scored(
    *steps: Step, final: str, control: bool | None = None, has_control: bool = False, **fields: Any
) -> TrialScores:
    declared = {"faults": FAULTS, "target": {"number": 315}, "tools": TOOLS, **fields}
    scenario, task = task_of(**declared)
    hit = (0,) if any(one.fault for s in steps for one in s.observations) else ()
    made: Trajectory = trial(*steps, step(len(steps) + 1, final), faults_hit=hit)
    twin = Outcome(task_id="t", trial=1, final=control) if has_control else None
    return score_trial(scenario, task, made, control=twin)


def state_of(scores: TrialScores) -> object:
    verdict = next(one for one in scores.verdicts if one.scorer == "recovery")
    return verdict.detail.get("state")


def kinds_of(scores: TrialScores) -> set[str]:
    return {one.kind.value for one in scores.findings}


def test_a_call_that_works_later_recovers() -> None:
    assert state_of(scored(seen(1, "error", error=True), seen(2), final="315")) == "recovered"


def test_a_pass_without_the_call_contains_the_fault() -> None:
    assert state_of(scored(seen(1, "error", error=True), final="315")) == "contained"


def test_a_failure_without_the_call_does_not_recover() -> None:
    assert state_of(scored(seen(1, "error", error=True), final="7")) == "unrecovered"


def test_a_fault_that_never_fired_is_never_hit() -> None:
    scores = scored(seen(1), final="315")

    assert scores.outcome.status is GradeStatus.FAULT_NOT_HIT
    assert state_of(scores) == "never_hit"


@pytest.mark.parametrize("fault", ["malformed", "empty", "partial"])
def test_an_answer_that_a_fault_spoiled_has_to_be_got_again(fault: FaultKind) -> None:
    assert state_of(scored(seen(1, fault), final="7")) == "unrecovered"
    assert state_of(scored(seen(1, fault), seen(2), final="7")) == "recovered"
    twice = scored(seen(1, fault), seen(2, fault), final="7")
    verdict = next(one for one in twice.verdicts if one.scorer == "recovery")
    assert verdict.detail["state"] == "unrecovered"
    assert verdict.detail["lost_calls"] == 2


def test_an_answer_that_was_only_slow_is_no_failure() -> None:
    assert state_of(scored(seen(1, "latency"), final="315")) == "recovered"


def test_a_target_is_not_suspect_where_the_agent_never_saw_the_answer() -> None:
    accept = {"paths": [{"name": "look", "calls": ["look"]}]}
    spoiled = scored(seen(1, "partial"), final="31", accept=accept)
    whole = scored(seen(1, "partial"), seen(2), final="31", accept=accept)

    assert "right_process_wrong_criterion" not in kinds_of(spoiled)
    assert "right_process_wrong_criterion" in kinds_of(whole)


def test_without_a_control_the_error_is_the_agents_and_says_that_nothing_tells() -> None:
    scores = scored(seen(1, "error", error=True), final="7")

    found = next(one for one in scores.findings if one.kind == "unrecovered_error")
    assert found.fault == "agent"
    assert found.reason.endswith("no control trial tells whether it passes without the fault")


def test_a_control_that_passes_lays_the_failure_at_the_agents_door() -> None:
    scores = scored(seen(1, "error", error=True), final="7", has_control=True, control=True)

    found = next(one for one in scores.findings if one.kind == "unrecovered_error")
    assert found.decided
    assert found.reason.endswith("its control trial passes without the fault")


def test_where_the_control_fails_too_the_error_explains_nothing() -> None:
    scores = scored(seen(1, "error", error=True), final="7", has_control=True, control=False)

    assert "unrecovered_error" not in kinds_of(scores)
    assert next(one.kind for one in scores.findings if one.decided) == "wrong_answer"


def test_a_path_that_lacks_a_call_that_succeeds_is_read_beside_the_control_too() -> None:
    accept = {"paths": [{"name": "write", "calls": ["write"]}]}
    tools = [*TOOLS, {"name": "write", "mock": {"static": "ok"}}]
    failing = step(1, "", call("write"), saw=["down"], error=True)
    seen_fault = failing.observations[0].model_copy(update={"fault": "error"})
    failing = failing.model_copy(update={"observations": (seen_fault,)})
    fields: dict[str, Any] = {
        "accept": accept,
        "tools": tools,
        "faults": [{"tool": "write", "fail": "error"}],
    }

    alone = scored(failing, final="315", **fields)
    beside = scored(failing, final="315", has_control=True, control=False, **fields)

    assert "unrecovered_error" in kinds_of(alone)
    assert "unrecovered_error" not in kinds_of(beside)
    assert "missing_call" in kinds_of(beside)


@pytest.mark.parametrize(
    ("final", "control", "said"),
    [
        (False, True, "failed_with_only"),
        (False, False, "failed_both"),
        (True, True, "passed_both"),
        (True, False, "passed_with_only"),
        (None, True, None),
        (True, None, None),
    ],
)
def test_a_trial_is_compared_with_its_control(
    final: bool | None, control: bool | None, said: str | None
) -> None:
    one, other = (Outcome(task_id="t", trial=1, final=value) for value in (final, control))

    assert compare(one, other) == said
    assert compare(one, None) is None


def test_a_task_without_faults_has_no_state() -> None:
    scenario, task = task_of(target={"number": 315}, tools=TOOLS)
    made = trial(seen(1, error=True), step(2, "7"))

    verdict = next(v for v in score_trial(scenario, task, made).verdicts if v.scorer == "recovery")

    assert "state" not in verdict.detail
    assert verdict.passed is False


def passed_by(*calls: Call, errors: dict[int, str]) -> list[bool | None]:
    """What both modes say of calls in the shop, of which some failed."""
    scenario, task = shop({"paths": []})
    return [one.passed for one in recovery(scenario, task, shop_trial(*calls, errors=errors))]


def test_a_success_before_the_failure_or_of_another_tool_is_no_recovery() -> None:
    before = passed_by(GET, GET, errors={2: "timed out"})
    another = passed_by(GET, REFUND, errors={1: "timed out"})

    assert (before, another) == ([False, False], [False, False])


def test_the_same_tool_in_another_style_is_the_same_tool() -> None:
    said = passed_by(GET, ("GetOrder", {"order_id": "A-17"}), errors={1: "timed out"})

    assert said == [True, True]


def test_nothing_is_said_where_no_call_failed_or_no_such_tool_exists() -> None:
    fine = passed_by(GET, REFUND, errors={})
    unknown = passed_by(("no_such_tool", {}), errors={1: "no such tool"})

    assert (fine, unknown) == ([], [])


@pytest.mark.parametrize("text", ["", "\x1b[2J", "<script>", "e" * 100_000, "recovered"])
def test_the_text_of_an_error_decides_nothing_and_is_shown_short(text: str) -> None:
    scenario, task = shop({"paths": []})

    _, lenient = recovery(scenario, task, shop_trial(GET, errors={1: text}))

    assert (lenient.passed, len(lenient.reason) < 200) == (False, True)
    assert [item.step for item in lenient.evidence] == [1]
