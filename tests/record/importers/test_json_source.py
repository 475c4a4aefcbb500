"""Foreign JSON: exactly, in pieces, within limits."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.importers.fuzzing import as_bytes, fuzzed, mangled, mutated
from trajaudit.record.importers import json_source
from trajaudit.record.importers.base import Source, SourceError
from trajaudit.record.importers.json_source import (
    document,
    elements,
    head_beginning,
    head_keys,
    head_value,
    is_json_file,
    lines,
    loads,
)
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source


def _source(folder: Path, name: str, data: bytes) -> Source:
    path = folder / name
    path.write_bytes(data)
    return open_source(path, folder)


@given(st.integers(-(10**40), 10**40))
def test_whole_numbers_stay_exact(number: int) -> None:
    assert loads(str(number).encode()) == number


def test_nan_infinities_marks_and_surrogates_are_read() -> None:
    assert math.isnan(loads(b"NaN"))
    assert loads(b"[Infinity, -Infinity]") == [math.inf, -math.inf]
    assert loads(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}
    assert loads(b'"\\ud800"') == "\ud800"


_ATOMS = [
    *("null", "NaN", "-Infinity", "Inf", "-0", "-0.0", "01", "1.", ".5", "1e999", "5e-324", "1E+2"),
    *("18446744073709551616", "-9223372036854775809", "0.00123456789012345678", "9" * 400),
    *('"\\ud800"', '"\\ude00\\ud83d"', '"\\ud83d\\ude00"', '"\\u0000"', '"\t"', '"\\x"', '"é"'),
    *('{"a":1,"b":2,"a":3}', "[1,]", "{,}", "", " 1\n", "\x0c1", "\ufeff1", "[" * 300 + "]" * 300),
]
_TEXTS = st.recursive(
    st.sampled_from(_ATOMS) | st.floats().map(repr) | st.integers().map(str),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda some: f"[{','.join(some)}]")
        | st.lists(inner, max_size=3).map(lambda some: f'{{"k":{",".join(some)}}}')
    ),
)


def _assert_read_as_by_the_exact_reader(data: bytes) -> None:
    try:
        wanted = repr(json.loads(data.decode("utf-8-sig")))
    except (ValueError, RecursionError):
        with pytest.raises(ValueError, match=r"."):
            loads(data)
    else:
        assert repr(loads(data)) == wanted


@given(_TEXTS)
def test_what_is_read_quickly_is_what_the_exact_reader_reads(text: str) -> None:
    _assert_read_as_by_the_exact_reader(text.encode())


_WHOLE = {"a\u00e9": [1, -2.5, 1e300, True, None, '\ud83d\ude00 \\ " \n', {"": {}}], "b": 2**70}


@fuzzed
@given(mutated(_WHOLE).map(as_bytes) | mangled(as_bytes(_WHOLE)) | st.binary(max_size=30))
def test_broken_bytes_are_read_or_refused_as_by_the_exact_reader(data: bytes) -> None:
    _assert_read_as_by_the_exact_reader(data)


@pytest.mark.parametrize("data", [b"{", b"", b"[" * 100_000, b"\xff", b"9" * 5000])
def test_what_is_no_json_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(data)


def test_a_broken_line_is_counted_with_its_place_and_the_rest_is_read(tmp_path: Path) -> None:
    losses = Losses()
    source = _source(tmp_path, "a.jsonl", b'{"a": 1}\n\n{"b":\r\n{"c": 3}')

    found = list(lines(source, losses))

    assert found == [("a.jsonl:1", {"a": 1}), ("a.jsonl:4", {"c": 3})]
    (one,) = losses.report()
    assert (one.kind, one.field) == ("malformed", "line")
    assert one.example.startswith("a.jsonl:3: ")


def test_a_line_that_is_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_source, "LINE_BYTES", 20)
    losses = Losses()
    source = _source(tmp_path, "a.jsonl", b'"' + b"x" * 500 + b'"\n{"a": 1}\n')

    assert [value for _, value in lines(source, losses)] == [{"a": 1}]
    assert losses.report()[0].field == "line"


def test_a_document_is_read_whole_or_refused_by_name(tmp_path: Path) -> None:
    assert document(_source(tmp_path, "a.json", b'{"a": 1}')) == {"a": 1}
    with pytest.raises(SourceError, match=r"b\.json: not JSON"):
        document(_source(tmp_path, "b.json", b"{"))


@pytest.mark.parametrize("limit", [10**9, 5], ids=["at once", "piece by piece"])
def test_elements_are_the_same_however_they_are_read(
    limit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_source, "WHOLE_BYTES", limit)
    values = [{"a": 1.5}, [2], "three", None, 10**30]
    root = _source(tmp_path, "a.json", json.dumps(values).encode())
    inner = _source(tmp_path, "b.json", json.dumps({"x": {"y": values}, "z": 1}).encode())

    assert [value for _, value in elements(root, Losses())] == values
    assert [value for _, value in elements(inner, Losses(), "x", "y")] == values
    assert [where for where, _ in elements(root, Losses())][:2] == ["a.json#0", "a.json#1"]


def test_what_came_before_an_error_is_yielded_when_read_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_source, "WHOLE_BYTES", 5)
    source = _source(tmp_path, "a.json", b'[{"a": 1}, {"b": 2}, {"c"')
    found: list[Any] = []

    with pytest.raises(SourceError, match="broken JSON"):
        found.extend(value for _, value in elements(source, Losses()))

    rest = []
    try:
        for _, value in elements(source, Losses()):
            rest.append(value)
    except SourceError:
        pass
    assert rest == [{"a": 1}, {"b": 2}]


def test_a_place_that_holds_no_array_is_refused(tmp_path: Path) -> None:
    source = _source(tmp_path, "a.json", b'{"x": {"y": 1}}')

    with pytest.raises(SourceError, match=r"x\.y is no array; got int"):
        list(elements(source, Losses(), "x", "y"))


def test_the_head_shows_the_first_value_and_keys_at_any_depth(tmp_path: Path) -> None:
    whole = _source(tmp_path, "a.json", b'{"a": {"b": [1]}}')
    first = _source(tmp_path, "b.jsonl", b'{"a": 1}\n{"b"')
    cut = _source(tmp_path, "c.json", b'{"a": {"b": [1, ')

    assert head_value(whole) == {"a": {"b": [1]}}
    assert head_value(first) == {"a": 1}
    assert head_value(cut) is None
    assert head_keys(cut) == {"a", "b"}


def test_json_files_are_known_by_their_name() -> None:
    names = {name: is_json_file(Path(name)) for name in ("a.json", "a.JSONL", "a.ndjson", "a.txt")}

    assert names == {"a.json": True, "a.JSONL": True, "a.ndjson": True, "a.txt": False}


LONG = "x\\,]" * 50_000


@pytest.mark.parametrize("indent", [None, 2])
def test_of_a_first_line_longer_than_the_head_the_beginning_is_told(
    tmp_path: Path, indent: int | None
) -> None:
    said = [
        {"role": "user", "content": 'a, "b" ]}\\'},
        {"role": "tool", "content": LONG},
    ]
    source = _source(
        tmp_path, "a.jsonl", json.dumps({"messages": said, "z": 1}, indent=indent).encode()
    )

    assert head_value(source) is None
    assert head_beginning(source) == {"messages": [said[0], {"role": "tool"}]}


@pytest.mark.parametrize("content", [b"x", b'{"a": 1]', b",", b"[", b"[,", b'{"'])
def test_what_begins_with_no_json_has_no_beginning(tmp_path: Path, content: bytes) -> None:
    assert head_beginning(_source(tmp_path, "a.json", content * 99_999)) is None
