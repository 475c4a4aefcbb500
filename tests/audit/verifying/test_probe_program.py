"""Calls are made apart from each other, and what they come to is told in a comparable way."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from tests.audit.verifying.projects import write
from tests.audit.verifying.watched import prepared, run_program
from trajaudit.audit.verifying.probe_program import canonical

CODE = """import functools
import os
import sys

COUNT = []


class Box:
    def __init__(self, n):
        self.n = n
        self._secret = object()

    @property
    def twice(self):
        return self.n * 2

    @classmethod
    def of(cls, n):
        return cls(n)

    def __hidden(self, n):
        return n


class Known(Exception):
    pass


def wrapped(function):
    @functools.wraps(function)
    def inner(*args):
        raise AssertionError

    return inner


@wrapped
def plain(n):
    COUNT.append(n)
    return len(COUNT)


def grows(items):
    items.append(1)
    print("grown")


def count(n):
    yield from range(n)


async def later(n):
    return n + 1


def fails(n):
    raise Known(n)


def leaves(n):
    os._exit(0)


def exits(n):
    sys.exit(n)


def hangs(n):
    while True:
        pass
"""


def outcomes(
    folder: Path, calls: list[tuple[str, Any]], only: list[int] | None = None
) -> list[dict[str, Any]]:
    write(folder / "project", {"boxes.py": CODE})
    made = [{"module": "boxes", "function": name, "arguments": content} for name, content in calls]
    path = [str(folder / "project")]
    prepared(
        folder,
        {"inputs": pickle.dumps({"path": path, "calls": made}), "only": json.dumps(only).encode()},
    )
    run_program(folder, "probe_program", "20")
    return [json.loads(line) for line in (folder / "home" / "told").read_text().splitlines()]


def given(*arguments: Any, **named: Any) -> bytes:
    return pickle.dumps((list(arguments), named))


def box(attribute: str = "n") -> bytes:
    """Return what pickling a box of `boxes` comes to, which is not to be had here."""
    return b"\x80\x04(]cboxes\nBox\n)\x81}\x8c\x01%sK\x03sba}t." % attribute.encode()


def test_every_kind_of_end_is_told(tmp_path: Path) -> None:
    calls = [
        ("plain", given(7)), ("plain", given(8)), ("grows", given([])), ("count", given(3)),
        ("later", given(3)), ("fails", given(3)), ("leaves", given(3)), ("exits", given(3)),
        ("missing", given(3)), ("Box.twice", box()), ("Box._Box__hidden", given(None, 4)),
        ("Box.__hidden", given(None, 4)),
    ]  # fmt: skip

    told = outcomes(tmp_path, calls)

    assert [(one["kind"], one.get("value")) for one in told] == [
        ("returned", "1"), ("returned", "1"), ("returned", "None"), ("returned", "[0, 1, 2]"),
        ("returned", "4"), ("raised", "Known"), ("died", None), ("raised", "SystemExit"),
        ("unusable", None), ("returned", "6"), ("returned", "4"), ("returned", "4"),
    ]  # fmt: skip
    assert (told[2]["effects"], told[2]["printed"]) == ("[[[1]], {}]", "grown\n")


def test_what_does_not_end_is_ended(tmp_path: Path) -> None:
    told = outcomes(tmp_path, [("hangs", given(1)), ("plain", given(1))])

    assert [one["kind"] for one in told] == ["hung", "returned"]


def test_only_what_is_wanted_is_called(tmp_path: Path) -> None:
    told = outcomes(tmp_path, [("plain", given(n)) for n in range(4)], [1, 3])

    assert [one["number"] for one in told] == [1, 3]


class Plain:
    def __init__(self) -> None:
        self.b, self.a, self._cache = 1, "x", object()


class Told(Plain):
    def __repr__(self) -> str:
        return f"<Told at {hex(id(self))}>"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [1.0, None, b"x"]}, "{'a': [1.0, None, b'x'], 'b': 1}"),
        ((1, "1"), "()[1, '1']"),
        ({3, 1, 2}, "set{1, 2, 3}"),
        (True, "True"),
        (KeyError("x"), "KeyError"),
        (Plain, "Plain"),
        (len, "len"),
        (Plain(), "Plain(a='x', b=1)"),
        (Told(), "Told <Told at 0x>"),
    ],
    ids=repr,
)
def test_equal_values_have_equal_texts(value: object, text: str) -> None:
    assert canonical(value).strip().startswith(text)


def test_what_differs_differs_in_its_text() -> None:
    values: list[object] = [1, 1.0, True, "1", b"1", [1], (1,), {1}, {1: 1}, None, -0.0, 0.0]

    assert len({canonical(one) for one in values}) == len(values)


def test_a_value_that_holds_itself_has_a_text() -> None:
    items: list[object] = []
    items.append(items)

    assert "..." in canonical(items)
