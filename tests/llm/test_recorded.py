"""What was recorded is replayed, and nothing else."""

from pathlib import Path

import pytest

from trajaudit.errors import ProviderError, UsageError
from trajaudit.llm import open_model
from trajaudit.llm.base import ModelRequest, ProviderReply
from trajaudit.llm.recorded import RecordingModel, request_key
from trajaudit.llm.scripted import Reply, ScriptedError, ScriptedModel


def _request(text: str, *, stream: bool = False, model: str = "m") -> ModelRequest:
    body = {"model": model, "messages": [{"role": "user", "content": text}]}
    return ModelRequest(endpoint="chat", body=body, stream=stream)


def _record(path: Path) -> list[object]:
    refused = Reply(error=ScriptedError(status=400, code="bad"), when="bad")
    replies = [refused, Reply(text="A", when="a"), Reply(text="B", when="x")]
    recording = RecordingModel(ScriptedModel(replies), path)
    bodies: list[object] = [
        recording.send(_request("a")).body,
        recording.send(_request("x", stream=True)).body,
    ]
    with pytest.raises(ProviderReply):
        recording.send(_request("bad"))
    return bodies


def test_strict_answers_by_request_whatever_the_order_and_each_once(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    first, second = _record(path)
    model = open_model(f"recorded/{path}")

    streamed = model.send(_request("x", stream=True, model=str(path)))
    assert (streamed.body, streamed.cost_usd) == (second, 0.0)
    assert streamed.chunks is not None
    assert model.send(_request("a")).body == first
    with pytest.raises(ProviderReply) as raised:
        model.send(_request("bad"))
    assert (raised.value.status, raised.value.code) == (400, "bad")
    with pytest.raises(ProviderError, match="no answer is left"):
        model.send(_request("a"))
    with pytest.raises(ProviderError, match="holds no such request"):
        model.send(_request("new"))


def test_fifo_answers_in_order_whatever_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    bodies = _record(path)
    model = open_model(f"recorded:{path}?fifo")

    assert [model.send(_request("?")).body, model.send(_request("!")).body] == bodies


def test_the_key_ignores_what_changes_nothing_and_heeds_the_rest() -> None:
    body = {"model": "m", "messages": [], "temperature": 0}

    same = {"temperature": 0, "messages": [], "model": "other", "stream": True, "user": "u"}
    assert request_key("chat", body) == request_key("chat", same)
    assert request_key("chat", body) != request_key("chat", {**body, "temperature": 1})
    assert request_key("chat", body) != request_key("responses", body)


def test_a_cassette_that_is_none_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    for text, told in (("\n{", ":2: not JSON"), ("{}", ":1: a line holds")):
        path.write_text(text)
        with pytest.raises(UsageError, match=told):
            open_model(f"recorded/{path}")
    with pytest.raises(UsageError, match="unknown policy 'lifo'"):
        open_model(f"recorded/{path}?lifo")
    with pytest.raises(UsageError, match="cannot read the cassette"):
        open_model("recorded/none.jsonl")
