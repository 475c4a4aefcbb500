"""Argument text is read exactly, or not at all."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.importers.fuzzing import fuzzed, mutated
from trajaudit.record.raw_json import MAX_DEPTH, _finite, _refused, parsed


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not JSON; expecting value"),
        ('{"a": NaN}', "not JSON; the number NaN is none of JSON"),
        ("1e999", "not JSON; the number 1e999 is too large"),
        ("[" * 200_000, "nested too deeply"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested too deeply"),
        ("1" * 5000, "not JSON; exceeds the limit"),
    ],
)
def test_what_is_no_exact_json_is_a_fault(text: str, fault: str) -> None:
    value, found = parsed(text)

    assert value is None
    assert found is not None
    assert found.startswith(fault)


def test_integers_keep_every_digit() -> None:
    assert parsed('{"id": 123456789012345678901234567890}') == (
        {"id": 123456789012345678901234567890},
        None,
    )


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False)
)


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_what_was_written_is_what_is_read(value: object) -> None:
    assert parsed(json.dumps(value)) == (value, None)


@fuzzed
@given(mutated({"a": [1, -2.5, 1e300, True, None, "\ud83d\ude00"], "b": 2**70}).map(json.dumps))
def test_what_is_read_quickly_is_what_the_exact_reader_reads(text: str) -> None:
    value, fault = parsed(text)
    if fault is None:
        exact = json.loads(text, parse_constant=_refused, parse_float=_finite)
        assert repr(value) == repr(exact)
    elif not fault.startswith("nested"):
        with pytest.raises(ValueError, match=r"."):
            json.loads(text, parse_constant=_refused, parse_float=_finite)
