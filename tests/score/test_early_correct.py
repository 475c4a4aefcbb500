"""What was right and got lost is found; what was only mentioned is not."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.trials import call, step, task_of, trial
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.trajectory import Trajectory, WorldChange
from trajaudit.datamodel.verdict import Fault, Verdict
from trajaudit.score.accepted_paths import accepted_paths
from trajaudit.score.driver import score_trial
from trajaudit.score.early_correct import early_correct
from trajaudit.score.path_moment import path_moments

SEATS: dict[str, Any] = {
    "prompt": "12 rows of 30 seats, 45 are sold. How many are free?",
    "target": {"number": 315},
}


def verdict_of(made: Trajectory, **fields: Any) -> Verdict | None:
    scenario, task = task_of(**(fields or SEATS))
    verdicts = early_correct(scenario, task, made)
    return verdicts[1] if verdicts else None


def loss(made: Trajectory, **fields: Any) -> tuple[object, ...] | None:
    """(first, last, lost at, cause) of what was lost; None where nothing was."""
    found = verdict_of(made, **fields)
    if found is None or found.passed:
        return None
    keys = ("first_correct_step", "last_correct_step", "lost_at_step", "cause")
    return tuple(found.detail[key] for key in keys)


LOOK = call("look")


def test_a_right_answer_that_another_replaces_is_lost_where_it_is_replaced() -> None:
    made = trial(
        step(1, "The answer is 315.", LOOK, saw=["ok"]),
        step(2, "I check once more.", LOOK, saw=["ok"]),
        step(3, "The answer is 305."),
    )
    assert loss(made) == (1, 1, 3, "overwritten")
    found = verdict_of(made)
    assert found is not None
    assert [(e.step, e.quote[:3]) for e in found.evidence] == [(1, "315"), (3, "305")]
    assert found.label == "early_correct_late_fail"


def test_the_agent_that_denies_its_own_right_answer_retracts_it() -> None:
    made = trial(
        step(1, "The answer is 315."),
        step(2, "The answer is 315. Wait, that is wrong. I take that back."),
    )
    found = verdict_of(made)
    assert found is not None
    assert found.detail["cause"] == "retracted"
    assert found.label == "retracted"


def test_a_right_answer_that_the_final_reply_leaves_out_never_got_there() -> None:
    made = trial(step(1, "The answer is 315.", LOOK, saw=["ok"]), step(2, "I am done."))
    assert loss(made) == (1, 1, 2, "never_in_final_reply")


def test_a_limit_that_cuts_the_trial_is_the_harness_s_fault() -> None:
    made = trial(
        step(1, "The answer is 315.", LOOK, saw=["ok"]),
        step(2, "Let me", LOOK),
        final_reply=None,
        end_reason="step_limit",
    )
    found = verdict_of(made)
    assert found is not None
    assert (found.detail["cause"], found.fault) == ("truncated", Fault.HARNESS)


def test_an_answer_given_up_after_a_tool_failed_names_the_tool_error() -> None:
    made = trial(
        step(1, "The answer is 315.", LOOK, saw=["boom"], error=True),
        step(2, "The tool failed, I have nothing to say."),
    )
    assert loss(made) == (1, 1, 2, "tool_error")


def test_an_answer_that_was_never_submitted_counts_as_lost() -> None:
    target = {"number": 315, "requires_submit": True}
    made = trial(step(1, "The answer is 315."))
    assert loss(made, prompt="How many?", target=target) == (1, 1, 1, "never_in_final_reply")


def test_what_is_no_conclusion_does_not_count() -> None:
    wrong = "The answer is 305."
    for said in (
        "12 * 30 - 45 = 315, next I look at the rest.",
        "The answer to part 1 is 315.",
        "I do not think that the answer is 315.",
        'The page says "The answer is 315".',
        "Is the answer 315?",
        "The answer is either 315 or 325.",
        "The answer is not 315.",
        "<think>The answer is 315.</think> Let me see.",
        "1. Look\n315. Compare\n",
    ):
        made = trial(step(1, said, LOOK, saw=["The answer is 315."]), step(2, wrong))
        assert loss(made) is None, said


def test_thoughts_and_tool_replies_are_not_the_agent_s_answer() -> None:
    first = step(1, "I look.", LOOK, saw=["315"])
    thought = first.message.model_copy(update={"reasoning": "The answer is 315."})
    made = trial(first.model_copy(update={"message": thought}), step(2, "The answer is 305."))
    assert loss(made) is None


def test_two_parts_of_one_answer_do_not_replace_each_other() -> None:
    text = r"It takes $\boxed{5}$ hours and $\boxed{20}$ minutes."
    made = trial(step(1, text))
    assert loss(made, prompt="How many hours?", target={"number": 5}) is None


def test_nothing_is_said_of_a_trial_that_did_not_fail() -> None:
    made = trial(step(1, "The answer is 305."), step(2, "The answer is 315."))
    assert verdict_of(made) is None


REFUND: dict[str, Any] = {
    "prompt": "Refund order A.",
    "accept": {"state": [{"path": "$.A.status", "equals": "refunded"}]},
}


def world(*values: str, start: str = "lost") -> dict[str, Any]:
    """A world in which the status of order A takes these values, one a step."""
    changes = [
        WorldChange(step=number, patch=({"op": "replace", "path": "/A/status", "value": value},))
        for number, value in enumerate(values, start=1)
    ]
    return {
        "world_start": {"A": {"status": start}},
        "world_end": {"A": {"status": values[-1] if values else start}},
        "world_changes": tuple(changes),
    }


def test_a_state_that_a_call_undoes_is_lost_at_that_call() -> None:
    made = trial(
        step(1, "", call("refund", "r1")),
        step(2, "", call("cancel", "r2")),
        step(3, "Done."),
        **world("refunded", "cancelled"),
    )
    assert loss(made, **REFUND) == (1, 1, 2, "undone_by_call")
    found = verdict_of(made, **REFUND)
    assert found is not None
    assert found.evidence[1].call_id == "r2"


def test_a_world_that_was_right_from_the_start_is_lost_at_the_first_change() -> None:
    made = trial(step(1, "", call("cancel")), **world("cancelled", start="refunded"))
    assert loss(made, **REFUND) == (0, 0, 1, "undone_by_call")


def test_a_golden_end_state_is_looked_for_at_every_change() -> None:
    accept = {"golden_state": True, "golden_world": {"A": {"status": "refunded"}}}
    made = trial(step(1, ""), step(2, ""), **world("refunded", "open"))
    assert loss(made, prompt="x", accept=accept) == (1, 1, 2, "undone_by_call")


def test_a_patch_that_does_not_fit_leaves_the_state_unknown() -> None:
    broken = WorldChange(step=1, patch=({"op": "remove", "path": "/nowhere/at"},))
    made = trial(step(1, ""), **{**world("open"), "world_changes": (broken,)})
    assert loss(made, **REFUND) is None


def test_the_finding_decides_and_names_both_steps() -> None:
    scenario, task = task_of(**SEATS)
    made = trial(step(1, "The answer is 315."), step(2, "The answer is 305."))
    first, *_ = score_trial(scenario, task, made).findings
    assert (first.kind, first.steps) == (FailureKind.EARLY_CORRECT_LATE_FAIL, (1, 2))
    assert first.decided


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=4), st.none() | st.text(max_size=20))
def test_any_text_is_read_and_read_alike(said: list[str], final: str | None) -> None:
    made = trial(*(step(n, text) for n, text in enumerate(said, 1)), final_reply=final)
    assert verdict_of(made) == verdict_of(made)


SLOTS: dict[str, Any] = {
    "tools": [{"name": "book"}, {"name": "look", "effect": "read"}, {"name": "wipe"}],
    "accept": {"paths": [{"name": "book once", "calls": ["book"]}]},
}


def test_a_path_that_was_complete_is_lost_at_the_call_that_belongs_to_none() -> None:
    made = trial(
        step(1, "", LOOK, saw=["ok"]),
        step(2, "", call("book"), saw=["ok"]),
        step(3, "", LOOK, saw=["ok"]),
        step(4, "", LOOK, call("wipe"), saw=["ok", "ok"]),
        step(5, "done"),
    )

    assert loss(made, **SLOTS) == (2, 3, 4, "spoiled_by_call")
    found = verdict_of(made, **SLOTS)
    assert found is not None
    assert found.label == "early_correct_late_fail"
    assert [(e.step, e.quote) for e in found.evidence] == [
        (3, "follows path 'book once'"),
        (4, "wipe {}"),
    ]


def test_a_path_that_was_never_complete_or_whose_end_is_missing_is_not_lost() -> None:
    never = trial(step(1, "", call("wipe"), saw=["ok"]), step(2, "done"))
    failed = trial(step(1, "", call("book"), saw=["full"], error=True), step(2, "done"))

    assert loss(never, **SLOTS) is None
    assert loss(failed, **SLOTS) is None


def test_a_path_is_not_looked_at_where_the_state_of_the_world_is_asked() -> None:
    accept = {**SLOTS["accept"], "state": [{"path": "$.x", "equals": 2}]}
    made = trial(
        step(1, "", call("book"), saw=["ok"]),
        step(2, "", call("wipe"), saw=["ok"]),
        step(3, "done"),
        world_start={"x": 1},
        world_end={"x": 1},
    )

    assert loss(made, **{**SLOTS, "accept": accept, "world": {"x": 1}}) is None


@given(st.lists(st.sampled_from(["book", "look", "wipe", "buk"]), min_size=1, max_size=7))
@settings(max_examples=60)
def test_what_is_plain_without_matching_is_what_matching_says(names: list[str]) -> None:
    scenario, task = task_of(**SLOTS)
    made = trial(*(step(n, "", call(name), saw=["ok"]) for n, name in enumerate(names, start=1)))

    states = [moment.state for moment in path_moments(scenario, task, made)]

    for kept, state in enumerate(states, start=1):
        prefix = made.model_copy(update={"steps": made.steps[:kept]})
        lenient = accepted_paths(scenario, task, prefix)[1]
        assert (state == "right") is lenient.passed
