"""However an agent shows its history, each thing is in the journal once; rewriting is seen."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.gateway.parts import PROMPT, SYSTEM, TASK, Trial, message_of, says, tool_says, trial
from trajaudit.datamodel.event import MessageEvent, ObservationEvent, ToolCallEvent

TAKE = ("c1", "take", '{"amount": 2}')
MORE: dict[str, Any] = {"role": "user", "content": "Go on."}


def ask(one: Trial, *messages: dict[str, Any]) -> None:
    one.session.model_call("chat", {"messages": list(messages)})


def messages_of(one: Trial) -> list[MessageEvent]:
    return [event for event in one.events() if isinstance(event, MessageEvent)]


def shown(one: Trial) -> list[tuple[str, str, int | None]]:
    return [(event.role, event.content, event.rewrites) for event in messages_of(one)]


@pytest.mark.parametrize(
    "echo",
    [
        {"role": "assistant", "content": "First."},
        {"role": "assistant", "content": [{"type": "text", "text": "First."}]},
        {"role": "assistant", "content": " First.\n", "tool_calls": None, "refusal": None},
        {"role": "assistant", "content": "First.", "tool_calls": [], "name": "x", "audio": None},
    ],
)
def test_the_models_reply_echoed_in_any_form_is_not_journalled_again(
    tmp_path: Path, echo: dict[str, Any]
) -> None:
    with trial(tmp_path, says("First."), says("Second.")) as one:
        ask(one, SYSTEM, TASK)
        ask(one, {**SYSTEM, "role": "developer"}, TASK, echo, MORE)

        assert shown(one) == [
            ("system", "Be brief.", None),
            ("user", PROMPT, None),
            ("assistant", "First.", None),
            ("user", "Go on.", None),
            ("assistant", "Second.", None),
        ]


def test_a_call_by_the_agent_itself_is_seen_in_its_history(tmp_path: Path) -> None:
    answer = says(None, TAKE)
    with trial(tmp_path, answer, says("Done."), says("Done.")) as one:
        ask(one, TASK)
        ask(one, TASK, message_of(answer), tool_says("c1", "took 2"))
        ask(one, TASK, message_of(answer), tool_says("c1", "took 2"), MORE)

        events = one.events()
        (call,) = [event for event in events if isinstance(event, ToolCallEvent)]
        (seen,) = [event for event in events if isinstance(event, ObservationEvent)]
        assert (call.via, call.call_id, call.arguments) == ("agent", "c1", {"amount": 2})
        assert (seen.content, seen.call) == ("took 2", call.seq)
        assert call.requested == events[3].seq


def test_what_the_agents_framework_made_of_a_tools_reply_is_kept_where_it_differs(
    tmp_path: Path,
) -> None:
    answer = says(None, TAKE, ("c2", "look", "{}"))
    with trial(tmp_path, answer, says("Done.")) as one:
        ask(one, TASK)
        one.session.call_tool("take", '{"amount":2}', via="mcp")
        one.session.call_tool("look", "{}", via="mcp")
        shows = [tool_says("c1", "took 2\n"), tool_says("c2", "Error: tool failed")]
        ask(one, TASK, message_of(answer), *shows)

        tools = [event for event in messages_of(one) if event.role == "tool"]
        assert [(one.content, one.source, one.call_id) for one in tools] == [
            ("Error: tool failed", "harness", "c2")
        ]


def test_arguments_that_the_framework_changed_are_named(tmp_path: Path) -> None:
    asked = ("c1", "shop__take", '{"amount": "2", "note": "x"}')
    with trial(tmp_path, says(None, ("c0", "look", "{}"), asked)) as one:
        ask(one, TASK)
        one.session.call_tool("take", '{"amount": 2, "colour": "red"}', via="mcp")

        (call,) = [event for event in one.events() if isinstance(event, ToolCallEvent)]
        assert call.call_id == "c1"
        assert call.differs == (
            "tool: 'shop__take' became 'take'",
            "amount: '2' became 2",
            "note: dropped",
            "colour: added as 'red'",
        )


def test_the_same_call_twice_is_linked_to_its_own_request_each_time(tmp_path: Path) -> None:
    with trial(tmp_path, says(None, ("a", "look", "{}"), ("b", "look", "{}"))) as one:
        ask(one, TASK)
        one.session.call_tool("look", "{}", via="mcp")
        one.session.call_tool("look", "{}", via="mcp")
        one.session.call_tool("look", "{}", via="mcp")

        calls = [event for event in one.events() if isinstance(event, ToolCallEvent)]
        assert [(call.call_id, call.requested is None) for call in calls] == [
            ("a", False),
            ("b", False),
            ("mcp-1", True),
        ]


def test_a_compacted_history_is_a_rewriting_of_the_first_message_it_lost(tmp_path: Path) -> None:
    answer = says("Thinking.")
    summary = {"role": "user", "content": "Summary: nothing yet."}
    with trial(tmp_path, answer, says("More."), says("End.")) as one:
        ask(one, SYSTEM, TASK)
        ask(one, SYSTEM, TASK, message_of(answer), MORE)
        ask(one, SYSTEM, TASK, summary)

        lost = next(event for event in messages_of(one) if event.content == "Thinking.")
        assert shown(one)[-2:] == [
            ("user", "Summary: nothing yet.", lost.seq),
            ("assistant", "End.", None),
        ]


def test_a_shortened_history_is_noted_on_the_reply_it_led_to(tmp_path: Path) -> None:
    answer = says("Thinking.")
    with trial(tmp_path, answer, says("More."), says("Again.")) as one:
        ask(one, SYSTEM, TASK)
        ask(one, SYSTEM, TASK, message_of(answer), MORE)
        ask(one, SYSTEM, TASK)

        lost = next(event for event in messages_of(one) if event.content == "Thinking.")
        assert shown(one)[-1] == ("assistant", "Again.", lost.seq)


def test_other_conversations_and_repeated_questions_are_no_rewriting(tmp_path: Path) -> None:
    first, second = says("A1"), says("B1")
    other = {"role": "user", "content": "You are a helper: count."}
    answers = [first, second, says("A2"), says("B2"), says("A1 again"), says("C")]
    with trial(tmp_path, *answers) as one:
        ask(one, SYSTEM, TASK)
        ask(one, SYSTEM, other)
        ask(one, SYSTEM, TASK, message_of(first), MORE)
        ask(one, SYSTEM, other, message_of(second), MORE)
        ask(one, {"role": "system", "content": "Another."}, TASK)
        ask(one, SYSTEM, {"role": "user", "content": "A third one."})

        assert [rewrites for _, _, rewrites in shown(one)] == [None] * len(shown(one))
        assert [content for role, content, _ in shown(one) if role == "assistant"] == [
            "A1",
            "B1",
            "A2",
            "B2",
            "A1 again",
            "C",
        ]


def test_a_reply_that_the_framework_reworded_is_a_rewriting_without_its_calls_again(
    tmp_path: Path,
) -> None:
    answer = says("<think>hm</think>Let me look.", TAKE)
    trimmed = {**message_of(answer), "content": "Let me look."}
    with trial(tmp_path, answer, says("Done.")) as one:
        ask(one, TASK)
        one.session.call_tool("take", '{"amount": 2}', via="mcp")
        ask(one, TASK, trimmed, tool_says("c1", "took 2"))

        read = one.trajectory()
        calls = [call for step in read.steps for call in step.tool_calls]
        assert [(call.call_id, call.executed) for call in calls] == [("c1", True)]
        assert read.steps[1].message.rewrites == read.steps[0].message.seq


def test_legacy_function_calls_are_calls(tmp_path: Path) -> None:
    call = {"name": "take", "arguments": '{"amount": 1}'}
    answer = says(None)
    answer["choices"][0]["message"]["function_call"] = call
    result = {"role": "function", "name": "take", "content": "took 1"}
    with trial(tmp_path, answer, says("Done.")) as one:
        ask(one, TASK)
        ask(one, TASK, message_of(answer), result)

        (step, _) = one.trajectory().steps
        assert [(one.tool, one.executed) for one in step.tool_calls] == [("take", True)]
        assert [seen.content for seen in step.observations] == ["took 1"]


KEYS = (
    *("role", "content", "tool_calls", "function", "name", "arguments", "id", "text"),
    *("tool_call_id", "function_call", "type", "call_id", "output"),
)
WEIRD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.just("\ud800"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(histories=st.lists(st.lists(WEIRD, max_size=4), min_size=1, max_size=4))
def test_any_history_leaves_a_journal_that_verifies_and_holds_each_reply_once(
    tmp_path: Path, histories: list[list[Any]]
) -> None:
    (tmp_path / "events.jsonl").unlink(missing_ok=True)
    with trial(tmp_path, *[says(f"answer {n}", TAKE) for n in range(len(histories))]) as one:
        for messages in histories:
            one.session.model_call("chat", {"messages": messages})
        replies = [event.content for event in messages_of(one) if event.source == "model"]

        assert replies == [f"answer {n}" for n in range(len(histories))]
        one.trajectory()
