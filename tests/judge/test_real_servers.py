"""Before servers not written here, every fault ends as its documented status, and nothing hangs.

A LiteLLM proxy and the embedded llama.cpp server stand behind the judge's seat. What they cannot do
to us, a relay between does to their bytes.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.judge import made, paired
from tests.judge.litellm_proxy import KEY, NoProxyError, proxy
from tests.judge.relay import Fault, relay
from trajaudit.datamodel.judging import Judge, Panel, ReplyStatus, Vote
from trajaudit.judge.pairwise_seat import Cell, ask_pair
from trajaudit.judge.panel import Bench
from trajaudit.judge.seat import Item, Seat
from trajaudit.judge.view import view_of
from trajaudit.llm import ModelOptions, open_model
from trajaudit.llm.local import LocalModel
from trajaudit.llm.pace import RetryPolicy

pytestmark = pytest.mark.slow
R = ReplyStatus
QUICK = RetryPolicy(attempts=5, first_wait_s=0.01, longest_wait_s=0.05, longest_retry_after_s=2.0)
TEMPLATE = "{{nonce}} {{rubric}} {{criteria}} {{contract}}"
GOOD = {"text": made.reply()}
ROTTEN = {"text": "The trial passes, I would say."}
WRONG = {"text": json.dumps({"criteria": [], "overall": "pass"})}
REPLIES: dict[str, list[dict[str, Any]]] = {
    "good": [GOOD],
    "fails": [{"text": made.reply("fail")}],
    "prefers": [{"text": paired.reply("tie")}],
    "broken_json": [{"text": made.reply()[:-60] + ", oops"}],
    "prose": [ROTTEN],
    "prose_once": [ROTTEN, GOOD],
    "wrong_schema": [WRONG],
    "wrong_schema_once": [WRONG, GOOD],
    "filtered": [{"text": "", "finish_reason": "content_filter"}],
    "filtered_half": [{"text": made.reply(), "finish_reason": "content_filter"}],
    "policy": [{"error": "ContentPolicyViolationError"}],
    "cut": [{"text": made.reply()[:-40], "finish_reason": "length"}],
    "empty": [{"text": ""}],
    "none": [{"text": None}],
    "no_choices": [{"no_choices": True}],
    "no_choices_once": [{"no_choices": True}, GOOD],
    "limited": [{"error": "RateLimitError"}, {"error": "RateLimitError"}, GOOD],
    "limited_for_ever": [{"error": "RateLimitError"}],
    "unavailable": [{"error": "ServiceUnavailableError"}],
    "no_such_key": [{"error": "AuthenticationError"}],
    "too_long": [{"error": "ContextWindowExceededError"}],
    "slow": [{**GOOD, "delay_s": 30}],
}
ITEM = Item("late", 1, view_of("outcome", made.TASK, made.trajectory()))


@pytest.fixture(scope="module")
def litellm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of the proxy."""
    try:
        with proxy(tmp_path_factory.mktemp("litellm"), REPLIES) as url:
            yield url
    except NoProxyError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"needs a LiteLLM proxy; {error}")


@contextmanager
def seat(url: str, name: str, timeout_s: float = 60.0) -> Iterator[Seat]:
    """A judge at a server, as a panel would open it."""
    headers = {"Authorization": f"Bearer {KEY}"}
    settings = ModelOptions(retry=QUICK, headers=headers, timeout_s=timeout_s)
    model = open_model(f"openai/{name}", base_url=url, options=settings)
    judge = Seat(Judge(model=f"openai/{name}"), model, name)
    try:
        yield judge
    finally:
        judge.close()


def asked(one: Seat) -> Vote:
    return one.ask(ITEM, made.RUBRIC, TEMPLATE, seed=0, order=1, replicate=1)


def voted(url: str, name: str, timeout_s: float = 60.0) -> Vote:
    with seat(url, name, timeout_s) as one:
        return asked(one)


@pytest.mark.parametrize(
    ("name", "status", "replies"),
    [
        ("good", R.OK, 1),
        ("broken_json", R.TRUNCATED, 2),
        ("prose", R.UNPARSED, 2),
        ("prose_once", R.OK, 2),
        ("wrong_schema", R.UNPARSED, 2),
        ("wrong_schema_once", R.OK, 2),
        ("filtered", R.REFUSED, 1),
        ("filtered_half", R.REFUSED, 1),
        ("policy", R.REFUSED, 0),
        ("cut", R.TRUNCATED, 2),
        ("empty", R.EMPTY, 2),
        ("none", R.EMPTY, 2),
        ("no_choices", R.PROVIDER_FAILED, 0),
        ("no_choices_once", R.OK, 1),
        ("limited_for_ever", R.PROVIDER_FAILED, 0),
        ("unavailable", R.PROVIDER_FAILED, 0),
        ("no_such_key", R.PROVIDER_FAILED, 0),
        ("too_long", R.TOO_LONG, 0),
    ],
)
def test_what_litellm_answers_ends_as_its_status(
    litellm: str, name: str, status: ReplyStatus, replies: int
) -> None:
    vote = voted(litellm, name)

    assert vote.status is status, vote.note
    assert (vote.overall is None) is not status.counts
    assert len(vote.raw) == replies


def test_usage_is_counted_and_streaming_is_off(litellm: str) -> None:
    with relay(litellm) as between:
        vote = voted(between.url, "good")

    (sent,) = between.asked
    body = json.loads(sent.partition(b"\r\n\r\n")[2])
    assert (vote.prompt_tokens, vote.completion_tokens) == (20, 10)
    assert not body.get("stream", False)
    assert body["response_format"]["type"] == "json_schema"


def test_the_routers_retry_after_is_waited_for(litellm: str) -> None:
    began = time.monotonic()
    vote = voted(litellm, "limited")
    took_s = time.monotonic() - began

    assert vote.status is R.OK
    # Both deployments cool down for a second; backoff alone would take 0.2 s at most.
    assert 1.0 <= took_s < 10


def test_a_provider_that_never_answers_ends_in_time(litellm: str) -> None:
    began = time.monotonic()
    vote = voted(litellm, "slow", timeout_s=0.5)

    assert (vote.status, "no answer within 0.5 s" in vote.note) == (R.PROVIDER_FAILED, True)
    assert time.monotonic() - began < 10


FAULTS = {
    "refused": Fault(refuse=True),
    "cut in the head": Fault(cut_after=10),
    "cut before the body": Fault(cut_after=400),
    "held": Fault(hold_s=2.0),
    "not HTTP": Fault(garbage=b"SSH-2.0-OpenSSH_9.7\r\n"),
    "HTML": Fault(garbage=b"HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n<html>hi</html>"),
    "not JSON": Fault(garbage=b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"choices": ['),
    "dripping": Fault(drip_s=0.02),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_connection_that_fails_is_repeated(litellm: str, fault: Fault) -> None:
    with relay(litellm, fault, fault) as between:
        vote = voted(between.url, "good", timeout_s=1.0)

    assert vote.status is R.OK, vote.note
    assert len(vote.raw) == 1
    assert between.faults == []


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_connection_that_always_fails_is_no_reply_and_ends_in_time(
    litellm: str, fault: Fault
) -> None:
    began = time.monotonic()
    with relay(litellm, *[fault] * 20) as between:
        vote = voted(between.url, "good", timeout_s=0.3)

    assert (vote.status, vote.raw) == (R.PROVIDER_FAILED, ())
    assert "after 5 attempts" in vote.note
    assert time.monotonic() - began < 10


def test_a_judge_whose_provider_comes_back_is_asked_only_for_what_is_missing(
    litellm: str, tmp_path: Path
) -> None:
    panel = Panel(
        name="p", version=1, judges=(Judge(model="openai/good"), Judge(model="openai/fails"))
    )

    def judged(second_url: str) -> Any:
        with seat(litellm, "good") as one, seat(second_url, "fails", 0.5) as two:
            one.cache = two.cache = tmp_path
            return Bench(panel, made.RUBRIC, TEMPLATE, (one, two)).judge(ITEM)

    with relay(litellm, *[Fault(refuse=True)] * 100) as between:
        broken = judged(between.url)
    whole = judged(litellm)

    assert broken.decision is None
    assert "no connection" in broken.why
    assert [(vote.cached, str(vote.status)) for vote in whole.votes] == [
        (True, "ok"),
        (True, "ok"),
        (False, "ok"),
        (False, "ok"),
    ]
    assert whole.decision is not None


def test_a_comparison_before_litellm_is_read_like_any_other(litellm: str) -> None:
    with seat(litellm, "prefers") as one:
        vote = ask_pair(
            one, paired.pair(), paired.RUBRIC, TEMPLATE, Cell(seed=0, order=1, replicate=1)
        )
    with seat(litellm, "policy") as one:
        held = ask_pair(
            one, paired.pair(), paired.RUBRIC, TEMPLATE, Cell(seed=0, order=1, replicate=1)
        )

    assert (vote.status, vote.choice) == (R.OK, "tie")
    assert held.status is R.REFUSED


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    """The base URL of the embedded llama.cpp server."""
    model = open_model("local/smollm2")
    assert isinstance(model, LocalModel)
    yield f"{model.server.url()}/v1"
    model.close()


@pytest.mark.local_model
def test_llama_cpp_that_runs_into_the_output_limit_is_truncated(llama: str) -> None:
    with seat(llama, "smollm2") as one:
        one.judge = one.judge.model_copy(update={"max_tokens": 20})
        vote = asked(one)

    assert vote.status is R.TRUNCATED
    assert len(vote.raw) == 2
    assert vote.completion_tokens > 0


@pytest.mark.local_model
def test_a_prompt_that_llama_cpp_has_no_room_for_is_too_long(llama: str) -> None:
    view = view_of("outcome", made.TASK, made.trajectory("word " * 20_000))
    with seat(llama, "smollm2") as one:
        vote = one.ask(
            Item("late", 1, view),
            made.RUBRIC,
            "word " * 20_000 + TEMPLATE,
            seed=0,
            order=1,
            replicate=1,
        )

    assert vote.status is R.TOO_LONG
    assert "context" in vote.note


@pytest.mark.local_model
@pytest.mark.parametrize("name", ["refused", "cut in the head", "HTML"])
def test_a_connection_to_llama_cpp_that_fails_is_repeated(llama: str, name: str) -> None:
    with relay(llama, FAULTS[name]) as between, seat(between.url, "smollm2") as one:
        one.judge = one.judge.model_copy(update={"max_tokens": 20})
        vote = asked(one)

    assert vote.status is R.TRUNCATED
    assert between.faults == []


@pytest.mark.local_model
def test_llama_cpp_that_is_too_slow_ends_in_time(llama: str) -> None:
    began = time.monotonic()
    with relay(llama, *[Fault(hold_s=5.0)] * 20) as between:
        vote = voted(between.url, "smollm2", timeout_s=0.2)

    assert (vote.status, vote.raw) == (R.PROVIDER_FAILED, ())
    assert time.monotonic() - began < 20
