"""What is accepted means the same after it was stored and read back."""

import pytest

from trajaudit.datamodel.accept import Accept


@pytest.mark.parametrize(
    "condition",
    [
        {"approx": 42.5, "within": 0.1},
        {"any": True},
        {"schema": {"type": "string"}},
        {"exact": None},
        {"strict": None},
        "A-17",
    ],
)
def test_a_matcher_keeps_exactly_what_was_written(condition: object) -> None:
    written = Accept.model_validate({"forbid": [{"pay": {"amount": condition}}]})
    read = Accept.model_validate_json(written.model_dump_json())

    before = written.forbid[0].arguments["amount"]
    after = read.forbid[0].arguments["amount"]
    assert after == before
    assert after.model_fields_set == before.model_fields_set


@pytest.mark.parametrize(
    "condition",
    [{"path": "$.a", "equals": None}, {"path": "$.a", "approx": 2}, {"unchanged": ["$"]}],
)
def test_an_assertion_keeps_exactly_what_was_written(condition: dict[str, object]) -> None:
    written = Accept.model_validate({"state": [condition]})
    read = Accept.model_validate_json(written.model_dump_json())

    assert read.state[0].model_fields_set == written.state[0].model_fields_set
    assert read == written
