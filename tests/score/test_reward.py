"""A reward is read as it stands; what was not graded has no score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.score.reward import AgentEnd, VerifierEnd, grade_reward

DONE = AgentEnd("completed", 40, 300)


@pytest.mark.parametrize(
    ("text", "score"), [("1", 1.0), ("0\n", 0.0), (" 0.25 ", 0.25), ("1e-1", 0.1)]
)
def test_a_number_from_0_to_1_is_the_score(text: str, score: float) -> None:
    found = grade_reward(DONE, VerifierEnd("completed", text))
    assert (found.status, found.score, found.in_denominator) == (GradeStatus.GRADED, score, True)


@pytest.mark.parametrize("text", ["NaN", "inf", "-1", "1.5", "", "pass", "1 0", "0x1", "1_0", "１"])
def test_anything_else_is_no_score_and_is_not_clamped(text: str) -> None:
    found = grade_reward(DONE, VerifierEnd("completed", text))
    assert (found.status, found.score) == (GradeStatus.SCORER_ERROR, None)
    assert not found.in_denominator


@pytest.mark.parametrize(
    ("agent", "verifier", "exception", "status"),
    [
        ("completed", "timeout", None, GradeStatus.VERIFIER_TIMEOUT),
        ("completed", "crashed", "no space left on device", GradeStatus.INFRA_ERROR),
        ("not_started", "not_started", "image pull failed", GradeStatus.INFRA_ERROR),
        ("crashed", "completed", "connection reset by the provider", GradeStatus.INFRA_ERROR),
        ("completed", "completed", None, GradeStatus.MISSING_ARTIFACT),
    ],
)
def test_what_graded_nothing_has_no_score(
    agent: str, verifier: str, exception: str | None, status: GradeStatus
) -> None:
    reward = "0" if agent == "crashed" else None
    found = grade_reward(AgentEnd(agent, 1, 300), VerifierEnd(verifier, reward), exception)
    assert (found.status, found.score) == (status, None)


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        (DONE, None),
        (AgentEnd("timeout", 300, 300), "agent_timeout"),
        (AgentEnd("timeout", 9, 300), None),
        (AgentEnd("loop_ended", 9, 300), "agent_gave_up"),
        (AgentEnd("crashed", 9, 300), "agent_error"),
    ],
)
def test_an_agent_that_did_not_finish_is_graded_as_it_stands(
    agent: AgentEnd, label: str | None
) -> None:
    found = grade_reward(agent, VerifierEnd("completed", "0"), "ValueError in step 3")
    assert (found.score, found.label) == (0.0, label)


@given(st.text(max_size=12))
def test_any_text_is_a_score_within_0_and_1_or_none(text: str) -> None:
    found = grade_reward(DONE, VerifierEnd("completed", text))
    assert found.score is None or 0 <= found.score <= 1
