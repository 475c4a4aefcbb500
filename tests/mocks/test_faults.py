"""Which fault hits a call, and what is seen of it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajaudit.datamodel.tool import FaultKind, FaultSpec
from trajaudit.mocks.base import ToolReply
from trajaudit.mocks.faults import FaultPlan, inject, malformed, partial

TRUE = ToolReply(content='{"ok":true,"sum":4}', world={"n": 1}, world_changed=True)


def _hits(fault: FaultSpec, calls: int, seed: int = 0) -> list[int]:
    plan = FaultPlan([fault], seed)
    return [n for n in range(1, calls + 1) if plan.pick("pay", n, {"id": n % 2})]


@pytest.mark.parametrize(
    ("written", "hit"),
    [
        ({}, [1]),
        ({"call": 2}, [2]),
        ({"times": 2}, [1, 2]),
        ({"args": {"id": 0}}, [2, 4, 6]),
        ({"args": {"id": 0}, "times": 1}, [2]),
        ({"args": {"id": "*"}, "call": 5}, [5]),
        ({"args": {"other": "*"}}, []),
        ({"rate": 1.0}, [1, 2, 3, 4, 5, 6]),
    ],
)
def test_a_fault_fires_where_it_was_declared(written: dict[str, object], hit: list[int]) -> None:
    fault = FaultSpec.model_validate({"tool": "pay", "fail": "error", **written})

    assert _hits(fault, 6) == hit


def test_a_rate_is_met_and_depends_on_the_seed_alone() -> None:
    fault = FaultSpec(tool="pay", fail="error", rate=0.3)

    assert 240 < len(_hits(fault, 1000)) < 360
    assert _hits(fault, 1000) == _hits(fault, 1000)
    assert _hits(fault, 1000) != _hits(fault, 1000, seed=1)


def test_two_faults_for_the_same_call_hit_one_after_the_other() -> None:
    plan = FaultPlan([FaultSpec(tool="pay", fail=kind) for kind in ("error", "timeout")], 0)

    picked = [plan.pick("pay", number, {}) for number in (1, 2, 3)]

    assert [hit and hit[0] for hit in picked] == [0, 1, None]
    assert plan.not_hit() == []


@pytest.mark.parametrize("kind", ["error", "timeout", "network", "rate_limit"])
def test_in_front_of_the_tool_nothing_is_done(kind: FaultKind) -> None:
    def run() -> ToolReply:
        raise AssertionError("the tool ran")

    reply = inject(3, FaultSpec(tool="pay", fail=kind), run, lambda _: None)

    assert reply.is_error
    assert (reply.fault, reply.fault_index, reply.world_changed) == (kind, 3, False)


def test_a_timeout_can_hide_that_the_work_was_done() -> None:
    fault = FaultSpec(tool="pay", fail="timeout", effect="done", seconds=30)
    waited: list[float] = []

    reply = inject(0, fault, lambda: TRUE, waited.append)

    assert (reply.content, reply.is_error) == ("request timed out after 30 s", True)
    assert (reply.world, reply.world_changed) == ({"n": 1}, True)
    assert waited == [30]


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("latency", TRUE.content),
        ("empty", ""),
        ("partial", '{"ok":true}'),
        ("malformed", '{"ok":true,"\\u00"}<'),
    ],
)
def test_a_spoiled_answer_leaves_the_work_done(kind: FaultKind, content: str) -> None:
    reply = inject(0, FaultSpec(tool="pay", fail=kind), lambda: TRUE, lambda _: None)

    assert (reply.content, reply.is_error) == (content, False)
    assert (reply.world, reply.world_changed) == ({"n": 1}, True)


def test_the_declared_message_is_what_the_agent_reads() -> None:
    fault = FaultSpec(tool="pay", fail="error", message="the ledger is closed")

    assert inject(0, fault, lambda: TRUE, lambda _: None).content == "the ledger is closed"


@settings(deadline=None)
@given(st.recursive(st.integers() | st.text() | st.none(), st.lists) | st.text())
def test_a_malformed_reply_is_never_json(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        json.loads(malformed(json.dumps(value)))


@pytest.mark.parametrize(
    ("content", "half"),
    [
        ("[1,2,3]", "[1]"),
        ('{"rows":[1,2,3,4]}', '{"rows":[1,2]}'),
        ("plain text", "plain"),
        ("7", ""),
        ("", ""),
    ],
)
def test_a_partial_reply_keeps_the_first_half(content: str, half: str) -> None:
    assert partial(content) == half
