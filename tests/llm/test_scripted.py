"""A script answers in both formats, streamed or not, and trials at once do not disturb it."""

from pathlib import Path
from typing import Any

import pytest

from trajaudit.errors import ProviderError, UsageError
from trajaudit.llm import open_model
from trajaudit.llm.base import Endpoint, ModelRequest, ProviderReply
from trajaudit.llm.scripted import Reply, Script, ScriptedError, ScriptedModel
from trajaudit.llm.stream import assemble

CALL: dict[str, Any] = {"get_order": {"order_id": "A-17"}}


def _request(*said: str, endpoint: Endpoint = "chat", **extra: Any) -> ModelRequest:
    roles = ("user", "assistant")
    items = [{"role": roles[i % 2], "content": text} for i, text in enumerate(said)]
    key = "messages" if endpoint == "chat" else "input"
    return ModelRequest(endpoint=endpoint, body={"model": "x", key: items}, **extra)


def _text(model: ScriptedModel, *said: str) -> Any:
    return model.send(_request(*said)).body["choices"][0]["message"]["content"]


def test_takes_replies_in_the_turn_of_each_conversation() -> None:
    model = ScriptedModel([Reply(text="one"), Reply(text="two", repeat=True)])

    assert [_text(model, "a"), _text(model, "b")] == ["one", "one"]
    assert [_text(model, "a", "one", "c"), _text(model, "a", "1", "c", "2", "d")] == ["two"] * 2


def test_counts_calls_where_it_is_told_to_and_ends_with_the_script() -> None:
    model = ScriptedModel(Script(replies=(Reply(text="one"), Reply(text="two")), count="calls"))

    assert [_text(model, "a"), _text(model, "a")] == ["one", "two"]
    with pytest.raises(ProviderError, match="no reply to call 3"):
        _text(model, "a")


def test_a_reply_for_a_text_or_a_turn_comes_before_the_plain_ones() -> None:
    model = ScriptedModel(
        [Reply(text="plain"), Reply(text="second", n=2), Reply(text="found", when="/A-\\d+/")]
    )

    said = [_text(model, "x"), _text(model, "A-17"), _text(model, "x", "plain", "y")]
    assert said == ["plain", "found", "second"]


@pytest.mark.parametrize("endpoint", ["chat", "responses"])
def test_a_streamed_answer_is_the_whole_one_in_pieces(endpoint: Endpoint) -> None:
    model = ScriptedModel([Reply(text="a long text " * 9, tool_calls=(CALL,))])
    whole = model.send(_request("a", endpoint=endpoint)).body
    streamed = model.send(_request("a", endpoint=endpoint, stream=True))

    assert streamed.chunks is not None
    chunks = list(streamed.chunks)
    assert len(chunks) > 4
    together = assemble(chunks, endpoint, done=False)
    key = "choices" if endpoint == "chat" else "output"
    assert together[key] == whole[key] == streamed.body[key]


def test_errors_of_the_request_and_failures_are_told_apart() -> None:
    def fails(status: int, code: str | None = None) -> ScriptedModel:
        return ScriptedModel([Reply(error=ScriptedError(status=status, code=code))])

    with pytest.raises(ProviderReply) as raised:
        fails(400, "context_length_exceeded").send(_request("a"))
    assert (raised.value.status, raised.value.code) == (400, "context_length_exceeded")
    with pytest.raises(ProviderError) as failed:
        fails(503).send(_request("a"))
    assert failed.value.status == 503
    with pytest.raises(ProviderError, match="no answer within"):
        ScriptedModel([Reply(text="x", delay_s=9)]).send(_request("a", timeout_s=0.01))


def test_a_file_is_read_and_its_faults_are_told(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("- {tool_calls: [{get_order: 'raw {'}]}\n- {text: done}\n")

    body = open_model(f"scripted/{path}").send(_request("a")).body
    message = body["choices"][0]["message"]
    assert message["tool_calls"][0]["function"] == {"name": "get_order", "arguments": "raw {"}

    for faulty in ("- {txt: x}", "[]", "- {when: '/(/'}", "{"):
        path.write_text(faulty)
        with pytest.raises(UsageError, match=r"script\.yaml"):
            open_model(f"scripted/{path}")
