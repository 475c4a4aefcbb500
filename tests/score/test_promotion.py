"""The path of a trial: what was done stays, looking around is left free, ids are kept exactly."""

from typing import Any

import pytest
from pydantic import JsonValue

from tests.score.shop import LOOK, PATHS, REFUND, REFUNDED, Call, shop, trial
from trajaudit.datamodel.accept import AcceptedPath
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.accepted_paths import accepted_paths
from trajaudit.score.promotion import NoPathError, Promotion, promoted_path

ESCALATE: Call = ("escalate", {"reason": "the parcel never came"})


def promoted(made: Trajectory, **accept: Any) -> Promotion:
    """The path of a trial, which has to accept it."""
    scenario, task = shop({"paths": PATHS, **accept})
    assert task.accept is not None
    found = promoted_path(scenario, task, made, task.accept)
    path = AcceptedPath.model_validate({"name": "new", **found.path})
    known = task.model_copy(update={"accept": task.accept.model_copy(update={"paths": (path,)})})
    assert any(v.passed for v in accepted_paths(scenario, known, made) if v.mode == "lenient")
    return found


def calls(made: Promotion) -> JsonValue:
    return made.path["calls"]


def test_reading_is_left_out_where_it_is_free_anyway() -> None:
    found = promoted(trial(LOOK, REFUND, LOOK))

    assert calls(found) == [{"refund_order": {"order_id": "A-17", "amount": 42.5}}]
    assert found.notes == ["left out, free anyway: get_order"]
    assert "before" not in found.path


def test_reading_is_optional_where_nothing_else_may_be_called() -> None:
    found = promoted(trial(LOOK, LOOK, REFUND), extra_calls="none")

    assert calls(found) == [
        {"get_order": {"order_id": "A-17"}, "optional": True, "repeat": True},
        {"refund_order": {"order_id": "A-17", "amount": 42.5}},
    ]


def test_a_trial_that_only_looked_has_to_look() -> None:
    assert calls(promoted(trial(LOOK, LOOK))) == [{"get_order": {"order_id": "A-17"}}]


def test_what_was_written_comes_in_the_order_of_the_steps() -> None:
    found = promoted(trial([REFUND, ESCALATE], ("delete_order", {}), REFUND))

    assert found.path["before"] == [
        ["refund_order-1", "delete_order"],
        ["escalate", "delete_order"],
        ["delete_order", "refund_order-2"],
    ]


def test_a_call_that_failed_is_no_part_of_it() -> None:
    found = promoted(trial(ESCALATE, REFUND, errors={1: "nobody there"}))

    assert calls(found) == [{"refund_order": {"order_id": "A-17", "amount": 42.5}}]


def test_a_value_in_another_form_is_listed_as_it_was_meant() -> None:
    text = '{"order_id": "A-17", "amount": "42.50"}'
    found = promoted(trial(("refund_order", text)))

    assert calls(found) == [{"refund_order": {"order_id": "A-17", "amount": 42.5}}]


def test_words_of_the_agents_own_may_be_others_and_words_of_the_task_may_not() -> None:
    own = promoted(trial(ESCALATE))
    told = promoted(trial(("escalate", {"reason": "refund A-17"})))

    assert calls(own) == [{"escalate": {"reason": {"any": True}}}]
    assert own.notes == ["escalate: reason is free text; any is accepted"]
    assert calls(told) == [{"escalate": {"reason": "refund A-17"}}]


def test_a_large_id_and_a_value_that_looks_like_a_matcher_stay_what_they_are() -> None:
    found = promoted(trial(("delete_order", {"id": 2**60 + 1, "how": {"any": True}})))

    assert calls(found) == [{"delete_order": {"id": 2**60 + 1, "how": {"exact": {"any": True}}}}]


def test_a_trial_without_a_call_that_worked_has_no_path() -> None:
    scenario, task = shop({"paths": PATHS})
    assert task.accept is not None

    with pytest.raises(NoPathError, match="no call of the trial succeeded"):
        promoted_path(scenario, task, trial(LOOK, errors={1: "down"}, end=REFUNDED), task.accept)
