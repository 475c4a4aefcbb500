"""Unmodified clients work over the socket, and each thing is in the journal once, in order."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import httpx2
import openai
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from tests.gateway.parts import PROMPT, SYSTEM, TASK, message_of, says, trial
from trajaudit.datamodel.event import ToolCallEvent
from trajaudit.datamodel.scenario import Limits
from trajaudit.gateway.http import Gateway
from trajaudit.gateway.responses import response_body
from trajaudit.llm.base import Endpoint

CALL = ("c1", "take", '{"amount": 2}')
FLAT: Any = [{"type": "function", "name": "take", "parameters": {}, "strict": False}]
TOOLS: Any = [{"type": "function", "function": {"name": "take", "parameters": {}}}]


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    with_threads = Gateway()
    yield with_threads
    with_threads.close()


@pytest.fixture
def sockets() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder)


@contextmanager
def client(sockets: Path) -> Iterator[openai.OpenAI]:
    transport = httpx2.HTTPTransport(uds=str(sockets / "gateway.sock"))
    with httpx2.Client(transport=transport, trust_env=False) as http:
        yield openai.OpenAI(
            base_url="http://gateway/v1", api_key="none", max_retries=0, http_client=http
        )


@asynccontextmanager
async def tools(sockets: Path) -> AsyncIterator[ClientSession]:
    transport = httpx2.AsyncHTTPTransport(uds=str(sockets / "gateway.sock"))
    async with (
        httpx2.AsyncClient(transport=transport, trust_env=False) as http,
        streamable_http_client("http://gateway/mcp", http_client=http) as streams,
        ClientSession(*streams[:2]) as session,
    ):
        await session.initialize()
        yield session


def take(sockets: Path, name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    async def call() -> tuple[str, bool]:
        async with tools(sockets) as session:
            result = await session.call_tool(name, arguments)
            return "".join(getattr(part, "text", "") for part in result.content), result.is_error

    return anyio.run(call)


WHOLE = [
    "state",
    "message system task",
    "message user task",
    "model_call",
    "message assistant model",
    "tool_call take",
    "observation take",
    "state",
    "model_call",
    "message assistant model",
    "state",
    "end",
]


def _loop(asked: openai.OpenAI, sockets: Path, *, stream: bool) -> str:
    """Act as any agent does: ask, call what was asked for, send the whole history."""
    messages: list[Any] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": PROMPT}]},
    ]
    ask: dict[str, Any] = {"model": "test/listed", "messages": messages, "tools": TOOLS}
    while True:
        if stream:
            with asked.chat.completions.stream(**ask) as events:
                message: Any = events.get_final_completion().choices[0].message
        else:
            message = asked.chat.completions.create(**ask).choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return str(message.content)
        for call in message.tool_calls:
            text, _ = take(sockets, call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": text})


@pytest.mark.parametrize("stream", [False, True])
def test_a_chatting_agent_with_tools_leaves_each_thing_once(
    gateway: Gateway, sockets: Path, tmp_path: Path, stream: bool
) -> None:
    with trial(tmp_path, says(None, CALL), says("3 left")) as one:
        with gateway.serve(one.session, sockets), client(sockets) as asked:
            assert _loop(asked, sockets, stream=stream) == "3 left"
        one.session.agent_exited(0, "")

        assert one.kinds() == WHOLE
        assert one.shelf.calls == [("take", {"amount": 2})]
        read = one.trajectory()
        (call,) = read.steps[0].tool_calls
        assert (call.call_id, call.executed, call.differs) == ("c1", True, ())
        assert read.steps[0].usage is not None
        assert (read.final_reply, read.end_reason) == ("3 left", "replied")


def _responses_loop(
    asked: openai.OpenAI, sockets: Path, *, stream: bool, linked: bool, instructions: str
) -> str:
    given: list[Any] = [{"role": "user", "content": PROMPT}]
    ask: dict[str, Any] = {"model": "test/listed", "tools": FLAT, "instructions": instructions}
    previous: dict[str, Any] = {}
    while True:
        if stream:
            with asked.responses.stream(input=given, **ask, **previous) as events:
                for _ in events:
                    pass
                response: Any = events.get_final_response()
        else:
            response = asked.responses.create(input=given, **ask, **previous)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return str(response.output_text)
        given = [] if linked else [*given, *(item.model_dump() for item in response.output)]
        previous = {"previous_response_id": response.id} if linked else {}
        for call in calls:
            text, _ = take(sockets, call.name, json.loads(call.arguments))
            item = {"type": "function_call_output", "call_id": call.call_id, "output": text}
            given.append(item)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("native", [False, True])
def test_an_agent_that_uses_responses_leaves_each_thing_once(
    gateway: Gateway, sockets: Path, tmp_path: Path, stream: bool, linked: bool, native: bool
) -> None:
    answers = [says("Let me take.", CALL), says("3 left")]
    endpoint: Endpoint = "responses" if native else "chat"
    if native:
        answers = [response_body(answer, {}) for answer in answers]
    with trial(tmp_path, *answers, endpoints=[endpoint]) as one:
        with gateway.serve(one.session, sockets), client(sockets) as asked:
            reply = _responses_loop(
                asked, sockets, stream=stream, linked=linked, instructions="Be brief."
            )
        one.session.agent_exited(0, "")

        assert reply == "3 left"
        assert one.kinds() == WHOLE
        first, second = one.model.asked
        assert {request.endpoint for request in one.model.asked} == {endpoint}
        if not native:
            assert first.body["messages"] == [SYSTEM, TASK]
            assert second.body["messages"][2:] == [
                {
                    "role": "assistant",
                    "content": "Let me take.",
                    "tool_calls": [
                        {
                            "id": "c1",
                            "type": "function",
                            "function": {"name": "take", "arguments": CALL[2]},
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": "c1", "content": "took 2"},
            ]
        read = one.trajectory()
        assert [call.executed for call in read.steps[0].tool_calls] == [True]
        assert read.steps[0].message.content == "Let me take."
        assert read.steps[0].finish_reason == "tool_calls"


@pytest.mark.parametrize("wanted", [False, True])
def test_a_stream_tells_usage_only_where_it_was_asked_for(
    gateway: Gateway, sockets: Path, tmp_path: Path, wanted: bool
) -> None:
    options: Any = {"stream_options": {"include_usage": True}} if wanted else {}
    messages: Any = [TASK]
    with trial(tmp_path, response_like := says("x" * 100)) as one:
        with gateway.serve(one.session, sockets), client(sockets) as asked:
            chunks = list(
                asked.chat.completions.create(model="m", messages=messages, stream=True, **options)
            )

        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
        assert text == message_of(response_like)["content"]
        assert [chunk.usage is not None for chunk in chunks][-1] == wanted


def test_tools_are_listed_with_their_schema_and_unknown_ones_are_journalled(
    gateway: Gateway, sockets: Path, tmp_path: Path
) -> None:
    async def listed() -> list[tuple[str, Any]]:
        async with tools(sockets) as session:
            return [(tool.name, tool.input_schema) for tool in (await session.list_tools()).tools]

    with trial(tmp_path, user=["yes"]) as one:
        with gateway.serve(one.session, sockets):
            found = anyio.run(listed)
            assert take(sockets, "nothing", {"big": 2**60})[1]
            assert take(sockets, "ask_user", {"question": "Really?"}) == ("yes", False)

        assert [name for name, _ in found] == ["take", "look", "ask_user"]
        assert found[0][1] == one.shelf.tools[0].parameters
        calls = [event for event in one.events() if isinstance(event, ToolCallEvent)]
        assert [(call.tool, call.arguments, call.via) for call in calls] == [
            ("nothing", {"big": 2**60}, "mcp"),
            ("ask_user", {"question": "Really?"}, "mcp"),
        ]


def test_the_end_of_the_trial_answers_403_everywhere(
    gateway: Gateway, sockets: Path, tmp_path: Path
) -> None:
    messages: Any = [TASK]
    with (
        trial(tmp_path, says("one"), limits=Limits(steps=1)) as one,
        gateway.serve(one.session, sockets),
        client(sockets) as asked,
    ):
        asked.chat.completions.create(model="m", messages=messages)
        with pytest.raises(openai.PermissionDeniedError) as denied:
            asked.chat.completions.create(model="m", messages=messages)

        assert denied.value.body == {
            "message": "the trial has ended: step_limit steps: 1",
            "type": "trial_limit",
            "param": None,
            "code": "step_limit",
        }
        for method, path in [("GET", "/trial"), ("POST", "/mcp"), ("POST", "/reply")]:
            assert raw(sockets, method, path).status_code == 403


def raw(sockets: Path, method: str, path: str, **more: Any) -> httpx2.Response:
    transport = httpx2.HTTPTransport(uds=str(sockets / "gateway.sock"))
    with httpx2.Client(transport=transport, trust_env=False) as http:
        return http.request(method, f"http://gateway{path}", **more)


def test_the_trial_the_reply_the_note_and_the_submission_have_routes(
    gateway: Gateway, sockets: Path, tmp_path: Path
) -> None:
    with trial(tmp_path, user=["Which one?"]) as one:
        with gateway.serve(one.session, sockets):
            told = raw(sockets, "GET", "/trial").json()
            assert told["tools"][0]["parameters"] == one.shelf.tools[0].parameters
            assert {key: told[key] for key in told if key != "tools"} == {
                "task_id": "t",
                "trial": 1,
                "prompt": PROMPT,
                "system": "Be brief.",
                "model": "test/listed",
                "user": True,
                "agent": {"kind": "command"},
            }
            models = raw(sockets, "GET", "/v1/models").json()
            assert [model["id"] for model in models["data"]] == ["test/listed"]
            said = raw(sockets, "POST", "/reply", json={"content": "a", "finish_reason": "stop"})
            assert said.json() == {"user": "Which one?"}
            raw(sockets, "POST", "/note", json={"content": "n"})
            raw(sockets, "POST", "/submit", json={"content": "the red one"})
        read = one.trajectory()

        assert (read.final_reply, read.submitted, read.notes) == ("the red one", True, ("n",))
