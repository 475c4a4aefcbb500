"""`--fail-on` stops a release on what it names, and on nothing else."""

import pytest

from tests.conftest import RunText
from trajaudit.audit.gate import Gate
from trajaudit.errors import GateMatched, UsageError

HALF = """
trajaudit: 1
agent: {kind: scripted, tasks: {"*": [{reply: It is hello.}]}}
tasks:
  - {id: a, prompt: Hello?, target: hello}
  - {id: b, prompt: Hello?, target: bye}
"""


@pytest.mark.parametrize(
    "condition", ["strict<0.5", "lenient<=0.5", "final < 0.75", "finding:wrong_answer"]
)
def test_a_condition_that_holds_is_told(run_text: RunText, condition: str) -> None:
    summary = run_text(HALF).summary

    with pytest.raises(GateMatched) as caught:
        Gate.parse([condition]).check([summary])

    assert condition in str(caught.value)
    assert caught.value.exit_code == 4


@pytest.mark.parametrize("condition", ["lenient<0.5", "graded<1", "finding:loop", "strict>0.1"])
def test_a_condition_that_does_not_hold_lets_it_pass(run_text: RunText, condition: str) -> None:
    Gate.parse([condition]).check([run_text(HALF).summary])


@pytest.mark.parametrize(
    "condition", ["", "lenient", "leniant<0.5", "lenient<2", "lenient<x", "finding:lop", "a=b"]
)
def test_a_condition_that_cannot_be_read_is_refused_before_anything_runs(condition: str) -> None:
    with pytest.raises(UsageError, match="--fail-on"):
        Gate.parse([condition])
