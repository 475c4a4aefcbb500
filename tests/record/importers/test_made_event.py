"""Events that are made quickly are those that the constructor makes, and nothing else gets in."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from trajaudit.datamodel.event import MessageEvent, ObservationEvent, RequestedCall, ToolCallEvent
from trajaudit.record.importers.made_event import made

CALL = RequestedCall(call_id="c", tool="look", arguments_text="{}")
ODD: Any = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats(allow_nan=False)
    | st.sampled_from(["assistant", "user", "model", "judge", "7", "", [CALL]])
    | st.sampled_from([(), (CALL,), (CALL, 1)])
    | st.sampled_from([{}, {"a": 1}, [1], b"x", CALL])
)  # fmt: skip
KINDS: list[tuple[type[Any], dict[str, Any]]] = [
    (MessageEvent, {"role": "assistant", "content": "x", "source": "model", "tool_calls": (CALL,)}),
    (ObservationEvent, {"call_id": "c", "call": 3, "tool": "look", "content": "x", "t": 0.5}),
    (ToolCallEvent, {"call_id": "c", "tool": "look", "arguments_text": "{}", "via": "agent"}),
    (RequestedCall, {"call_id": "c", "tool": "look", "arguments_text": "{}"}),
]


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(KINDS), st.data())
def test_it_is_what_the_constructor_makes_or_refuses(
    kind: tuple[type[Any], dict[str, Any]], data: st.DataObject
) -> None:
    of, fields = kind
    name = data.draw(st.sampled_from(sorted(of.model_fields)))
    given_fields = {**fields, name: data.draw(ODD)}
    try:
        wanted = of(**given_fields)
    except ValidationError:
        with pytest.raises(ValidationError):
            made(of, **given_fields)
        return

    found = made(of, **given_fields)

    assert found == wanted
    assert found.model_dump_json() == wanted.model_dump_json()
    assert {field: type(value) for field, value in found} == {
        field: type(value) for field, value in wanted
    }


def test_values_from_json_are_taken_as_they_are() -> None:
    value = {"a": [1, {"b": None}]}
    call = made(
        ToolCallEvent,
        json=("arguments",),
        call_id="c",
        tool="look",
        arguments_text="",
        arguments=value,
        via="agent",
    )
    assert call.arguments is value


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises((ValidationError, KeyError)):
        made(RequestedCall, call_id="c", tool="t", arguments_text="", colour="red")
