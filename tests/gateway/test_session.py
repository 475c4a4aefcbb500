"""A session enforces its limits, and ends for one reason that stands."""

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.parts import SYSTEM, TASK, ListedModel, message_of, says, trial
from trajaudit.datamodel.event import EndReason, ModelCall, ToolCallEvent
from trajaudit.datamodel.scenario import Generation, Limits
from trajaudit.errors import MockError, ProviderError
from trajaudit.gateway.base import PlannedCall, SessionEnd, SessionEnded, ToolOutcome
from trajaudit.gateway.refusal import Refused
from trajaudit.llm.base import ProviderReply

ASK: dict[str, Any] = {"messages": [SYSTEM, TASK], "temperature": 1.0}


def test_a_scripted_agent_leaves_the_same_journal_as_a_real_one(tmp_path: Path) -> None:
    with trial(tmp_path) as one:
        calls = [
            PlannedCall(tool="take", arguments={"amount": 2}),
            PlannedCall(tool="look", arguments="{"),
        ]
        outcomes = one.session.say("I take two.", calls)
        one.session.note("a remark")
        assert one.session.reply("3 left", finish_reason="stop") is None

        assert outcomes[0] == ToolOutcome(content="took 2", is_error=False)
        assert outcomes[1].is_error
        assert one.kinds() == [
            "state",
            "message system task",
            "message user task",
            "message assistant agent",
            "tool_call take",
            "observation take",
            "state",
            "tool_call look",
            "observation look",
            "note",
            "message assistant agent",
            "state",
            "end",
        ]
        read = one.trajectory()
        assert [call.executed for call in read.steps[0].tool_calls] == [True, True]
        assert (read.final_reply, read.finish_reason, read.end_reason) == (
            "3 left",
            "stop",
            "replied",
        )
        assert (read.world_start, read.world_end) == ({"stock": 5}, {"stock": 3})


@pytest.mark.parametrize(
    ("limits", "reason", "detail"),
    [
        (Limits(steps=1), "step_limit", "steps: 1"),
        (Limits(tokens=12), "token_limit", "tokens: 12"),
        (Limits(cost_usd=0.2), "token_limit", "cost_usd: 0.2"),
    ],
)
def test_the_call_after_a_limit_ends_the_trial(
    tmp_path: Path, limits: Limits, reason: EndReason, detail: str
) -> None:
    with trial(tmp_path, says("one"), says("two"), limits=limits) as one:
        one.session.model_call("chat", ASK)
        with pytest.raises(SessionEnded) as ended:
            one.session.model_call("chat", ASK)

        assert ended.value.end == SessionEnd(reason=reason, detail=detail)
        assert one.session.close() == ended.value.end
        assert one.session.usage.model_calls == 1
        assert one.session.usage.prompt_tokens == 10


def test_tool_calls_and_time_are_limited_too(tmp_path: Path) -> None:
    now = [0.0]
    limits = Limits(tool_calls=1, time_s=10)
    with trial(tmp_path, limits=limits, clock=lambda: now[0]) as one:
        one.session.call_tool("look", "{}", via="mcp")
        with pytest.raises(SessionEnded, match="tool_calls: 1"):
            one.session.call_tool("look", "{}", via="mcp")
    (tmp_path / "events.jsonl").unlink()
    with trial(tmp_path, limits=limits, clock=lambda: now[0]) as one:
        assert one.session.wait_end(0.01) is None
        now[0] = 11
        assert one.session.wait_end(None) == SessionEnd(reason="time_limit", detail="time_s: 10")


def test_waiting_ends_when_another_thread_ends_the_trial(tmp_path: Path) -> None:
    with trial(tmp_path) as one:
        threading.Timer(0.05, lambda: one.session.submit("42")).start()

        assert one.session.wait_end(None) == SessionEnd(reason="replied", detail="submitted")

        one.session.end("agent_error", "too late")
        read = one.trajectory()
        assert (read.final_reply, read.submitted, read.end_reason) == ("42", True, "replied")


def test_parameters_of_the_scenario_override_those_of_the_agent(tmp_path: Path) -> None:
    generation = Generation(temperature=0.1, max_tokens=7, seed=3, stop=("END",))
    with trial(tmp_path, says("x"), generation=generation) as one:
        one.session.model_call("chat", {**ASK, "max_completion_tokens": 900, "model": "whatever"})

        (request,) = one.model.asked
        assert {key: request.body[key] for key in request.body if key != "messages"} == {
            "model": "listed",
            "temperature": 0.1,
            "max_completion_tokens": 7,
            "seed": 3,
            "stop": ["END"],
        }
        (call,) = [event for event in one.events() if isinstance(event, ModelCall)]
        assert (call.latency_s, call.cost_usd, call.finish_reason) == (0.5, 0.25, "stop")


def test_a_providers_refusal_reaches_the_agent_and_an_overflow_explains_its_end(
    tmp_path: Path,
) -> None:
    body = {"error": {"message": "too long", "code": "context_length_exceeded"}}
    refusal = ProviderReply(400, body, "context_length_exceeded")
    with trial(tmp_path, refusal) as one:
        with pytest.raises(Refused) as refused:
            one.session.model_call("chat", ASK)
        assert (refused.value.status, refused.value.body) == (400, body)

        one.session.agent_exited(1, "Traceback: too long")

        read = one.trajectory()
        assert (read.end_reason, read.end_detail) == ("context_overflow", "Traceback: too long")


def test_an_agent_that_recovers_from_an_overflow_fails_as_itself(tmp_path: Path) -> None:
    refusal = ProviderReply(400, {}, "context_length_exceeded")
    with trial(tmp_path, refusal, says("fine")) as one:
        with pytest.raises(Refused):
            one.session.model_call("chat", ASK)
        one.session.model_call("chat", ASK)
        one.session.agent_exited(3, "")

        assert one.session.close() == SessionEnd(reason="agent_error", detail="exit code 3")


def test_a_failing_provider_or_mock_is_nobodys_fault(tmp_path: Path) -> None:
    with trial(tmp_path, ProviderError("down", status=503)) as one:
        with pytest.raises(SessionEnded):
            one.session.model_call("chat", ASK)
        one.session.agent_exited(1, "")
        assert one.trajectory().end_reason == "infra_error"
    (tmp_path / "events.jsonl").unlink()
    with trial(tmp_path) as one:
        one.shelf.broken = MockError("the worker is gone")
        with pytest.raises(SessionEnded):
            one.session.call_tool("look", "{}", via="mcp")
        told = "mock_failed: the worker is gone"
        assert one.session.close() == SessionEnd(reason="infra_error", detail=told)


def test_a_simulated_user_answers_until_it_has_nothing_to_say(tmp_path: Path) -> None:
    answer = says("Which one?")
    with trial(tmp_path, answer, says("Done."), user=["The red one."]) as one:
        one.session.model_call("chat", ASK)
        said = one.session.reply("Which one?")
        history = [SYSTEM, TASK, message_of(answer), {"role": "user", "content": said}]
        one.session.model_call("chat", {"messages": history})
        assert one.session.reply("Done.") is None

        assert one.kinds() == [
            "state",
            "message system task",
            "message user task",
            "model_call",
            "message assistant model",
            "message user user",
            "model_call",
            "message assistant model",
            "state",
            "end",
        ]
        assert one.trajectory().final_reply == "Done."


def test_the_users_own_model_is_journalled_as_the_users(tmp_path: Path) -> None:
    with trial(tmp_path) as one:
        ask = one.session.ask_for_user(ListedModel([says("The red one.")]), "listed")
        assert ask([{"role": "user", "content": "Which?"}]) == "The red one."

        (call,) = [event for event in one.events() if isinstance(event, ModelCall)]
        assert (call.caller, call.cost_usd) == ("user", 0.25)
        assert one.session.usage.model_calls == 0
        assert one.session.usage.cost_usd == 0.0


def test_ask_user_is_a_tool_where_a_user_is_simulated(tmp_path: Path) -> None:
    with trial(tmp_path, user=["The red one."]) as one:
        first = one.session.call_tool("ask_user", '{"question": "Which?"}', via="mcp")
        second = one.session.call_tool("ask_user", '{"question": "And now?"}', via="mcp")

        assert first == ToolOutcome(content="The red one.", is_error=False)
        assert second.is_error
        assert [spec.name for spec in one.session.tools()] == ["take", "look", "ask_user"]


def test_what_comes_in_after_the_end_is_refused_and_nothing_follows_the_end_event(
    tmp_path: Path,
) -> None:
    entered, go_on = threading.Event(), threading.Event()
    with trial(tmp_path) as one:

        def wait() -> None:
            entered.set()
            go_on.wait(5)

        one.shelf.before = wait
        raised: list[BaseException] = []

        def call() -> None:
            try:
                one.session.call_tool("look", "{}", via="mcp")
            except SessionEnded as error:
                raised.append(error)

        late = threading.Thread(target=call)
        late.start()
        entered.wait(5)
        one.session.submit("42")
        one.session.close()
        go_on.set()
        late.join(5)

        assert len(raised) == 1
        with pytest.raises(SessionEnded):
            one.session.note("more")
        kinds = one.kinds()
        assert kinds[-1] == "end"
        assert kinds.count("end") == 1


def test_parallel_calls_change_the_world_one_after_another(tmp_path: Path) -> None:
    with trial(tmp_path) as one:
        threads = [
            threading.Thread(
                target=one.session.call_tool, args=("take", '{"amount": 1}'), kwargs={"via": "mcp"}
            )
            for _ in range(5)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        read = one.trajectory()

        values = [change.patch[0]["value"] for change in read.world_changes]
        assert values == [4, 3, 2, 1, 0]
        assert read.world_end == {"stock": 0}


def test_calls_with_broken_arguments_are_journalled_and_answered(tmp_path: Path) -> None:
    with trial(tmp_path) as one:
        outcome = one.session.call_tool("tak", '{"amount": NaN}', via="mcp")
        unknown = one.session.call_tool("tak", '{"amount": 1}', via="mcp")

        calls = [event for event in one.events() if isinstance(event, ToolCallEvent)]
        assert outcome.is_error
        assert unknown.is_error
        assert [(call.tool, call.arguments) for call in calls] == [
            ("tak", None),
            ("tak", {"amount": 1}),
        ]
        assert calls[0].parse_error == "not JSON; the number NaN is none of JSON"


def test_a_session_whose_work_is_lost_ends_by_that_whatever_had_ended_it(tmp_path: Path) -> None:
    with trial(tmp_path) as one:
        one.session.reply("done")

        one.session.spoil("sandbox_failed: gone")
        one.session.end("replied")

        lost = SessionEnd(reason="infra_error", detail="sandbox_failed: gone")
        assert one.session.close() == lost
        assert one.trajectory().end_reason == "infra_error"
