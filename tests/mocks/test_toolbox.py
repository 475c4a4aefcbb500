"""A trial's tools as the gateway uses them."""

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from trajaudit.datamodel.tool import FaultSpec, ToolSpec
from trajaudit.errors import ScenarioError, UsageError
from trajaudit.mocks.base import ToolReply
from trajaudit.mocks.toolbox import ToolBox

PRICE = {
    "name": "price",
    "parameters": {
        "type": "object",
        "required": ["country"],
        "properties": {"country": {"type": "string"}, "kg": {"type": "number"}},
        "additionalProperties": False,
    },
    "mock": {"table": [{"args": {"country": "DE"}, "reply": 4.9}]},
}


def _no_file(name: str) -> bytes:
    raise AssertionError(name)


def _box(*tools: Mapping[str, object], faults: tuple[FaultSpec, ...] = ()) -> ToolBox:
    specs = [ToolSpec.model_validate(tool) for tool in tools]
    return ToolBox(specs, faults=faults, open_file=_no_file, sleep=lambda _: None)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "'country' is a required property"),
        ({"country": 3}, "country: 3 is not of type 'string'"),
        (
            {"kg": "x", "land": "DE"},
            "'country' is a required property; Additional properties are not allowed",
        ),
        ({"country": "DE", "kg": float("nan")}, "arguments are not JSON, or are nested"),
    ],
)
def test_an_invalid_call_names_each_fault(arguments: dict[str, JsonValue], text: str) -> None:
    reply = _box(PRICE).call("price", arguments)

    assert reply.is_error
    assert reply.content.startswith(f"invalid arguments for price: {text}")


def test_an_invalid_call_spends_no_fault_and_does_not_count() -> None:
    box = _box(PRICE, faults=(FaultSpec(tool="price", fail="error", call=1),))

    box.call("price", {})

    assert box.faults_not_hit() == [0]
    assert box.call("price", {"country": "DE"}).fault == "error"
    assert box.faults_not_hit() == []


def test_an_unknown_tool_is_not_told_the_known_ones() -> None:
    reply = _box(PRICE).call("prices" * 100, {})

    assert reply == ToolReply(content=f"unknown tool {('prices' * 100)[:100]!r}", is_error=True)


deep: JsonValue = "x"
for _ in range(5000):
    deep = [deep]


def test_arguments_nested_without_end_are_refused() -> None:
    assert _box(PRICE).call("price", {"country": deep}).is_error


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@settings(deadline=None)
@given(
    name=st.sampled_from(["price", "any", "nothing"]),
    arguments=st.dictionaries(st.sampled_from(["country", "kg", "x"]), json_values),
)
def test_no_call_of_an_agent_raises(name: str, arguments: dict[str, JsonValue]) -> None:
    anything = {"name": "any", "mock": {"table": [{"args": {"x": [1]}, "reply": 1}]}}

    reply = _box(PRICE, anything).call(name, arguments)

    assert reply.content.encode()


def test_calls_from_several_threads_are_carried_out_one_at_a_time() -> None:
    inside = 0
    most = 0

    def run(kind: str, arguments: dict[str, JsonValue]) -> ToolReply:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.002)
        inside -= 1
        return ToolReply(content=kind)

    box = ToolBox([ToolSpec(name="sh", sandbox="bash")], open_file=_no_file, sandbox_tool=run)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: box.call("sh", {}), range(40)))

    assert most == 1


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ({"name": "f", "mock": {"python": "f.py"}}, "no place to run it"),
        ({"name": "f", "sandbox": "bash"}, "this run has none"),
        ({"name": "f"}, "nothing behind it"),
        ({"name": "f", "mock": {"mcp": {"url": "http://127.0.0.1:9"}}}, "does not allow any"),
    ],
)
def test_a_tool_that_this_run_cannot_serve_is_refused(tool: dict[str, object], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        _box(tool)


def test_a_sandbox_tool_is_passed_on_with_its_kind() -> None:
    box = ToolBox(
        [ToolSpec(name="sh", sandbox="bash")],
        open_file=_no_file,
        sandbox_tool=lambda kind, arguments: ToolReply(content=f"{kind} {arguments}"),
    )

    assert box.call("sh", {"command": "ls"}).content == "bash {'command': 'ls'}"


def test_contradictions_are_all_reported_at_once() -> None:
    with pytest.raises(ScenarioError) as raised:
        _box(PRICE, PRICE, faults=(FaultSpec(tool="prize", fail="error"),))

    assert raised.value.faults == (
        "tool price is defined 2 times",
        "faults[0]: unknown tool 'prize'; known: price",
    )


def test_a_schema_that_is_none_is_refused() -> None:
    with pytest.raises(ScenarioError, match="parameters are no JSON Schema"):
        _box({**PRICE, "parameters": {"type": "objekt"}})
