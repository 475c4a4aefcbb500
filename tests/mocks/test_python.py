"""Python mocks, run by the real worker program."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.mocks.subprocess_worker import SubprocessWorker
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.errors import MockError
from trajaudit.mocks.base import ToolReply
from trajaudit.mocks.python import SharedWorker, worker_files
from trajaudit.mocks.toolbox import ToolBox

SHOP = """
import os
import sys

seen = []

def refund(world, order_id, amount=0):
    print("refunding", order_id)
    os.write(1, b"not JSON\\n")
    order = world["orders"].get(order_id) or fail(f"no order {order_id}")
    order["refund"] = amount
    world["log"].append(order_id)
    if amount < 0:
        fail("no negative refunds")
    return {"ok": True}

def peek(world):
    return world["orders"]["A"]

def remember(world):
    seen.append(1)
    return len(seen)

def swallow(world):
    try:
        fail("told")
    except Exception:
        return "swallowed"

def crash(world):
    return world["missing"]

def leave(world):
    sys.exit(0)

def vanish(world):
    os._exit(1)

def odd(world):
    return {"when": (1, 2)}

def nan(world):
    world["x"] = float("nan")

def key(world):
    world[1] = "one"
"""
NAMES = ("refund", "peek", "remember", "swallow", "crash", "leave", "vanish", "odd", "nan", "key")
WORLD: JsonValue = {"orders": {"A": {"refund": 0}}, "log": []}

Call = Callable[..., ToolReply]


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[SharedWorker]:
    shared = SharedWorker(lambda: SubprocessWorker(tmp_path, worker_files(_tools(), _open)))
    yield shared
    shared.stop()


def _open(name: str) -> bytes:
    assert name == "mocks/shop.py"
    return SHOP.encode()


def _tools() -> list[ToolSpec]:
    return [
        ToolSpec.model_validate({"name": n, "mock": {"python": "mocks/shop.py"}}) for n in NAMES
    ]


def _box(worker: SharedWorker) -> ToolBox:
    return ToolBox(_tools(), world=WORLD, open_file=_open, worker=lambda: worker)


def test_a_mock_changes_the_world_and_replies(worker: SharedWorker) -> None:
    box = _box(worker)

    reply = box.call("refund", {"order_id": "A", "amount": 4.5})

    assert reply.content == '{"ok":true}'
    assert reply.world_changed
    assert box.world == {"orders": {"A": {"refund": 4.5}}, "log": ["A"]}
    assert WORLD == {"orders": {"A": {"refund": 0}}, "log": []}


def test_a_read_only_call_leaves_the_world(worker: SharedWorker) -> None:
    reply = _box(worker).call("peek", {})

    assert reply == ToolReply(content='{"refund":0}')


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"order_id": "Z"}, "no order Z"),
        ({"order_id": "A", "amount": -1}, "no negative refunds"),
        ({"order_id": "A", "speed": 3}, "refund: got an unexpected keyword argument 'speed'"),
        ({"world": {}, "order_id": "A"}, "refund: multiple values for argument 'world'"),
        ({}, "refund: missing a required argument: 'order_id'"),
        ({"order_id": "\ud800"}, "no order \\ud800"),
    ],
)
def test_what_an_agent_gets_wrong_is_told_to_it_and_changes_nothing(
    worker: SharedWorker, arguments: dict[str, JsonValue], text: str
) -> None:
    box = _box(worker)

    reply = box.call("refund", arguments)

    assert reply == ToolReply(content=text, is_error=True)
    assert box.world == WORLD


def test_nothing_is_remembered_between_calls_but_the_world(worker: SharedWorker) -> None:
    box = _box(worker)

    assert [box.call("remember", {}).content for _ in range(3)] == ["1", "1", "1"]


def test_fail_is_not_swallowed_by_an_except_in_the_mock(worker: SharedWorker) -> None:
    assert _box(worker).call("swallow", {}) == ToolReply(content="told", is_error=True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("crash", "KeyError: 'missing'"),
        ("leave", "SystemExit: 0"),
        ("vanish", "the worker ended"),
        ("odd", "reply.when: tuple is not JSON"),
        ("nan", "world.x: nan is no JSON number"),
        ("key", "world: key 1 is no string"),
    ],
)
def test_a_broken_mock_is_infrastructure_and_says_where(
    worker: SharedWorker, name: str, text: str
) -> None:
    with pytest.raises(MockError, match=text) as raised:
        _box(worker).call(name, {})

    assert f"mock mocks/shop.py: {name}" in str(raised.value)


def test_a_worker_that_does_not_answer_in_time_is_infrastructure() -> None:
    class Slow:
        def ask(self, line: bytes, *, timeout_s: float) -> bytes:
            raise TimeoutError

        def stop(self) -> None: ...

    with pytest.raises(MockError, match=r"no answer within 20 s"):
        _box(SharedWorker(Slow)).call("peek", {})


def test_what_mocks_print_goes_to_stderr(tmp_path: Path) -> None:
    worker = SubprocessWorker(tmp_path, worker_files(_tools(), _open))
    ToolBox(_tools(), world=WORLD, open_file=_open, worker=lambda: worker).call(
        "refund", {"order_id": "A"}
    )
    worker.stop()

    assert worker.printed.read_text() == "refunding A\nnot JSON\n"
