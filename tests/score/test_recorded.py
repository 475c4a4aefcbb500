"""What a log recorded of the process counts where it cannot be checked again."""

from typing import Any

import pytest

from tests.score.trials import call, step, task_of, trial
from trajaudit.datamodel.imported import Origin
from trajaudit.score.driver import TrialScores, score_trial
from trajaudit.score.recorded import recorded_checks

TOOLS = [{"name": "cancel", "parameters": {"type": "object"}}]
GOLD = {"paths": [{"name": "gold", "calls": [{"cancel": {"id": "A"}}]}]}
DONE = trial(step(1, "", call("cancel", id="A"), saw=["ok"]), step(2, "It is done."))
OTHER = trial(step(1, "", call("cancel", id="B"), saw=["ok"]), step(2, "It is done."))


def origin(raw: bool | None = None, basis: tuple[str, ...] = (), **checks: bool | None) -> Origin:
    return Origin(source="x", format="f", raw=raw, checks=checks, basis=basis)


def scored(trajectory: Any, recorded: Origin, **accept: Any) -> TrialScores:
    scenario, task = task_of(accept={**GOLD, **accept}, tools=TOOLS)
    return score_trial(scenario, task, trajectory, recorded=recorded)


@pytest.mark.parametrize(
    ("recorded", "passed"),
    [
        (origin(db=True), True),
        (origin(db=True, env=False), False),
        (origin(db=True, env=False, basis=("db",)), True),
        (origin(db=True, action=False), True),
        (origin(env=True, action=False, basis=("env", "action")), False),
        (origin(env=True, action=True, basis=("env", "action")), True),
        (origin(db=None), None),
        (origin(action=True, basis=("action",)), None),
        (origin(communicate=False), None),
        (origin(db=True, basis=("communicate",)), None),
    ],
)
def test_checks_of_the_basis_count(recorded: Origin, passed: bool | None) -> None:
    found = recorded_checks(recorded, DONE)

    assert [one.passed for one in found] == ([] if passed is None else [passed, passed])


def test_a_world_that_is_here_is_looked_at_instead() -> None:
    assert recorded_checks(origin(db=True), DONE.model_copy(update={"world_end": {}})) == []


def test_a_database_that_matched_makes_an_unlisted_path_valid() -> None:
    scores = scored(OTHER, origin(raw=True, db=True))

    assert (scores.outcome.strict, scores.outcome.lenient) == (False, True)
    [finding] = [one for one in scores.findings if one.decided]
    assert (finding.kind.value, finding.fault.value) == ("alternate_valid_path", "reference")


def test_a_database_that_did_not_match_does_not_fail_a_path_that_was_followed() -> None:
    outcome = scored(DONE, origin(raw=False, db=False)).outcome

    assert (outcome.strict, outcome.lenient) == (False, True)


@pytest.mark.parametrize(
    ("told", "recorded", "fault"),
    [
        (["7"], origin(raw=False, db=True, communicate=False), "agent"),
        ([], origin(raw=False, db=True, nl_assertions=False), "evaluator"),
        (
            [],
            origin(raw=False, db=True, communicate=False, basis=("db", "communicate")),
            "evaluator",
        ),
    ],
)
def test_a_right_process_that_failed_for_another_criterion_is_told(
    told: list[str], recorded: Origin, fault: str
) -> None:
    found = scored(DONE, recorded, communicate=told).findings

    criterion = [one for one in found if one.kind.value == "right_process_wrong_criterion"]
    assert [one.fault.value for one in criterion] == [fault]


def test_a_check_outside_of_the_basis_explains_nothing() -> None:
    found = scored(DONE, origin(raw=False, db=True, nl_assertions=False, basis=("db",))).findings

    assert "right_process_wrong_criterion" not in {one.kind.value for one in found}


@pytest.mark.parametrize(
    ("did", "kind"),
    [(DONE, "invalid_arguments"), (trial(step(1, "It is done.")), "missing_call")],
)
def test_a_trial_that_only_the_logs_own_checks_fail_is_explained_by_them(
    did: Any, kind: str
) -> None:
    scenario, task = task_of(tools=TOOLS)
    scores = score_trial(scenario, task, did, recorded=origin(raw=False, env=False))

    assert scores.outcome.lenient is False
    [finding] = [one for one in scores.findings if one.decided]
    assert finding.kind.value == kind
    assert finding.reason == "the end state is wrong: the log's own checks failed: env"
