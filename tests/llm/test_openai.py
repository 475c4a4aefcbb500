"""A provider's bodies pass through unchanged, and each of its failures is told apart."""

import json
import time
from typing import Any

import pytest

from tests.llm.provider import Answer, chat, error, good, model_at, provider, stream
from trajaudit.datamodel.event import Retry
from trajaudit.errors import ProviderError
from trajaudit.llm.base import ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.price import Price

KEY = "sk-a-very-secret-key"
BODY = {"model": "some-model", "messages": [{"role": "user", "content": "hi"}]}


def _ask(*answers: Answer, **request: Any) -> ModelResponse:
    with provider(*answers) as script, model_at(script) as model:
        return model.send(ModelRequest(endpoint="chat", body=BODY, **request))


def _failure(*answers: Answer, **request: Any) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        _ask(*answers, **request)
    return raised.value


def _deltas(*texts: str) -> list[dict[str, Any]]:
    return [
        {"id": "c", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}
        for text in texts
    ]


END = {"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
USAGE = {"id": "c", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}


def test_unknown_fields_of_request_and_response_pass_through_unchanged() -> None:
    answer = chat(vendor={"deep": [1, None]}, timings={"ms": 0.5})
    asked = {**BODY, "top_k": 7, "vendor_option": {"a": [None, 2.5]}, "big": 2**60 + 1}
    with provider(good(answer)) as script, model_at(script) as model:
        response = model.send(ModelRequest(endpoint="chat", body=asked))

    assert script.requests == [asked]
    assert script.paths == ["/v1/chat/completions"]
    assert response.body == answer
    assert response.retries == []
    assert response.chunks is None
    assert response.cost_usd is None


def test_responses_have_their_own_path_and_shape() -> None:
    answer = {"id": "r", "status": "completed", "output": []}
    with provider(good(answer)) as script, model_at(script) as model:
        response = model.send(ModelRequest(endpoint="responses", body={"input": "hi"}))

    assert (script.paths, response.body) == (["/v1/responses"], answer)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_passing_error_is_repeated_and_each_retry_recorded(status: int) -> None:
    response = _ask(error(status), error(status), good())

    assert response.body == chat()
    assert [retry.status for retry in response.retries] == [status, status]
    assert all(retry.wait_s > 0 for retry in response.retries)
    assert f"status {status}" in response.retries[0].error


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(body=b"<html><body>Bad\n  Gateway</body></html>"), "not JSON: <html><body>Bad Ga"),
        (Answer(), "not JSON: nothing at all"),
        (Answer(body=b'{"choices": [], "id": 1}'), "no choices"),
        (Answer(body=b'{"choices": [{"text": "x"}]}'), "a choice without a message"),
        (Answer(body=b"[1]"), "not an object"),
        (Answer(body=b'{"error": {"message": "overloaded"}}'), "an error in an answer with stat"),
        (Answer(body=b'{"error": {"message": "busy", "code": 503}}'), "status 503"),
        (Answer(body=b'{"choi', hang_up=True), "no connection"),
        (Answer(status=502, body=b"<html>\xff</html>"), "status 502: <html>\\xff</html>"),
    ],
)
def test_garbage_is_repeated_and_then_told_with_an_excerpt(answer: Answer, told: str) -> None:
    recovered = _ask(answer, good())
    assert (recovered.body, len(recovered.retries)) == (chat(), 1)
    assert told in recovered.retries[0].error

    failed = _failure(answer)
    assert told in str(failed)
    assert str(failed).startswith("openai/some-model: ")
    assert str(failed).endswith("(after 4 attempts)")
    assert len(str(failed)) < 400


def test_no_server_is_a_failure_without_a_status() -> None:
    with provider(good()) as script:
        pass
    with model_at(script) as model, pytest.raises(ProviderError, match="no connection") as raised:
        model.send(ModelRequest(endpoint="chat", body=BODY))

    assert raised.value.status is None


@pytest.mark.parametrize("status", [400, 413, 422])
def test_an_error_of_the_request_comes_at_once_and_as_it_is(status: int) -> None:
    with (
        provider(error(status, "bad tool")) as script,
        model_at(script) as model,
        pytest.raises(ProviderReply) as raised,
    ):
        model.send(ModelRequest(endpoint="chat", body=BODY))

    assert len(script.requests) == 1
    assert (raised.value.status, raised.value.code) == (status, "some_type")
    assert raised.value.body["error"]["message"] == "bad tool"


@pytest.mark.parametrize("status", [301, 401, 402, 403, 404])
def test_a_wrong_key_name_or_address_is_nothing_the_agent_did(status: int) -> None:
    failed = _failure(error(status, location="http://elsewhere.invalid/"), good())

    assert failed.status == status
    assert "(after 1 attempt)" in str(failed)


def test_an_exhausted_quota_is_not_waited_for() -> None:
    body = {"error": {"message": "quota", "code": "insufficient_quota"}}
    failed = _failure(Answer(status=429, body=json.dumps(body).encode()), good())

    assert (failed.status, "(after 1 attempt)" in str(failed)) == (429, True)


def test_retry_after_is_obeyed_within_its_bound() -> None:
    began = time.monotonic()
    response = _ask(error(429, retry_after="0.2"), error(429, retry_after="9999"), good())

    assert response.retries[0].wait_s == pytest.approx(0.2)
    assert response.retries[1].wait_s == pytest.approx(0.3)
    assert 0.5 <= time.monotonic() - began < 5


def test_a_key_never_shows_up_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    leak = f"Incorrect API key provided: {KEY}"
    seen = []
    for status in (400, 401, 500):
        with (
            provider(error(status, leak)) as script,
            model_at(script, api_key_env="MY_KEY") as model,
            pytest.raises((ProviderError, ProviderReply)) as raised,
        ):
            model.send(ModelRequest(endpoint="chat", body=BODY))
        seen.append(str(raised.value) + str(getattr(raised.value, "body", "")))

    assert all("[secret]" in text and KEY not in text for text in seen)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_slow_drip_ends_at_the_time_out(streamed: bool) -> None:
    dripping = Answer(body=b": ping\n" * 5000, drip_s=0.05)
    began = time.monotonic()
    response = _ask(
        dripping, stream(*_deltas("x"), END) if streamed else good(), stream=streamed, timeout_s=0.5
    )

    assert 0.5 <= time.monotonic() - began < 5
    assert "time-out" in response.retries[0].error


def test_silence_ends_at_the_time_out() -> None:
    silent = Answer(body=b" " * 3, drip_s=3.0)

    response = _ask(silent, good(), timeout_s=0.3)

    assert response.retries == [
        Retry(status=None, wait_s=response.retries[0].wait_s, error="no answer within 0.3 s")
    ]


def test_a_streamed_answer_comes_as_chunks_and_whole_with_usage_and_times() -> None:
    response = _ask(stream(*_deltas("a", "b"), END, USAGE), stream=True)

    assert response.chunks is not None
    assert list(response.chunks) == [*_deltas("a", "b"), END]
    choice = response.body["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("ab", "stop")
    assert response.body["usage"] == USAGE["usage"]
    assert response.ttft_s is not None
    assert 0 < response.ttft_s <= response.latency_s


def test_usage_chunks_reach_only_an_agent_that_asked_for_them() -> None:
    asked = {**BODY, "stream_options": {"include_usage": True}}
    with provider(stream(*_deltas("a"), END, USAGE)) as script, model_at(script) as model:
        response = model.send(ModelRequest(endpoint="chat", body=asked, stream=True))
        model.send(ModelRequest(endpoint="chat", body=BODY, stream=True))

    assert response.chunks is not None
    assert list(response.chunks)[-1] == USAGE
    assert [r["stream_options"] for r in script.requests] == [{"include_usage": True}] * 2


def test_a_provider_that_knows_no_stream_options_is_asked_without_them() -> None:
    refusal = error(400, "Unrecognized request argument supplied: stream_options")
    with provider(refusal, stream(*_deltas("a"), END)) as script, model_at(script) as model:
        model.send(ModelRequest(endpoint="chat", body=BODY, stream=True))

    assert ["stream_options" in request for request in script.requests] == [True, False]


@pytest.mark.parametrize(
    ("cut", "told"),
    [
        (stream(*_deltas("half"), done=False), "in the middle of the answer"),
        (stream(*_deltas("half"), done=False, hang_up=True), "no connection"),
        (stream(done=False), "no choices"),
        (Answer(body=b"data: {oops\n\n"), "not JSON in the stream"),
        (stream({"error": {"message": "overloaded"}}), "overloaded"),
    ],
)
def test_a_stream_that_is_cut_is_repeated_as_a_whole(cut: Answer, told: str) -> None:
    response = _ask(cut, stream(*_deltas("whole"), END), stream=True)

    assert response.chunks is not None
    assert list(response.chunks) == [*_deltas("whole"), END]
    assert response.body["choices"][0]["message"]["content"] == "whole"
    assert told in response.retries[0].error
    assert told in str(_failure(cut, stream=True))


def test_cost_comes_from_the_users_prices() -> None:
    price = Price(prompt=1.0, completion=100.0)
    with provider(good()) as script, model_at(script, price=price) as model:
        response = model.send(ModelRequest(endpoint="chat", body=BODY))

    assert response.cost_usd == pytest.approx((10 * 1.0 + 2 * 100.0) / 1e6)
