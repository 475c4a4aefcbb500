"""Tools that answer from data: static, table, sequence, cassette."""

import json
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from trajaudit.datamodel.tool import Mock, TableRow, ToolSpec
from trajaudit.errors import ScenarioError
from trajaudit.mocks.base import CallContext, ToolReply
from trajaudit.mocks.cassette import RecordedCall, read_cassette, write_line
from trajaudit.mocks.match import same_json
from trajaudit.mocks.table import Table
from trajaudit.mocks.toolbox import ToolBox

CONTEXT = CallContext(tool="price", call_number=1, world=None)
ROWS = (
    TableRow(args={}, reply="anything"),
    TableRow(args={"country": "*"}, reply="some country"),
    TableRow(args={"country": "DE"}, reply="Germany"),
    TableRow(args={"country": "DE", "kg": 2}, reply="2 kg to Germany"),
    TableRow(args={"country": "DE", "kg": "*"}, reply="kilos to Germany"),
    TableRow(args={"country": "XX"}, error="no such country"),
)


@pytest.mark.parametrize(
    ("arguments", "content"),
    [
        ({}, "anything"),
        ({"country": "FR"}, "some country"),
        ({"country": "DE"}, "Germany"),
        ({"country": "DE", "express": True}, "Germany"),
        ({"country": "DE", "kg": 2.0}, "2 kg to Germany"),
        ({"country": "DE", "kg": True}, "kilos to Germany"),
    ],
)
def test_the_most_specific_row_answers_in_whatever_order_rows_are_written(
    arguments: dict[str, JsonValue], content: str
) -> None:
    for rows in permutations(ROWS):
        assert Table(rows)(arguments, CONTEXT) == ToolReply(content=content)


def test_between_equally_specific_rows_the_first_answers() -> None:
    table = Table((TableRow(args={"a": 1}, reply="a"), TableRow(args={"b": 1}, reply="b")))

    assert table({"a": 1, "b": 1}, CONTEXT).content == "a"


def test_a_row_can_be_an_error() -> None:
    reply = Table(ROWS)({"country": "XX"}, CONTEXT)

    assert reply == ToolReply(content="no such country", is_error=True)


def test_without_a_row_the_default_answers_and_without_one_an_error_names_the_arguments() -> None:
    assert Table(ROWS[2:3], {"price": 3})({"kg": 1}, CONTEXT).content == '{"price":3}'
    assert Table(ROWS[2:3])({"kg": 1}, CONTEXT) == ToolReply(
        content='price: nothing found for {"kg":1}', is_error=True
    )


scalars = st.sampled_from([0, 1, 0.0, 1.0, True, False, None, "1", ""])


@settings(deadline=None)
@given(left=st.lists(scalars, max_size=2), right=st.lists(scalars, max_size=2))
def test_sameness_of_json_is_that_of_its_text_up_to_the_form_of_numbers(
    left: list[JsonValue], right: list[JsonValue]
) -> None:
    texts = [json.dumps(value).replace(".0", "") for value in (left, right)]

    assert same_json(left, right) == same_json({"k": left}, {"k": right}) == (texts[0] == texts[1])


@pytest.mark.parametrize(
    ("static", "content"), [("plain text", "plain text"), (["é", 1], '["é",1]'), (False, "false")]
)
def test_a_static_tool_always_answers_the_same(static: JsonValue, content: str) -> None:
    box = _box({"static": static})

    assert [box.call("f", {}) for _ in range(2)] == [ToolReply(content=content)] * 2


def test_a_sequence_that_ran_out_says_so_to_agent_and_journal() -> None:
    box = _box({"sequence": [1, "two"]})

    assert [box.call("f", {}).content for _ in range(2)] == ["1", "two"]
    assert box.call("f", {}) == ToolReply(
        content="f has no further data",
        is_error=True,
        warnings=(("sequence_exhausted", "f: call 3 of a sequence of 2"),),
    )


@pytest.mark.parametrize("written", [{}, {"static": 1, "table": []}, {"policy": "fifo"}])
def test_a_mock_with_no_behaviour_or_two_is_refused(written: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="a mock has exactly one of"):
        Mock.model_validate(written)


TAPE = b"".join(
    write_line(RecordedCall.model_validate(call))
    for call in (
        {"tool": "f", "args": {"n": 1}, "reply": "first"},
        {"tool": "g", "reply": "other tool"},
        {"tool": "f", "args": {"n": 2}, "reply": {"deep": [1]}, "is_error": True},
        {"tool": "f", "args": {"n": 1}, "reply": "again"},
    )
)


def _box(mock: dict[str, object], tape: bytes = TAPE) -> ToolBox:
    spec = ToolSpec.model_validate({"name": "f", "mock": mock})
    return ToolBox([spec], open_file={"tape.jsonl": tape}.__getitem__)


def test_a_strict_cassette_replays_by_arguments() -> None:
    box = _box({"cassette": "tape.jsonl"})

    assert box.call("f", {"n": 2}) == ToolReply(content='{"deep":[1]}', is_error=True)
    assert [box.call("f", {"n": 1.0}).content for _ in range(2)] == ["first", "again"]
    missing = box.call("f", {"n": 1})
    assert missing.is_error
    assert missing.warnings == (("cassette_drift", 'tape.jsonl: no recording of f with {"n":1}'),)
    assert box.unconsumed() == []


def test_a_fifo_cassette_replays_in_order_and_reports_drift() -> None:
    box = _box({"cassette": "tape.jsonl", "policy": "fifo"})

    assert box.call("f", {"n": 1}) == ToolReply(content="first")
    drifted = box.call("f", {"n": 3})
    assert drifted.content == '{"deep":[1]}'
    text = 'tape.jsonl: recorded with {"n":2}, called with {"n":3}'
    assert drifted.warnings == (("cassette_drift", text),)
    assert box.unconsumed() == [("cassette_unconsumed", 'tape.jsonl: nobody called f with {"n":1}')]


def test_each_broken_line_of_a_cassette_is_told() -> None:
    with pytest.raises(ScenarioError) as raised:
        read_cassette("tape.jsonl", b'{"tool": "f"}\n\nnot JSON\n{"args": {}}\n')

    assert [fault.split(" ")[0] for fault in raised.value.faults] == [
        "tape.jsonl:3:",
        "tape.jsonl:4:",
    ]
