"""A call is valid as written, or after a repair with one reading; else it is not."""

import pytest

from tests.score.shop import LOOK, REFUND, Call, shop, trial
from tests.score.trials import task_of
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Fault, Verdict
from trajaudit.score.tool_schema import tool_schema


def judged(made: Trajectory, **fields: object) -> list[Verdict]:
    scenario, task = shop({"paths": []}, **fields)
    return tool_schema(scenario, task, made)


def test_calls_that_fit_their_schemas_pass_both_modes_without_a_tolerance() -> None:
    made = trial(LOOK, REFUND)

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed, lenient.tolerances) == (True, True, ())
    assert strict.score == 1
    for one in (strict, lenient):
        assert Verdict(**one.model_dump()).model_dump_json() == one.model_dump_json()


@pytest.mark.parametrize(
    ("call", "tolerance"),
    [
        (("refund_order", {"order_id": "A-17", "amount": "42.5"}), "numeric_string"),
        (("refund_order", {"orderId": "A-17", "amount": 42.5}), "param_case"),
        (("get_order", "{'order_id': 'A-17'}"), "python_literal"),
        (("refund_order", {"order_id": "A-17", "amount": 1, "notify": None}), "null_omitted"),
        (("get_order", {"order_id": 17}), "number_to_string"),
    ],
)
def test_a_form_with_one_reading_passes_leniently_and_names_its_tolerance(
    call: Call, tolerance: str
) -> None:
    made = trial(call)

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed) == (False, True)
    assert lenient.tolerances == (tolerance,)


@pytest.mark.parametrize(
    "call",
    [
        ("refund_order", {"order_id": "A-17"}),
        ("refund_order", {"order_id": "A-17", "amount": "a lot"}),
        ("refund_order", {"order_id": "A-17", "amount": 1, "colour": "red"}),
        ("refund_order", {"order_id": ["A-17", "A-18"], "amount": 1}),
        ("get_order", '{"order_id": "A-1'),
        ("get_order", "[]"),
        ("get_order", ""),
        ("refund_order", {"order_id": "A-17", "amount": "4,2"}),
    ],
)
def test_what_no_repair_makes_valid_fails_both_modes(call: Call) -> None:
    made = trial(call)

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed) == (False, False)
    assert lenient.fault is Fault.AGENT


def test_one_bad_call_among_good_ones_counts_as_its_share() -> None:
    made = trial(LOOK, LOOK, LOOK, ("get_order", {}))

    _, lenient = judged(made)

    assert (lenient.passed, lenient.score) == (False, 0.75)
    assert [item.step for item in lenient.evidence] == [4]


def test_a_call_refused_for_its_form_alone_is_the_harness_s_fault() -> None:
    refused = trial(
        ("refund_order", {"order_id": "A-17", "amount": "42.5"}),
        errors={1: "validation failed: amount is not a number"},
    )

    _, lenient = judged(refused)

    assert (lenient.passed, lenient.fault) == (True, Fault.HARNESS)


def test_nothing_is_said_where_no_known_tool_was_called() -> None:
    unknown = trial(("no_such_tool", {}))

    assert judged(unknown) == []
    assert judged(trial()) == []


def test_a_switched_off_tolerance_repairs_nothing() -> None:
    scenario, task = shop({"paths": []})
    strictly = scenario.model_copy(
        update={"tolerances": scenario.tolerances.model_copy(update={"off": ("numeric_string",)})}
    )
    made = trial(("refund_order", {"order_id": "A-17", "amount": "42.5"}))

    _, lenient = tool_schema(strictly, task, made)

    assert lenient.passed is False


@pytest.mark.parametrize(
    "parameters",
    [
        {"type": "no such type"},
        {"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/a"}}},
        {"properties": {"x": {"pattern": "(("}}},
        {"$ref": "file:///etc/passwd"},
    ],
)
def test_a_broken_schema_is_never_a_crash_and_never_a_pass(parameters: dict[str, object]) -> None:
    scenario, task = task_of(tools=[{"name": "odd", "parameters": parameters}])
    made = trial(("odd", {"x": "y"}))

    verdicts = tool_schema(scenario, task, made)

    assert [verdict.passed for verdict in verdicts] == [False, False]


def test_deeply_nested_arguments_are_a_fault_and_no_crash() -> None:
    deep = '{"order_id": ' + "[" * 20_000 + "]" * 20_000 + "}"

    strict, lenient = judged(trial(("get_order", deep)))

    assert (strict.passed, lenient.passed) == (False, False)
