"""A kept answer is given again to the same request only, and failures are not kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from trajaudit.errors import ProviderError, StorageError
from trajaudit.llm.answer_store import FILE, KeptAnswersWarning
from trajaudit.llm.base import Endpoint, ModelRequest, ModelResponse
from trajaudit.llm.cache import CachedModel, cache_key

ASKED: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "user", "content": "q"}],
    "temperature": 0.7,
    "max_tokens": 100,
}


def completion(text: str | None) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


class Counting:
    """A model that answers with how often it was asked."""

    model_id = "made/up"
    family = "made"
    endpoints: frozenset[Endpoint] = frozenset({"chat"})

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.asked = 0
        self._answers = list(answers)

    def send(self, _request: ModelRequest) -> ModelResponse:
        self.asked += 1
        body = self._answers.pop(0) if self._answers else completion(f"answer {self.asked}")
        if "down" in body:
            raise ProviderError("it is down")
        return ModelResponse(body=body, cost_usd=0.5)

    def close(self) -> None:
        self.asked = -1


def request(**changed: Any) -> ModelRequest:
    return ModelRequest(endpoint="chat", body={**ASKED, **changed})


def text_of(response: ModelResponse) -> str:
    return str(response.body["choices"][0]["message"]["content"])


def test_the_same_request_is_paid_for_once(tmp_path: Path) -> None:
    model = Counting()
    first = CachedModel(model, tmp_path).send(request())
    again = CachedModel(model, tmp_path).send(request())

    assert (text_of(first), first.cost_usd) == ("answer 1", 0.5)
    assert (text_of(again), again.cost_usd) == ("answer 1", 0.0)
    assert model.asked == 1


def test_a_kept_answer_is_streamed_where_a_stream_is_asked_for(tmp_path: Path) -> None:
    model = CachedModel(Counting(), tmp_path)
    model.send(request())
    streamed = model.send(ModelRequest(endpoint="chat", body=ASKED, stream=True))
    assert streamed.chunks is not None
    assert "answer 1" in str(list(streamed.chunks))


def test_another_draw_is_another_answer(tmp_path: Path) -> None:
    model = Counting()
    texts = [text_of(CachedModel(model, tmp_path, draw=n).send(request())) for n in (1, 2, 1)]
    assert texts == ["answer 1", "answer 2", "answer 1"]


@pytest.mark.parametrize(
    "changed",
    [
        {"temperature": 0.0},
        {"max_tokens": 10},
        {"seed": 1},
        {"messages": [{"role": "user", "content": "q "}]},
        {"tools": []},
    ],
)
def test_whatever_shapes_the_answer_is_in_the_key(changed: dict[str, Any]) -> None:
    assert cache_key("m", "chat", ASKED) != cache_key("m", "chat", {**ASKED, **changed})


def test_model_and_endpoint_are_in_the_key_and_the_order_of_fields_is_not() -> None:
    key = cache_key("m", "chat", ASKED)
    assert key != cache_key("n", "chat", ASKED)
    assert key != cache_key("m", "responses", ASKED)
    assert key == cache_key("m", "chat", dict(reversed(ASKED.items())))
    assert key == cache_key("m", "chat", {**ASKED, "max_tokens": 100.0})


@pytest.mark.parametrize("failed", [completion(None), completion(""), {"error": {"code": 429}}, {}])
def test_an_answer_without_anything_in_it_is_not_kept(
    tmp_path: Path, failed: dict[str, Any]
) -> None:
    model = CachedModel(Counting(failed), tmp_path)
    model.send(request())
    assert text_of(model.send(request())) == "answer 2"


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    model = CachedModel(Counting({"down": True}), tmp_path)
    with pytest.raises(ProviderError):
        model.send(request())
    assert text_of(model.send(request())) == "answer 2"


def test_a_damaged_file_is_told_and_done_without(tmp_path: Path) -> None:
    model = CachedModel(Counting(), tmp_path)
    model.send(request())
    (tmp_path / FILE).write_bytes(b"not a database" * 100)
    with pytest.warns(KeptAnswersWarning, match="until the file is removed"):
        assert text_of(model.send(request())) == "answer 2"
    (tmp_path / FILE).unlink()
    assert [text_of(model.send(request())) for _ in "ab"] == ["answer 3"] * 2


def test_answers_in_files_of_old_are_left_alone(tmp_path: Path) -> None:
    key = cache_key("made/up", "chat", ASKED)
    old = tmp_path / key[:2] / f"{key}.json"
    old.parent.mkdir()
    old.write_text(json.dumps(completion("of old")))
    assert text_of(CachedModel(Counting(), tmp_path).send(request())) == "answer 1"
    assert old.exists()


def test_a_folder_that_cannot_be_written_is_told_and_closing_closes(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    inner = Counting()
    model = CachedModel(inner, tmp_path / "file")
    with pytest.raises(StorageError, match="cannot be kept"):
        model.send(request())
    model.close()
    assert inner.asked == -1
