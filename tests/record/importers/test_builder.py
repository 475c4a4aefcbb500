"""Messages, calls and replies become events."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from trajaudit.datamodel.event import EndReason, ModelCall, ObservationEvent, ToolCallEvent, Usage
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.losses import Losses
from trajaudit.record.trajectory import read_trajectory


def _seen(builder: TrialBuilder) -> Trajectory:
    numbered = [
        event.model_copy(update={"seq": seq}) for seq, event in enumerate(builder.events, start=2)
    ]
    return read_trajectory(numbered)  # type: ignore[arg-type]  # all are events


def _kinds(losses: Losses) -> dict[tuple[str, str], int]:
    return {(one.kind, one.field): one.count for one in losses.report()}


def _asked(builder: TrialBuilder, *calls: tuple[str, Any, str | None]) -> list[str]:
    made = [builder.request(*call) for call in calls]
    builder.assistant("", calls=made)
    return [call.call_id for call in made]


def test_a_call_with_an_answer_was_carried_out_and_one_without_was_not() -> None:
    builder = TrialBuilder(Losses())
    _asked(builder, ("look", '{"a":1}', "c1"), ("look", '{"a":2}', "c2"))

    builder.answer("c2", "two")

    (step,) = _seen(builder).steps
    assert [call.executed for call in step.tool_calls] == [False, True]
    assert [one.content for one in step.observations] == ["two"]
    assert builder.unanswered == 1


def test_raw_text_is_kept_and_a_value_is_spelt_out_and_counted() -> None:
    losses = Losses()
    builder = TrialBuilder(losses)

    raw = builder.request("look", '{ "a":  1}', "c1")
    value = builder.request("look", {"a": 10**30}, "c2")
    none = builder.request("look", None, "c3")

    assert raw.arguments_text == '{ "a":  1}'
    assert value.arguments_text == '{"a":' + "1" + "0" * 30 + "}"
    assert none.arguments_text == "{}"
    assert _kinds(losses) == {("guessed", "tool_call.arguments_text"): 2}


def test_text_that_is_no_json_is_told_as_a_parse_error() -> None:
    builder = TrialBuilder(Losses())
    _asked(builder, ("look", "{a:", "c1"))

    builder.answer("c1", "what?")

    call = next(event for event in builder.events if isinstance(event, ToolCallEvent))
    assert call.arguments is None
    assert call.parse_error


def test_ids_that_are_missing_or_used_twice_are_made_unique_and_counted() -> None:
    losses = Losses()
    builder = TrialBuilder(losses)

    ids = _asked(builder, ("a", "{}", None), ("b", "{}", "x"), ("c", "{}", "x"), ("", "{}", ""))

    assert len(set(ids)) == 4
    assert ids[1] == "x"
    assert _kinds(losses) == {("guessed", "tool_call.id"): 2, ("malformed", "tool_call.id"): 1}


def test_replies_to_an_id_that_is_used_twice_go_to_both_calls_in_their_order() -> None:
    builder = TrialBuilder(Losses())
    _asked(builder, ("look", "{}", "x"), ("look", "{}", "x"))

    builder.answer("x", "one")
    builder.answer("x", "two")

    (step,) = _seen(builder).steps
    assert [(one.call_id == "x", one.content) for one in step.observations] == [
        (True, "one"),
        (False, "two"),
    ]


def test_a_reply_without_an_id_answers_the_oldest_open_call_of_its_tool() -> None:
    losses = Losses()
    builder = TrialBuilder(losses)
    _asked(builder, ("a", "{}", "c1"), ("b", "{}", "c2"), ("b", "{}", "c3"))

    builder.answer(None, "from b", tool="b")
    builder.answer(None, "from anything")

    answered = [one.call_id for one in builder.events if isinstance(one, ObservationEvent)]
    assert answered == ["c2", "c1"]
    assert _kinds(losses) == {("guessed", "tool_reply.call_id"): 2}


def test_a_reply_to_no_call_is_a_message_of_the_harness_and_malformed() -> None:
    losses = Losses()
    builder = TrialBuilder(losses)
    _asked(builder, ("a", "{}", "c1"))

    assert builder.answer("unknown", "hm") is None

    (told,) = _seen(builder).after
    assert (told.role, told.content, told.source) == ("tool", "hm", "harness")
    assert _kinds(losses) == {("malformed", "tool_reply"): 1}
    assert builder.unanswered == 1


def test_one_call_is_answered_once() -> None:
    losses = Losses()
    builder = TrialBuilder(losses)
    _asked(builder, ("a", "{}", "c1"))

    builder.answer("c1", "one")
    builder.answer("c1", "again")

    (step,) = _seen(builder).steps
    assert [one.content for one in step.observations] == ["one"]
    assert ("malformed", "tool_reply") in _kinds(losses)


def test_the_first_prompt_is_the_task_and_a_harness_is_no_user() -> None:
    builder = TrialBuilder(Losses())

    builder.prompt("system", "be kind")
    builder.prompt("user", "do it", first=True)
    builder.prompt("user", "more")
    builder.prompt("user", "wrong format", harness=True)

    assert [one.source for one in _seen(builder).after] == ["harness", "task", "user", "harness"]


def test_usage_belongs_to_the_message_that_its_model_call_led_to() -> None:
    builder = TrialBuilder(Losses())
    call = builder.model_call("m", usage=Usage(prompt_tokens=3), latency_s=-1.0)

    builder.assistant("hello", model_call=call)
    builder.end("replied")

    trajectory = _seen(builder)
    assert trajectory.steps[0].usage == Usage(prompt_tokens=3)
    (event,) = [one for one in builder.events if isinstance(one, ModelCall)]
    assert event.latency_s == 0


def test_a_submission_is_the_answer_and_the_end_is_told_in_short() -> None:
    builder = TrialBuilder(Losses())
    builder.assistant("I think it is 4.")
    builder.submit("4")

    builder.end("step_limit", "x" * 5000)

    trajectory = _seen(builder)
    assert (trajectory.final_reply, trajectory.submitted) == ("4", True)
    assert trajectory.end_reason == "step_limit"
    assert len(trajectory.end_detail) == 2000


_TEXT = st.text(max_size=5)
_MAYBE = st.none() | _TEXT
_NUMBER = st.integers(-3, 3) | st.floats(-3, 3)
_ANY = st.recursive(
    st.none() | st.booleans() | _NUMBER | _TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXT, inner, max_size=2),
    max_leaves=4,
)


@given(st.data())
def test_what_is_told_is_what_the_kinds_of_events_make_of_it(data: st.DataObject) -> None:
    draw = data.draw
    builder = TrialBuilder(Losses())
    builder.t = draw(st.floats(0, 9))
    builder.prompt(
        draw(st.sampled_from(["system", "user"])), draw(_TEXT), harness=draw(st.booleans())
    )
    call = builder.model_call(
        draw(_TEXT),
        usage=draw(st.none() | st.just(Usage(prompt_tokens=3))),
        cost_usd=draw(st.none() | _NUMBER),
        latency_s=draw(_NUMBER),
        finish_reason=draw(_MAYBE),
        error=draw(_MAYBE),
        params=draw(st.none() | st.dictionaries(_TEXT, _ANY, max_size=2)),
    )
    builder.retried(draw(st.integers(0, 2)))
    asked = builder.request(draw(_TEXT), draw(_ANY), draw(_MAYBE), is_raw=draw(st.booleans()))
    builder.assistant(
        draw(_TEXT), calls=[asked], reasoning=draw(_MAYBE), refusal=draw(_MAYBE), model_call=call
    )
    builder.answer(
        asked.call_id, draw(_ANY), is_error=draw(st.booleans()), duration_s=draw(_NUMBER)
    )
    builder.submit(draw(_TEXT))
    builder.end(draw(st.sampled_from(get_args(EndReason))), draw(_TEXT))

    for event in builder.events:
        again = type(event)(**event.__dict__)
        assert repr(again) == repr(event)
        assert again.model_dump_json() == event.model_dump_json()


def test_a_value_that_no_event_can_hold_is_refused_however_it_is_told() -> None:
    builder = TrialBuilder(Losses())
    odd: Any = ["x"]
    deep: Any = 1
    for _ in range(400):
        deep = [deep]
    asked = builder.request("look", "{}", "c1")
    builder.assistant("", calls=[asked])

    for tell in (
        lambda: builder.prompt("user", odd),
        lambda: builder.prompt("robot", "hi"),  # type: ignore[arg-type]
        lambda: builder.request(odd, "{}", "c2"),
        lambda: builder.assistant(None),  # type: ignore[arg-type]
        lambda: builder.assistant("", reasoning=odd),
        lambda: builder.assistant("", finish_reason=odd),
        lambda: builder.assistant("", refusal=odd),
        lambda: builder.model_call(odd),
        lambda: builder.model_call("m", finish_reason=odd),
        lambda: builder.model_call("m", error=odd),
        lambda: builder.model_call("m", cost_usd=odd),
        lambda: builder.model_call("m", params={"deep": deep}),
        lambda: builder.answer("c1", "two", is_error=odd),
        lambda: builder.submit(odd),
        lambda: builder.end("bored"),  # type: ignore[arg-type]
        lambda: builder.end("replied", odd),
    ):
        with pytest.raises(ValidationError):
            tell()
