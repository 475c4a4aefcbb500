"""The outcome of a trial: strict and lenient side by side, and what was not graded."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.shop import LOOK, LOST, PATHS, REFUND, REFUNDED, shop, trial
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Fault, GradeStatus
from trajaudit.score import SCORERS, scoring_checksum
from trajaudit.score.driver import TrialScores, score_trial

STATE = [{"path": "$.orders.A-17.status", "equals": "refunded"}]


def score(trajectory: Trajectory, accept: dict[str, Any], **fields: object) -> TrialScores:
    scenario, task = shop(accept, **fields)
    return score_trial(scenario, task, trajectory)


def test_a_right_end_state_accepts_a_path_that_nobody_listed() -> None:
    scores = score(trial(REFUND, end=REFUNDED), {"state": STATE, "paths": PATHS})

    assert (scores.outcome.strict, scores.outcome.lenient) == (False, True)
    decided = [finding for finding in scores.findings if finding.decided]
    assert [(one.kind, one.fault) for one in decided] == [
        (FailureKind.ALTERNATE_VALID_PATH, Fault.REFERENCE)
    ]


def test_a_forbidden_call_fails_both_modes_whatever_the_end_state() -> None:
    steps = trial(LOOK, REFUND, ("delete_order", {}), end=REFUNDED)

    scores = score(steps, {"state": STATE, "paths": PATHS, "forbid": ["delete_order"]})

    assert (scores.outcome.strict, scores.outcome.lenient) == (False, False)
    assert scores.findings[0].kind is FailureKind.FORBIDDEN_ACTION
    assert scores.findings[0].decided


def test_failed_infrastructure_is_not_graded() -> None:
    broken = trial(LOOK).model_copy(update={"end_reason": "infra_error", "end_detail": "no image"})

    scores = score(broken, {"paths": PATHS})

    assert scores.outcome.status is GradeStatus.INFRA_ERROR
    assert scores.outcome.final is None
    assert scores.findings[0].kind is FailureKind.SANDBOX_FAILED


def test_a_declared_fault_that_did_not_fire_leaves_the_trial_open() -> None:
    faults = [{"tool": "refund_order", "call": 1, "fail": "timeout"}]

    missed = score(trial(LOOK, REFUND), {"paths": PATHS}, faults=faults)
    hit = trial(LOOK, REFUND).model_copy(update={"faults_hit": (0,)})

    assert missed.outcome.status is GradeStatus.FAULT_NOT_HIT
    assert missed.outcome.final is None
    assert score(hit, {"paths": PATHS}, faults=faults).outcome.final is True


def test_a_scorer_that_raises_is_a_failure_and_no_verdict() -> None:
    scenario, task = shop({"paths": PATHS})

    def broken(*_: object) -> list[object]:
        raise KeyError("x")

    scores = score_trial(scenario, task, trial(LOOK, REFUND), {"accepted_paths": broken})  # type: ignore[dict-item]

    assert scores.outcome.status is GradeStatus.SCORER_ERROR
    assert scores.outcome.final is None
    assert scores.failures[0].scorer == "accepted_paths"


@pytest.mark.parametrize(
    ("end", "wanted"),
    [(REFUNDED, (True, True)), (LOST, (False, False)), (None, (None, None))],
)
def test_the_golden_end_state_accepts_any_path(
    end: object, wanted: tuple[bool | None, bool | None]
) -> None:
    accept = {"golden_state": True, "golden_world": REFUNDED}
    steps = trial(REFUND).model_copy(update={"world_end": end})

    outcome = score(steps, accept).outcome

    assert (outcome.strict, outcome.lenient) == wanted


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(["get_order", "refund_order", "Refund-Order", "x.escalate", "nothing"])
TEXTS = st.text(max_size=30) | st.sampled_from(["", "{", '{"order_id": "A-17', "[[[[", "null"])


@given(st.lists(st.tuples(NAMES, JSON | TEXTS), max_size=4), JSON)
@settings(max_examples=200, deadline=None)
def test_nothing_makes_a_scorer_raise_and_strict_implies_lenient(
    steps: list[tuple[str, object]], end: object
) -> None:
    steps = [(name.replace("\x00", ""), arguments) for name, arguments in steps]
    trajectory = trial(*steps).model_copy(update={"world_end": end})

    scores = score(trajectory, {"state": STATE, "paths": PATHS, "forbid": ["delete_order"]})

    assert scores.failures == ()
    assert scores.outcome.strict is not True or scores.outcome.lenient is True
    by_key = {(v.scorer, v.mode): v.passed for v in scores.verdicts}
    wrong = [s for s in SCORERS if by_key.get((s, "strict")) and not by_key.get((s, "lenient"))]
    assert wrong == []
    for made in (*scores.verdicts, *scores.findings, scores.outcome):
        assert type(made).model_validate(dict(made), strict=True) == made


def test_the_checksum_covers_the_sources() -> None:
    assert len(scoring_checksum()) == 64
    assert scoring_checksum() == scoring_checksum()
