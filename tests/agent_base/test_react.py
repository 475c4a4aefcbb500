"""The built-in agent, as the sandbox starts it, against a gateway with a real MCP server."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import JSONResponse

from tests.agent_base.gateway_double import GatewayDouble, calls, says, serve
from tests.agent_base.programs import run_entry

LAMP = '{"item": "lamp"}'


def _act(
    tmp_path: Path,
    answers: list[Any],
    users: list[str] | None = None,
    *,
    json_response: bool = True,
    **trial: Any,
) -> tuple[GatewayDouble, "subprocess.CompletedProcess[str]"]:
    double = GatewayDouble(answers, users or [], trial)
    socket = tmp_path / "gateway.sock"
    with serve(double, socket, json_response=json_response):
        done = run_entry(socket, "langgraph")
    return double, done


@pytest.mark.parametrize("json_response", [True, False], ids=["json", "event stream"])
def test_calls_the_tool_and_replies_with_what_the_model_says(
    tmp_path: Path, json_response: bool
) -> None:
    answers = [calls(("price", LAMP)), says("24.5")]

    double, done = _act(tmp_path, answers, json_response=json_response)

    assert (done.returncode, done.stderr) == (0, "")
    assert double.tool_calls == [("lamp", 1)]
    assert double.replies == [{"content": "24.5", "finish_reason": "stop"}]
    first, second = double.requests
    assert first["model"] == "m"
    assert [tool["function"]["name"] for tool in first["tools"]] == ["price"]
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert first["messages"] == second["messages"][:2]
    assert calls(("price", LAMP))["message"]["tool_calls"] == second["messages"][2]["tool_calls"]
    assert second["messages"][3] == {"role": "tool", "tool_call_id": "c0", "content": "24.5"}


def test_carries_out_parallel_calls_in_the_order_they_were_asked_for(tmp_path: Path) -> None:
    asked = calls(("price", '{"item": "b"}'), ("price", '{"item": "a", "count": 2}'))

    double, _ = _act(tmp_path, [asked, says("done")])

    assert double.tool_calls == [("b", 1), ("a", 2)]
    assert [m["content"] for m in double.requests[1]["messages"][3:]] == ["24.5", "49.0"]


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("price", '{"item": "lamp"', "not valid JSON (Expecting ',' delimiter: line 1 column 16"),
        ("price", "[1]", "error: the arguments are not a JSON object: [1]"),
        ("price", '{"item": "ghost"}', "no such item"),
        ("prize", LAMP, "Unknown tool: prize"),
    ],
)
def test_tells_the_model_what_was_wrong_with_a_call_and_goes_on(
    tmp_path: Path, name: str, arguments: str, told: str
) -> None:
    double, done = _act(tmp_path, [calls((name, arguments)), says("sorry")])

    assert done.returncode == 0
    assert told in double.requests[1]["messages"][3]["content"]
    assert double.replies[0]["content"] == "sorry"


def test_goes_on_while_the_user_answers_and_ends_when_the_user_does_not(tmp_path: Path) -> None:
    double, done = _act(tmp_path, [says("Which one?"), says("24.5")], ["The green one."])

    assert done.returncode == 0
    assert [reply["content"] for reply in double.replies] == ["Which one?", "24.5"]
    said = [message["content"] for message in double.requests[1]["messages"]]
    assert said == ["Be brief.", "What does a lamp cost?", "Which one?", "The green one."]


def test_hands_on_that_a_reply_was_cut_and_an_empty_one_as_empty(tmp_path: Path) -> None:
    double, _ = _act(tmp_path, [says("The price", "length"), says(None)], ["And?"])

    cut = {"content": "The price", "finish_reason": "length"}
    assert [cut, {"content": "", "finish_reason": "stop"}] == double.replies


def test_ends_quietly_when_a_limit_is_reached(tmp_path: Path) -> None:
    double, done = _act(tmp_path, [calls(("price", LAMP))])

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert double.replies == []


def test_fails_with_the_text_of_a_provider_error(tmp_path: Path) -> None:
    error = {"error": {"message": "too long", "code": "context_length_exceeded"}}

    double, done = _act(tmp_path, [JSONResponse(error, status_code=400)])

    assert done.returncode == 1
    assert done.stderr.startswith("agent: the gateway answered 400: ")
    assert "context_length_exceeded" in done.stderr
    assert double.replies == []


def test_needs_no_system_prompt_and_takes_more_steps_than_a_graph_allows_by_default(
    tmp_path: Path,
) -> None:
    answers = [*(calls(("price", LAMP)) for _ in range(40)), says("done")]

    double, done = _act(tmp_path, answers, system=None)

    assert (done.returncode, done.stderr) == (0, "")
    assert len(double.tool_calls) == 40
    assert [message["role"] for message in double.requests[0]["messages"]] == ["user"]
