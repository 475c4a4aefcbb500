"""Each argument stands on a rung of the ladder, and a difference is somebody's fault."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.shop import LOOK, PATHS, REFUND, Call, shop, trial
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.datamodel.verdict import Fault, Verdict
from trajaudit.score.tool_args import tool_args


def judged(made: Trajectory) -> list[Verdict]:
    scenario, task = shop({"paths": PATHS})
    return tool_args(scenario, task, made)


def rungs(verdict: Verdict) -> list[tuple[object, object]]:
    """(step of the ladder, fault) of each call that is not exact."""
    found = verdict.detail["calls"]
    assert isinstance(found, list)
    return [(one["rung"], one["fault"]) for one in found if isinstance(one, dict)]


def test_the_listed_arguments_pass_both_modes() -> None:
    made = trial(LOOK, REFUND)

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed) == (True, True)
    assert (lenient.tolerances, rungs(lenient), lenient.fault) == ((), [], None)


@pytest.mark.parametrize(
    ("call", "rung", "fault"),
    [
        (("refund_order", '{"order_id": "A-17", "amount": 42.5,}'), "repaired", "agent"),
        (("refund_order", {"orderId": "A-17", "amount": 42.5}), "renamed", "agent"),
        (("refund_order", {"order_id": "A-17", "amount": "42.5"}), "coerced", "agent"),
        (
            ("refund_order", {"order_id": "A-17", "amount": 42.5, "notify": True}),
            "defaulted",
            "reference",
        ),
        (("refund_order", {"order_id": " A-17", "amount": 42.5}), "meaning", "reference"),
    ],
)
def test_each_step_of_the_ladder_is_told_with_its_fault(call: Call, rung: str, fault: str) -> None:
    made = trial(LOOK, call)

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed) == (False, True)
    assert rungs(lenient) == [(rung, fault)]


@pytest.mark.parametrize(
    "call",
    [
        ("refund_order", {"order_id": "A-17", "amount": 42}),
        ("refund_order", {"order_id": "A-18", "amount": 42.5}),
        ("refund_order", {"order_id": "a-17", "amount": 42.5}),
        ("refund_order", {"order_id": "A-17"}),
        ("refund_order", {"order_id": "A-17", "amount": 42.5, "notify": False}),
        ("refund_order", '{"order_id": "A-17", "amount": 42'),
    ],
)
def test_another_value_is_the_agent_s_fault_in_both_modes(call: Call) -> None:
    made = trial(LOOK, call)

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed) == (False, False)
    assert lenient.fault is Fault.AGENT
    assert [item.step for item in lenient.evidence] == [2]


@pytest.mark.parametrize("named", [("amount",), ()])
def test_what_the_framework_changed_is_the_harness_s_fault(named: tuple[str, ...]) -> None:
    made = trial(LOOK, ("refund_order", {"order_id": "A-17", "amount": 42}))
    other = _asked_otherwise(made.steps[1], named)
    changed = made.model_copy(update={"steps": (made.steps[0], other)})

    _, lenient = judged(changed)

    assert (lenient.passed, lenient.tolerances) == (True, ("harness_changed",))
    assert lenient.fault is Fault.HARNESS


def _asked_otherwise(step: Step, named: tuple[str, ...]) -> Step:
    asked = '{"order_id": "A-17", "amount": 42.5}'
    [call] = step.tool_calls
    call = call.model_copy(update={"requested_text": asked, "differs": named})
    return step.model_copy(update={"tool_calls": (call,)})


def test_a_call_refused_for_its_form_alone_is_the_harness_s_fault() -> None:
    call = ("refund_order", {"order_id": "A-17", "amount": "42.5"})
    made = trial(LOOK, call, errors={2: "amount must be a number"})

    _, lenient = judged(made)

    assert rungs(lenient) == [("coerced", "harness")]


def test_nothing_is_said_without_listed_paths_or_calls_that_belong_to_one() -> None:
    scenario, task = shop({"state": [{"path": "$.orders", "exists": True}]})

    without_paths = tool_args(scenario, task, trial(REFUND))

    assert without_paths == []
    assert judged(trial(("delete_order", {}))) == []


HOSTILE = st.one_of(
    st.text(max_size=60),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
        max_leaves=8,
    ).map(lambda value: {"order_id": "A-17", "amount": value}),
)


@given(HOSTILE)
@settings(max_examples=200, deadline=None)
def test_no_arguments_make_it_crash_and_strict_implies_lenient(arguments: object) -> None:
    made = trial(LOOK, ("refund_order", arguments))

    verdicts = judged(made)

    strict, lenient = verdicts
    assert lenient.passed or not strict.passed
