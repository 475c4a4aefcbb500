"""YAML is read as YAML 1.2 reads it, with places, and within limits."""

import os
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.errors import ScenarioError
from trajaudit.record import yaml_source
from trajaudit.record.yaml_nodes import MAX_DEPTH, WrittenFloat
from trajaudit.record.yaml_source import MAX_BYTES, decode, parse_yaml, read_limited


def _value(text: str) -> Any:
    return parse_yaml(text, "f.yaml").plain()


def _fault(text: str) -> str:
    with pytest.raises(ScenarioError) as caught:
        parse_yaml(text, "f.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("NO", "NO"),
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("12:30:00", "12:30:00"),
        ("010", "010"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("2026-11-29", "2026-11-29"),
        ("-5", -5),
        ("9007199254740993", 9007199254740993),
        ("3.", 3.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1.2.3", "1.2.3"),
        ("~", None),
        ("", None),
        ("'5'", "5"),
        ("!!str 5", "5"),
        ("!!int 5", 5),
        ("=", "="),
    ],
)
def test_scalars_are_read_as_written(written: str, read: object) -> None:
    value = _value(f"a: {written}")["a"]

    assert value == read
    assert isinstance(value, type(read))


def test_a_number_keeps_its_digits() -> None:
    number = _value("a: 42.50")["a"]

    assert isinstance(number, WrittenFloat)
    assert (number, number.source_text) == (42.5, "42.50")


def test_keys_are_text() -> None:
    assert _value("{1: a, NO: b, true: c, 1.50: d}") == {
        "1": "a",
        "NO": "b",
        "true": "c",
        "1.50": "d",
    }


def test_merge_keys_fill_in_what_is_not_written() -> None:
    text = "base: &b {x: 1, y: 2}\nmore: &m {z: 3}\nall: {<<: [*b, *m], y: 5}\n"

    assert _value(text)["all"] == {"x": 1, "y": 5, "z": 3}


def test_places_are_those_of_the_keys() -> None:
    root = parse_yaml("a: 1\nb:\n  - x\n  - {c: 2,\n     d: 3}\n", "f.yaml")

    assert root.place("b") == ("f.yaml", 2)
    assert root.children["b"].place(1) == ("f.yaml", 4)
    assert root.children["b"].children[1].place("d") == ("f.yaml", 5)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "f.yaml:1: the file is empty; a mapping is wanted"),
        ("# only a comment\n", "f.yaml:1: the file is empty; a mapping is wanted"),
        ("a: 1\nb: 2\na: 3", "f.yaml:3: a: the key is written twice; the first is on line 1"),
        ("a: &x [1, *x]", "f.yaml:1: a cyclic alias; *x stands inside what it names"),
        ("a: *x", "f.yaml:1: an alias without its anchor; got *x; write &x before it"),
        ("a:\n\t- b", "f.yaml:2: broken YAML; got a tab as indentation; use spaces"),
        ("a: 1\n---\nb: 2", "f.yaml:2: more than one document; a file holds one"),
        ("[a]: 1", "f.yaml:1: a key must be text; got a list; write the key as plain text"),
        ("~: 1", "f.yaml:1: a key must be text; got '~'; write the key as plain text"),
        (
            "a: .nan",
            "f.yaml:1: no finite number; got '.nan'; put it in quotes if text is meant",
        ),
        (
            "a: 1e999",
            "f.yaml:1: no finite number; got '1e999'; put it in quotes if text is meant",
        ),
        (
            "\na: !!x.y [ls]",
            "f.yaml:2: a tag is not allowed; got 'tag:yaml.org,2002:x.y'; write plain YAML",
        ),
        (
            "a: !!int x",
            "f.yaml:1: the value is not what its tag says; got 'x' as 'tag:yaml.org,2002:int'",
        ),
        (
            "a: {<<: 3}",
            "f.yaml:1: <<: merges no mapping; got something else; name one with an alias",
        ),
        ("[" * 100, f"f.yaml:1: nested too deep; at most {MAX_DEPTH} levels are read"),
        (f"a: {'9' * 1001}", "f.yaml:1: a number has too many digits; at most 1000 are read"),
    ],
)
def test_a_broken_text_is_refused_with_its_line(text: str, fault: str) -> None:
    assert _fault(text) == fault


def test_faults_that_can_be_passed_over_are_told_together() -> None:
    faults = _fault("a: 1\na: 2\nb: .inf\nc: !x 1").splitlines()

    assert [fault.split(":")[1] for fault in faults] == ["2", "3", "4"]


def test_aliases_that_explode_are_refused_fast() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    start = time.perf_counter()

    assert "too many values, aliases counted" in _fault("\n".join(lines))
    assert time.perf_counter() - start < 1


def test_aliases_cannot_pass_the_limit_of_depth() -> None:
    lines = [f"a0: &a0 {'[' * 50}{']' * 50}", f"a1: {'[' * 20}*a0{']' * 20}"]

    assert _fault("\n".join(lines)).startswith("f.yaml:2: nested too deep")


@pytest.mark.parametrize("loader", [yaml.SafeLoader, yaml.CSafeLoader])
def test_both_loaders_agree(loader: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_source, "_LOADER", loader)

    assert _value("a: [1, NO, {b: '2'}]\nc: |\n  text\n") == {
        "a": [1, "NO", {"b": "2"}],
        "c": "text\n",
    }
    assert _fault("a:\n\t- b") == "f.yaml:2: broken YAML; got a tab as indentation; use spaces"
    assert _fault("a: \x01").startswith("f.yaml:1: broken YAML")


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    faults: tuple[str, ...] = ()
    try:
        parse_yaml(text, "f.yaml").plain()
    except ScenarioError as error:
        faults = error.faults
    assert all(fault.startswith("f.yaml:") for fault in faults)


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(100_000_000)
    start = time.perf_counter()

    with pytest.raises(ScenarioError) as caught:
        read_limited(path, "large.yaml")

    assert str(caught.value) == (
        f"large.yaml:1: the file is too large; got 100000000 bytes; at most {MAX_BYTES} are read"
    )
    assert time.perf_counter() - start < 0.1


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    for path, said in [
        (tmp_path, "x:1: is a directory; a file is wanted"),
        (tmp_path / "none", "x:1: there is no such file"),
        (pipe, "x:1: is no regular file; a file is wanted"),
        (Path("nul\0"), "x:1: cannot be read; "),
    ]:
        with pytest.raises(ScenarioError) as caught:
            read_limited(path, "x")
        assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"a: 1\nb: \xff", "x:2: is no text; got byte 0xff; a file in UTF-8 is wanted"),
        (b"a: \0", "x:1: is no text; got a NUL byte; a text file is wanted"),
    ],
)
def test_bytes_that_are_no_text_are_refused(content: bytes, fault: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        decode(content, "x")

    assert str(caught.value) == fault


def test_a_byte_order_mark_is_passed_over() -> None:
    assert decode(b"\xef\xbb\xbfa", "x") == "a"
