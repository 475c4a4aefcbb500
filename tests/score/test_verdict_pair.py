"""Two verdicts that say the same, made as if each of their values had been checked."""

import pytest

from tests.score.trials import trial
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict
from trajaudit.score.verdict_pair import both_modes, plain_pass

_MADE = trial()


@pytest.mark.parametrize(
    "pair",
    [
        both_modes(_MADE, "loops", passed=True, reason="no call is repeated"),
        both_modes(
            _MADE,
            "truncation",
            passed=False,
            reason="step 1 was cut",
            evidence=(Evidence(seq=3, step=1, quote="and so"),),
            detail={"cut": [1, 2], "longest": None},
            fault=Fault.HARNESS,
        ),
        plain_pass(_MADE, "tool_schema", "2 calls fit their schemas", {"repairs": []}, 1.0),
        plain_pass(_MADE, "unknown_tools", "every tool is known"),
    ],
)
def test_both_are_as_if_each_value_had_been_checked(pair: list[Verdict]) -> None:
    strict, lenient = pair
    assert (strict.mode, lenient.mode) == ("strict", "lenient")
    for made in pair:
        line = made.model_dump_json()
        assert Verdict.model_validate_json(line) == made
        assert Verdict.model_validate_json(line).model_dump_json() == line
    assert strict.model_copy(update={"mode": "lenient"}) == lenient
