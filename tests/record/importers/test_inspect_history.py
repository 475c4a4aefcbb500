"""What of a model's input is new: replies are told once, whoever repeats them."""

from pathlib import Path
from typing import Any

import pytest

from tests.record.importers import inspect_logs as logs
from tests.record.importers.test_inspect import imported, trajectory_of
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.record.importers.inspect_history import History

ASK = {"id": "u1", "role": "user", "content": "What is the total?", "source": "input"}
ON = {"id": "u2", "role": "user", "content": "Go on."}


def _says(message_id: str, text: str = "I think.") -> dict[str, Any]:
    return {"id": message_id, "role": "assistant", "content": text}


def _told(trajectory: Trajectory) -> list[str]:
    return [
        text
        for step in trajectory.steps
        for text in [*(one.content for one in step.before), step.message.content]
    ]


def test_a_reply_that_says_the_same_again_is_told_as_often_as_it_was_said(tmp_path: Path) -> None:
    # The pool holds messages that say the same once, under the id of the first.
    pool = {"messages": [ASK, _says("a1"), ON], "calls": []}
    events = [
        logs.model_event([[0, 1]], _says("a1"), 1),
        logs.model_event([[0, 3]], _says("a2"), 2),
        logs.model_event([[0, 3], [1, 3]], _says("a3", "It is 12."), 3),
    ]

    trajectory = trajectory_of(imported(tmp_path, events=events, events_data=pool))

    asked = ["What is the total?"]
    assert _told(trajectory) == [*asked, "I think.", "Go on.", "I think.", "Go on.", "It is 12."]


def test_whole_inputs_tell_the_same_as_ranges_of_a_pool(tmp_path: Path) -> None:
    inputs = [
        [ASK],
        [ASK, _says("a1"), ON],
        [ASK, _says("a1"), ON, _says("a2"), {**ON, "id": "u3"}],
    ]
    replies = [_says("a1"), _says("a2"), _says("a3", "It is 12.")]
    events = []
    for second, (given, reply) in enumerate(zip(inputs, replies, strict=True)):
        event = logs.model_event([], reply, second)
        del event["input_refs"]
        events.append({**event, "input": given})

    trajectory = trajectory_of(imported(tmp_path, events=events, events_data=None))

    assert _told(trajectory)[1:] == ["I think.", "Go on.", "I think.", "Go on.", "It is 12."]


def test_what_an_agent_said_before_it_handed_back_is_told_once(tmp_path: Path) -> None:
    asks = {**_says("a1", ""), "tool_calls": [logs.call("c1", 1)]}
    clerk = _says("b1", "The clerk finds 12.")
    named = {**clerk, "content": "[clerk] The clerk finds 12."}
    result = {"id": "t1", "role": "tool", "content": "Handed over.", "tool_call_id": "c1"}
    pool = {"messages": [ASK, asks, result, named, ON], "calls": []}
    events = [
        logs.span("agent", "agent"),
        logs.model_event([[0, 1]], asks, 1),
        logs.tool_event(span_id="agent", result="Handed over."),
        logs.span("agent", "clerk", "agent"),
        logs.model_event([[0, 3]], clerk, 2) | {"span_id": "clerk"},
        logs.model_event([[0, 5]], _says("a2", "It is 12."), 3),
    ]

    trajectory = trajectory_of(imported(tmp_path, events=events, events_data=pool))

    assert _told(trajectory)[2:] == ["The clerk finds 12.", "Go on.", "It is 12."]
    assert len(trajectory.steps) == 3


def test_a_loop_that_says_few_things_often_is_read(tmp_path: Path) -> None:
    pool = {"messages": [ASK, _says("a1"), ON], "calls": []}
    events = [
        logs.model_event([[0, 1], *[[1, 3]] * turn], _says(f"a{turn}"), turn % 60)
        for turn in range(60)
    ]

    assert len(trajectory_of(imported(tmp_path, events=events, events_data=pool)).steps) == 60


def test_inputs_that_name_more_messages_than_anybody_sent_are_refused() -> None:
    history = History([ASK])

    with pytest.raises(ValueError, match="input_refs name"):
        history.new({"input_refs": [[0, 1]] * 200_000})
    large = [[0, 1]] * 90_000
    for span in range(55):
        history.new({"span_id": str(span), "input_refs": large})
    with pytest.raises(ValueError, match="in all"):
        history.new({"span_id": "56", "input_refs": large})


@pytest.mark.parametrize("legacy", [False, True])
def test_an_error_that_stands_behind_the_scorer_that_raised_it_is_the_scorers(
    tmp_path: Path, legacy: bool
) -> None:
    begins = {"event": "step", "action": "begin", "type": "scorer", "name": "match"}
    scoring: list[dict[str, Any]] = [
        logs.span("scorers", "judging"),
        {"event": "span_end", "id": "judging"},
    ]
    raised = {"event": "error", "error": {"message": "no such file"}}
    events = [*logs.sample()["events"][:6], *([begins] if legacy else scoring), raised]

    trial = imported(tmp_path, events=events, error={"message": "no such file"}, scores={})

    assert trajectory_of(trial).end_reason == "replied"
    assert trial.origin.raw_detail == "grading failed: no such file"


def test_an_error_after_an_answer_was_scored_and_the_agent_went_on_is_no_scorers(
    tmp_path: Path,
) -> None:
    scoring = [logs.span("scorer", "judging", "agent"), {"event": "span_end", "id": "judging"}]
    raised = {"event": "error", "error": {"message": "docker: gone"}}
    first, *rest = logs.sample()["events"][1:6]

    trial = imported(
        tmp_path, events=[first, *scoring, *rest, raised], error={"message": "docker: gone"}
    )

    assert trajectory_of(trial).end_reason == "infra_error"


def test_a_call_that_failed_leaves_no_step(tmp_path: Path) -> None:
    failed = logs.model_event([[0, 2]], _says("a1", ""), 1) | {"error": "the provider broke"}

    trial = imported(tmp_path, events=[failed], error={"message": "the provider broke"}, output={})

    assert trajectory_of(trial).steps == ()
