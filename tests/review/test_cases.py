"""Where people and rules differ, the least of the trial that still shows it becomes a case."""

import json
from typing import Any

import pytest

from tests.cases.replayed import replayed
from tests.review.made import review
from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.review import HumanDecision, ItemState
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import Message, Step, ToolCall, Trajectory
from trajaudit.review.case_replay import replay
from trajaudit.review.case_shape import form_of, shape
from trajaudit.review.cases import Case, Settled, case_of, grouped
from trajaudit.score.driver import score_trial

ITEM = "c" * 64
REFUND = ToolSpec(name="refund_order", parameters={"type": "object"})


def settled(
    reply: str,
    passed: bool | None,
    *,
    calls: tuple[str, ...] = (),
    task: dict[str, Any] | None = None,
) -> Settled:
    """A trial that said many words, as the rules score it, with what people said."""
    made = Task.model_validate(
        {"id": "seats", "prompt": "How many seats?", "target": {"number": 315}, **(task or {})}
    )
    scenario = Scenario(trajaudit=1, tools=(REFUND, ToolSpec(name="escalate")), tasks=(made,))
    trajectory = tried(reply, calls)
    scores = score_trial(scenario, made, trajectory)
    return Settled(
        run_id="r1",
        task=made,
        scenario=scenario,
        trajectory=trajectory,
        outcome=scores.outcome.model_copy(update={"human": passed, "final": passed}),
        verdicts=scores.verdicts,
        decision=HumanDecision(
            task_id="seats", trial=2, passed=passed, state=ItemState.AGREED, item_id=ITEM
        ),
        reviews=[review("Ana", reason="360 less 45"), review("Bo", reason="360 less 45")],
    )


def tried(reply: str, calls: tuple[str, ...]) -> Trajectory:
    steps = [
        Step(
            number=at,
            message=Message(role="assistant", content="Let me think about that."),
            tool_calls=(ToolCall(call_id=str(at), tool=tool, arguments_text="{}", arguments={}),),
        )
        for at, tool in enumerate(calls, 1)
    ]
    last = len(steps) + 1
    return Trajectory(
        task_id="seats",
        trial=2,
        agent="careful bot",
        model_id="openai/gpt-9-mini",
        steps=(*steps, Step(number=last, message=Message(role="assistant", content=reply))),
        final_reply=reply,
        final_step=last,
    )


def case(one: Settled) -> Case:
    found = case_of(one)
    assert found is not None
    return found


def test_a_reply_alone_is_the_case_where_it_is_enough() -> None:
    found = case(settled("About 300 are free.", True))

    assert (found.sort, found.mode, found.scorer) == ("false_denial", "lenient", "final_answer")
    assert (found.why, found.form, found.reproduces) == ("360 less 45", "9 for 9", True)
    line = json.loads(json.dumps(found.case))
    assert line["op"] == "final_answer"
    assert line["id"] == f"rev-{ITEM[:12]}-2"
    assert line["input"] == {
        "question": "How many seats?",
        "response": "About 300 are free.",
        "target": {"number": "315"},
        "options": {},
    }
    assert line["expected"] == {"verdict": "correct", "accept": ["correct"]}
    assert "careful bot" not in json.dumps(line)


def test_a_false_credit_is_a_case_that_the_rules_of_today_get_wrong() -> None:
    found = case(settled("315 seats", False))

    assert found.sort == "false_credit"
    outcome = replayed(found.case["input"], found.case["expected"])
    assert (outcome.accepted, outcome.false_credit) == (False, True)


def test_what_only_the_strict_reading_denies_is_of_mode_strict() -> None:
    found = case(settled("There are 315 free seats.", True))

    assert (found.sort, found.mode) == ("false_denial", "strict")
    assert found.case["expected"]["mode"] == "strict"
    assert replayed(found.case["input"], found.case["expected"]).accepted is False


def test_calls_are_kept_without_words_where_the_path_decides() -> None:
    accept = {"paths": [{"name": "refund", "calls": ["refund_order"]}], "extra_calls": "none"}
    task = {"target": None, "accept": accept}

    found = case(settled("Done.", True, calls=("escalate",), task=task))

    assert (found.scorer, found.reproduces) == ("accepted_paths", True)
    assert found.case["op"] == "score_trial"
    trajectory = found.case["input"]["trajectory"]
    assert [call["tool"] for step in trajectory["steps"] for call in step["tool_calls"]] == [
        "escalate"
    ]
    assert "Let me think" not in json.dumps(found.case)
    again = replay(json.loads(json.dumps(found.case["input"])))
    assert (again.strict, again.lenient) == (False, False)


def test_what_no_rule_could_read_is_a_case_too() -> None:
    found = case(settled("315 or 316", False))

    assert (found.sort, found.scorer) == ("unread", "final_answer")
    assert replay(found.case["input"]).lenient is None


def test_what_rests_on_more_than_a_case_holds_says_so() -> None:
    one = settled("300", True)
    imported = one.outcome.model_copy(update={"strict": True, "lenient": None})

    found = case(Settled(**{**vars(one), "outcome": imported}))

    assert (found.reproduces, found.case["reproduces"]) == (False, False)


@pytest.mark.parametrize(("reply", "passed"), [("315", True), ("300", False), ("300", None)])
def test_where_people_agree_or_do_not_say_there_is_no_case(reply: str, passed: bool | None) -> None:
    assert case_of(settled(reply, passed)) is None


def test_cases_of_one_cause_stand_together_false_credit_first() -> None:
    several = [
        case(settled(reply, passed))
        for reply, passed in [("300", True), ("290", True), ("315", False), ("none", True)]
    ]

    groups = grouped(several)

    assert [(one.sort, len(one.cases)) for one in groups] == [
        ("false_credit", 1),
        ("false_denial", 2),
        ("false_denial", 1),
    ]
    assert groups[1].form == "9 for 9"
    assert sum(len(one.cases) for one in groups) == 4


def test_a_reason_has_the_shape_of_others_like_it() -> None:
    assert shape("'Paris' is not 'Rome'") == shape("'Oslo' is not 'Bern'") == "'…' is not '…'"
    assert shape("11 is not 7.5") == "N is not N"
    assert shape('not done: pay {"a": [1, {"b": "x"}]}; no') == "not done: pay …; no"
    assert shape('cut: pay {"a": [1, {"b') == "cut: pay …"
    assert len(shape("word " * 100)) == 90


def test_an_answer_has_a_form() -> None:
    forms = {one: form_of(one) for one in ("$46.00", "three hundred", "a b c d", "", "x" * 99)}

    assert forms == {
        "$46.00": "$9.9",
        "three hundred": "a a",
        "a b c d": "a …",
        "": "empty",
        "x" * 99: "a",
    }
    assert form_of(None) == "nothing"


def test_an_accept_of_the_scenario_goes_along() -> None:
    one = settled("315", False)
    scenario = one.scenario.model_copy(update={"accept": Accept(forbid=("escalate",))})

    found = case(Settled(**{**vars(one), "scenario": scenario}))

    assert found.case["op"] == "score_trial"
    assert found.case["input"]["scenario"]["accept"] == {"forbid": [{"tool": "escalate"}]}
