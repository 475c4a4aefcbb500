"""A judge's requests begin evenly apart, whoever sends them."""

import threading

import pytest

from trajaudit.judge.throttle import ThrottledModel
from trajaudit.llm.base import ModelRequest
from trajaudit.llm.scripted import Reply, ScriptedModel

REQUEST = ModelRequest(endpoint="chat", body={"messages": [{"role": "user", "content": "x"}]})


def test_requests_of_many_threads_take_turns() -> None:
    waits: list[float] = []
    inner = ScriptedModel([Reply(text="x", repeat=True)])
    model = ThrottledModel(inner, per_minute=6, sleep=waits.append)
    threads = [threading.Thread(target=model.send, args=(REQUEST,)) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    # The first goes at once, each later one ten seconds after the one before.
    assert sorted(waits) == pytest.approx([10, 20, 30], abs=1)


def test_who_asks_seldom_waits_for_nothing() -> None:
    waits: list[float] = []
    inner = ScriptedModel([Reply(text="x", repeat=True)])
    model = ThrottledModel(inner, per_minute=6e6, sleep=waits.append)
    for _ in range(3):
        model.send(REQUEST)
        threading.Event().wait(0.001)

    assert waits == []
