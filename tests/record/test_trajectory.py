"""Any list of events is a trajectory, and each event finds its step."""

import gc
import weakref
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.event import (
    End,
    EndReason,
    Event,
    FaultEvent,
    MessageEvent,
    ModelCall,
    Note,
    ObservationEvent,
    RequestedCall,
    Start,
    StateEvent,
    Submit,
    ToolCallEvent,
    Usage,
    Warning_,
)
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory
from trajaudit.record.trajectory import read_trajectory

START = Start(run_id="r", task_id="t", trial=2, agent="a", model_id="m", prompt="p")
TASK = MessageEvent(role="user", content="p", source="task")


def _numbered(events: Iterable[Event]) -> list[Event]:
    return [event.model_copy(update={"seq": n}) for n, event in enumerate(events, start=1)]


def _read(*events: Event) -> Trajectory:
    return read_trajectory(_numbered(events))


def _says(content: str, *calls: str, **fields: Any) -> MessageEvent:
    requests = tuple(
        RequestedCall(call_id=c, tool="look", arguments_text='{"a": 1}') for c in calls
    )
    return MessageEvent(
        role="assistant", content=content, source="model", tool_calls=requests, **fields
    )


def _calls(call_id: str, **fields: Any) -> ToolCallEvent:
    return ToolCallEvent(
        call_id=call_id,
        tool="look",
        arguments_text='{"a":1}',
        arguments={"a": 1},
        via="mcp",
        **fields,
    )


def _sees(call_id: str, call: int, content: str = "seen") -> ObservationEvent:
    return ObservationEvent(call_id=call_id, call=call, tool="look", content=content)


def test_a_whole_trial_becomes_steps_and_a_final_reply() -> None:
    trajectory = _read(
        START,
        TASK,
        ModelCall(model_id="m", usage=Usage(prompt_tokens=3), finish_reason="tool_calls"),
        _says("", "c1", model_call=3),
        _calls("c1", requested=4),
        _sees("c1", 5),
        _says("42", finish_reason="stop"),
        End(reason="replied"),
    )

    look = ToolCall(call_id="c1", tool="look", arguments_text='{"a":1}', arguments={"a": 1}, seq=5)
    assert trajectory == Trajectory(
        task_id="t",
        trial=2,
        agent="a",
        model_id="m",
        steps=(
            Step(
                number=1,
                before=(Message(role="user", content="p", source="task", seq=2),),
                message=Message(role="assistant", content="", source="model", seq=4),
                tool_calls=(look,),
                observations=(Observation(call_id="c1", tool="look", content="seen", seq=6),),
                finish_reason="tool_calls",
                usage=Usage(prompt_tokens=3),
            ),
            Step(
                number=2,
                message=Message(role="assistant", content="42", source="model", seq=7),
                finish_reason="stop",
            ),
        ),
        final_reply="42",
        final_seq=7,
        final_step=2,
        finish_reason="stop",
    )


def test_observations_follow_their_calls_and_not_their_order() -> None:
    trajectory = _read(
        _says("", "x", "y"),
        _says("", "z"),
        _calls("y", requested=1),
        _sees("y", 3, "of y"),
        _calls("x", requested=1),
        _sees("x", 5, "of x"),
    )

    first, second = trajectory.steps
    assert [call.call_id for call in first.tool_calls] == ["x", "y"]
    assert [seen.content for seen in first.observations] == ["of y", "of x"]
    assert [(call.call_id, call.executed) for call in second.tool_calls] == [("z", False)]


def test_a_request_with_broken_arguments_keeps_its_text_and_its_fault() -> None:
    request = RequestedCall(call_id="c", tool="look", arguments_text='{"a": ')
    trajectory = _read(
        MessageEvent(role="assistant", content="", source="model", tool_calls=(request,))
    )

    (call,) = trajectory.steps[0].tool_calls
    assert (call.executed, call.arguments_text, call.arguments) == (False, '{"a": ', None)
    assert call.parse_error is not None
    assert call.parse_error.startswith("not JSON")


def test_what_the_model_wrote_stays_beside_what_its_framework_sent() -> None:
    trajectory = _read(_says("", "c"), _calls("c", requested=1, differs=("a: 2 became 1",)))

    (call,) = trajectory.steps[0].tool_calls
    assert (call.requested_text, call.differs) == ('{"a": 1}', ("a: 2 became 1",))


def test_calls_that_nobody_requested_go_to_the_nearest_step() -> None:
    trajectory = _read(_calls("early"), _says("thinking"), _calls("late"), _sees("late", 99))

    assert [[call.call_id for call in step.tool_calls] for step in trajectory.steps] == [
        ["early"],
        ["late"],
    ]
    assert trajectory.steps[1].observations[0].call_id == "late"


def test_users_rewrites_notes_world_faults_and_warnings_are_kept() -> None:
    trajectory = _read(
        StateEvent(what="start", value={"n": 0}),
        _says("which one?", "c"),
        _calls("c", requested=2),
        FaultEvent(index=1, tool="look", fail="timeout", call=3),
        StateEvent(what="patch", patch=({"op": "replace", "path": "/n", "value": 1},), call=3),
        Note(content="a remark"),
        MessageEvent(role="user", content="summary", source="agent", rewrites=2),
        _says("done"),
        MessageEvent(role="user", content="thanks", source="user"),
        Warning_(code="odd", text="something"),
        StateEvent(what="end", value={"n": 1}),
        End(reason="replied"),
    )

    assert (trajectory.world_start, trajectory.world_end) == ({"n": 0}, {"n": 1})
    assert [(change.step, change.seq) for change in trajectory.world_changes] == [(1, 5)]
    assert trajectory.faults_hit == (1,)
    assert trajectory.notes == trajectory.steps[0].notes == ("a remark",)
    assert trajectory.warnings == ("odd: something",)
    assert trajectory.steps[1].before[0].rewrites == 2
    assert [message.content for message in trajectory.after] == ["thanks"]
    assert trajectory.final_reply == "done"


@pytest.mark.parametrize(
    ("events", "reply"),
    [
        ([_says("a"), Submit(content="b"), Submit(content="c"), End(reason="replied")], "c"),
        ([_says("a"), _says("", "x"), End(reason="replied")], "a"),
        ([_says("a"), _says("", "x"), End(reason="step_limit")], None),
        ([_says("a"), End(reason="time_limit")], "a"),
        (
            [
                _says("a"),
                MessageEvent(role="user", content="go on", source="user"),
                _says("", "x"),
                End(reason="step_limit"),
            ],
            "a",
        ),
        ([End(reason="agent_error")], None),
    ],
)
def test_the_final_reply_is_what_went_to_the_user(events: list[Event], reply: str | None) -> None:
    trajectory = _read(*events)

    assert trajectory.final_reply == reply
    assert trajectory.submitted == (reply == "c")


def test_a_journal_without_an_end_is_an_infrastructure_error_and_the_first_end_stands() -> None:
    reasons: tuple[EndReason, EndReason] = ("step_limit", "replied")

    assert _read(START).end_reason == "infra_error"
    assert _read(*(End(reason=reason) for reason in reasons)).end_reason == "step_limit"


IDS = st.sampled_from(["a", "b", ""])
SEQS = st.one_of(st.none(), st.integers(-1, 12))
SOME_EVENTS = st.one_of(
    st.builds(
        MessageEvent,
        role=st.sampled_from(["system", "user", "assistant", "tool"]),
        content=st.text(max_size=5),
        source=st.sampled_from(["task", "model", "agent", "user", "harness"]),
        tool_calls=st.lists(
            st.builds(RequestedCall, call_id=IDS, tool=IDS, arguments_text=st.text(max_size=5)),
            max_size=3,
        ).map(tuple),
        model_call=SEQS,
        rewrites=SEQS,
    ),
    st.builds(
        ToolCallEvent,
        call_id=IDS,
        tool=IDS,
        arguments_text=st.text(max_size=5),
        via=st.just("mcp"),
        requested=SEQS,
        differs=st.just(()) | st.just(("x",)),
    ),
    st.builds(ObservationEvent, call_id=IDS, call=st.integers(-1, 12), tool=IDS, content=IDS),
    st.builds(StateEvent, what=st.sampled_from(["start", "patch", "end"]), call=SEQS),
    st.builds(Note, content=IDS),
    st.builds(Submit, content=IDS),
    st.builds(End, reason=st.sampled_from(["replied", "time_limit"])),
    st.just(START),
)


@given(st.lists(SOME_EVENTS, max_size=15), st.booleans())
def test_any_events_make_a_trajectory_that_holds_each_call_once(
    events: list[Event], numbered: bool
) -> None:
    trajectory = read_trajectory(_numbered(events) if numbered else events)

    executed = [call for step in trajectory.steps for call in step.tool_calls if call.executed]
    observed = [seen for step in trajectory.steps for seen in step.observations]
    assert len(executed) == sum(isinstance(event, ToolCallEvent) for event in events)
    assert len(observed) == sum(isinstance(event, ObservationEvent) for event in events)
    assert [step.number for step in trajectory.steps] == list(range(1, len(trajectory.steps) + 1))
    # Nothing in it was checked when it was made.
    assert trajectory.model_dump_json() == _checked(trajectory).model_dump_json()


def _checked(trajectory: Trajectory) -> Trajectory:
    return Trajectory.model_validate(trajectory.model_dump())


@pytest.mark.parametrize("kind", [Message, Step, ToolCall, Observation])
def test_parts_that_were_not_checked_again_are_as_if_they_had_been(kind: type[Record]) -> None:
    whole = _read(START, TASK, _says("a", "c", reasoning="r"), _calls("c"), _sees("c", 4))
    parts = [
        part
        for step in whole.steps
        for part in (step, step.message, *step.before, *step.tool_calls, *step.observations)
        if type(part) is kind
    ]
    assert parts
    for part in parts:
        checked = kind.model_validate(dict(part))
        assert part == checked
        assert part.model_dump_json() == checked.model_dump_json()


def test_nothing_of_a_trial_is_kept_when_it_was_read() -> None:
    event = _says("done")
    alive = weakref.ref(event)
    gc.disable()
    try:
        _ = read_trajectory([START, event], numbered=False)
        del event
        assert alive() is None
    finally:
        gc.enable()
