"""Ceilings hold for calls that are under way together, and where a provider counts no tokens."""

import threading
from typing import Any

import pytest

from tests.llm.provider import chat, error, good, model_at, provider
from trajaudit.datamodel.judging import Budget
from trajaudit.errors import ProviderError
from trajaudit.judge.ceiling import Most, most_of
from trajaudit.judge.meter import BudgetSpentError, Meter, MeteredModel
from trajaudit.llm.base import ModelRequest, ModelResponse
from trajaudit.llm.price import Price
from trajaudit.llm.scripted import Reply, ScriptedModel

BODY = {"messages": [{"role": "user", "content": "x" * 331}], "max_tokens": 50}
"""364 characters of JSON: 104 tokens by the rule of thumb, 154 with the reply."""
PRICE = Price(prompt=1e4, completion=1e4)


class Answering(ScriptedModel):
    """A provider that answers when it is let, with a usage of its own."""

    def __init__(self, usage: dict[str, Any], wait: threading.Event | None = None) -> None:
        super().__init__([Reply(text="x", repeat=True)])
        self.usage, self.wait, self.entered = usage, wait, threading.Semaphore(0)

    def send(self, request: ModelRequest) -> ModelResponse:
        self.entered.release()
        if self.wait is not None:
            assert self.wait.wait(10)
        return ModelResponse(body={"choices": [], "usage": self.usage})


USED = {"prompt_tokens": 90, "completion_tokens": 10}


def send(model: MeteredModel) -> ModelResponse:
    return model.send(ModelRequest(endpoint="chat", body=BODY))


def test_the_most_of_a_call_is_its_prompt_and_the_longest_reply() -> None:
    assert most_of(BODY, PRICE) == Most(154, 1.54)
    assert most_of(BODY, None) == Most(154, 0.0)
    assert most_of({}, PRICE) == Most(0, 0.0)


@pytest.mark.parametrize("budget", [Budget(tokens=400), Budget(cost_usd=4.0)])
def test_calls_that_are_under_way_together_pass_no_ceiling(budget: Budget) -> None:
    let = threading.Event()
    inner, meter = Answering(USED, let), Meter(budget=budget)
    model = MeteredModel(inner, meter, PRICE)
    first = [threading.Thread(target=send, args=(model,)) for _ in range(2)]
    for one in first:
        one.start()
        assert inner.entered.acquire(timeout=10)

    with pytest.raises(BudgetSpentError, match=r"leaves no room; .* a call may take"):
        send(model)
    let.set()
    for one in first:
        one.join()

    # What was held back for them is free again: they took less.
    send(model)
    assert (meter.calls, meter.tokens) == (3, 300)
    with pytest.raises(BudgetSpentError, match="leaves no room"):
        send(model)


def test_where_no_tokens_are_counted_the_most_is_taken() -> None:
    meter = Meter(budget=Budget(tokens=200))
    model = MeteredModel(Answering({}), meter)
    send(model)

    assert (meter.tokens, meter.unpriced) == (154, 1)
    with pytest.raises(BudgetSpentError, match="leaves no room; tokens 154 of 200"):
        send(model)


def test_a_call_that_fails_holds_nothing_back() -> None:
    class Failing(ScriptedModel):
        def send(self, request: ModelRequest) -> ModelResponse:
            raise ProviderError("down")

    meter = Meter(budget=Budget(tokens=200))
    model = MeteredModel(Failing([Reply(text="x")]), meter)
    for _ in range(3):
        with pytest.raises(ProviderError):
            send(model)

    assert (meter.calls, meter.tokens) == (3, 0)


def test_each_attempt_is_a_call() -> None:
    meter = Meter(budget=Budget())
    answers = [error(503), error(429), good(chat()), good(chat())]
    with provider(*answers) as script, model_at(script, before_retry=meter.repeat) as inner:
        model = MeteredModel(inner, meter)
        send(model)
        send(model)

    assert (meter.calls, meter.retries, len(script.requests)) == (4, 2, 4)


def test_no_repeat_passes_the_ceiling_of_calls_or_comes_after_a_stop() -> None:
    meter = Meter(budget=Budget(calls=3))
    with provider(error(503)) as script, model_at(script, before_retry=meter.repeat) as inner:
        with pytest.raises(BudgetSpentError, match="calls 3 of 3"):
            send(MeteredModel(inner, meter))
        assert (meter.calls, len(script.requests)) == (3, 3)

        free = Meter(budget=Budget(), stopped=True)
        with pytest.raises(BudgetSpentError, match="was stopped"):
            free.repeat()


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -90, "completion_tokens": -10},
        {"prompt_tokens": "90"},
        ["no object"],
        None,
    ],
)
def test_a_usage_that_cannot_be_is_the_most_that_it_may_be(usage: Any) -> None:
    meter = Meter(budget=Budget(tokens=160, cost_usd=1.6))
    model = MeteredModel(Answering(usage), meter, PRICE)

    send(model)

    assert meter.tokens == 154
    assert meter.cost_usd == pytest.approx(1.54)
    with pytest.raises(BudgetSpentError):
        send(model)
