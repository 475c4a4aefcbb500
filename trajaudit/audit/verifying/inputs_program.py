"""Makes up the inputs of the differential probe, from calls that tests made.

It is copied into a container and run there, beside `probe_program`; it needs nothing but Python.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import enum
import importlib
import inspect
import json
import pickle
import random
import sys
import typing
from pathlib import Path
from typing import TYPE_CHECKING, Any

probe: Any = importlib.import_module(
    f"{__package__}.probe_program" if __package__ else "probe_program"
)
MOST_CHANGED = 3
SIGNS = " \t\n\"'\\/.,:;-_=[](){}<>0aZéß\u3000"
POOLS: dict[Any, list[Any]] = {
    bool: [False, True],
    int: [0, 1, -1, 2, 7, 10, 100],
    float: [0.0, 1.0, -1.5, 0.1],
    str: ["", "a", "a b", " a ", "A-b_c", "1"],
    bytes: [b"", b"a", b"a b"],
    list: [[], [1], [2, 1, 2]],
    tuple: [(), (1,), (2, 1)],
    dict: [{}, {"a": 1}],
    set: [set(), {1, 2}],
}
if TYPE_CHECKING:
    Call = dict[str, Any]
    """Module, function, pickled arguments, and whether they were made up."""


class Inventor:
    """Makes arguments out of arguments; the same every time for the same seed."""

    def __init__(self, literals: list[Any], seed: int) -> None:
        self._random = random.Random(seed)
        self._literals = literals

    def vary(self, given: list[Any], named: dict[str, Any], others: list[Call]) -> None:
        """Change one argument in place, or a few."""
        places: list[tuple[Any, Any]] = [(given, number) for number in range(len(given))]
        places += [(named, name) for name in named]
        for _ in range(self._random.choice((1, 1, 2, MOST_CHANGED)) if places else 0):
            holder, place = self._random.choice(places)
            if others and self._random.random() < 0.2:
                self._cross(holder, place, self._random.choice(others))
            else:
                holder[place] = self.changed(holder[place])

    def _cross(self, holder: Any, place: Any, other: Call) -> None:
        given, named = pickle.loads(other["arguments"])  # noqa: S301 (written by us, in a container)
        source = given if isinstance(place, int) else named
        with contextlib.suppress(LookupError):
            if type(source[place]) is type(holder[place]):
                holder[place] = source[place]

    def changed(self, value: Any, depth: int = 0) -> Any:
        """Return another value of the same type where one can be thought of."""
        same = [one for one in self._literals if type(one) is type(value)]
        if same and self._random.random() < 0.25:
            return self._random.choice(same)
        if isinstance(value, enum.Enum):
            return self._random.choice([*type(value)])
        if type(value) in {bool, int, float}:
            return self._number(value)
        if type(value) in {str, bytes}:
            return self._text(value)
        return self._composed(value, depth) if depth < 3 else value

    def _number(self, value: Any) -> Any:
        if isinstance(value, bool):
            return not value
        ways = (value + 1, value - 1, -value, value * 2, value * 10 + 5, value - value, 1 - value)
        return self._random.choice([*ways, value + self._random.randint(-20, 20), value / 2])

    def _text(self, text: Any) -> Any:
        empty = type(text)()
        sign: Any = self._random.choice(SIGNS)
        sign = sign if isinstance(text, str) else sign.encode()
        at = self._random.randrange(len(text) + 1)
        to = self._random.randrange(at, len(text) + 1)
        ways = [
            text[:at] + sign + text[at:], text[:at] + sign + text[at + 1 :], text[:at] + text[to:],
            text[:at] + text[at:to] * 2 + text[to:], text[at:to], text + text, text[::-1],
            text.upper(), text.swapcase(), text.strip(), sign + text + sign, empty,
        ]  # fmt: skip
        return self._random.choice(ways)

    def _composed(self, value: Any, depth: int) -> Any:
        if type(value) in {list, tuple, set, frozenset}:
            return type(value)(self._items(list(value), depth))
        if isinstance(value, dict):
            return self._mapping(value, depth)
        members = getattr(value, "__dict__", None)
        if isinstance(members, dict) and members and not isinstance(value, probe.CODE):
            name = self._random.choice(sorted(members))
            with contextlib.suppress(Exception):
                members[name] = self.changed(members[name], depth + 1)
        return value

    def _items(self, items: list[Any], depth: int) -> list[Any]:
        if not items:
            return items
        at = self._random.randrange(len(items))
        way = self._random.randrange(6)
        if way == 0:
            return items[:at] + items[at + 1 :]
        if way == 1:
            return [*items, items[at]]
        if way == 2:
            return items[::-1]
        if way == 3:
            return []
        items[at] = self.changed(items[at], depth + 1)
        return items

    def _mapping(self, value: Any, depth: int) -> Any:
        if value:
            name = self._random.choice(list(value))
            if self._random.random() < 0.25:
                del value[name]
            else:
                value[name] = self.changed(value[name], depth + 1)
        return value


def literals(sources: list[str]) -> list[Any]:
    """Return the constants of sources: where a change tells cases apart, it often names them."""
    found: list[Any] = []
    for source in sources:
        with contextlib.suppress(SyntaxError, ValueError):
            nodes = ast.walk(ast.parse(source))
            values = [one.value for one in nodes if isinstance(one, ast.Constant)]
            found += [one for one in values if type(one) in POOLS]
    steps = [one + step for one in found if type(one) is int for step in (-1, 1)]
    unique = {(type(one), one): one for one in [*found, *steps] if len(repr(one)) < 200}
    return list(unique.values())


def from_signature(module: str, name: str) -> list[Call]:
    """Return calls of a function that no test reached, where its signature says what it takes."""
    function = probe.resolved(module, name)
    if "." in name:
        return []
    hints = typing.get_type_hints(function)
    pools = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in {parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD}:
            continue
        kind = typing.get_origin(hints.get(parameter.name)) or hints.get(parameter.name)
        default = [] if parameter.default is parameter.empty else [parameter.default]
        pools.append(default + POOLS.get(kind, POOLS.get(type(default[0]), []) if default else []))
    if not pools or not all(pools):
        return []
    most = max(map(len, pools))
    chosen = [[pool[turn % len(pool)] for pool in pools] for turn in range(most)]
    return [_call(module, name, (given, {})) for given in chosen]


def from_examples(module: str, name: str) -> list[Call]:
    """Return the calls with literal arguments that the examples in a docstring make."""
    text = inspect.getdoc(probe.resolved(module, name)) or ""
    calls = []
    for line in text.splitlines():
        if not line.strip().startswith(">>>") or "." in name:
            continue
        with contextlib.suppress(SyntaxError, ValueError):
            for node in ast.walk(ast.parse(line.strip()[3:].strip())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                    given = [ast.literal_eval(one) for one in node.args]
                    named = {one.arg: ast.literal_eval(one.value) for one in node.keywords}
                    calls.append(_call(module, name, (given, named)))
    return calls


def _call(module: str, name: str, arguments: Any) -> Call:
    return {
        "module": module,
        "function": name,
        "arguments": pickle.dumps(arguments, protocol=4),
        "made_up": True,
    }


def seeds(calls: dict[str, Any]) -> list[Call]:
    """Return the calls to begin with."""
    known: list[Call] = [{**one, "made_up": False} for one in calls["seeds"]]
    reached = {(one["module"], one["function"]) for one in known}
    for wanted in calls["wanted"]:
        key = wanted["module"], wanted["function"]
        if key not in reached and wanted["function"] not in calls["lost"]:
            for source in (from_examples, from_signature):
                with contextlib.suppress(Exception):
                    known += source(*key)
    return known


def main(home: Path, most: int, seed: int) -> None:
    """Write the inputs, and what is to be shown of them."""
    calls = pickle.loads((home / "calls").read_bytes())  # noqa: S301 (written by us, in a container)
    sys.path[:] = [*calls["path"], str(home)]
    known = seeds(calls)
    inventor = Inventor(literals(json.loads((home / "sources").read_text())), seed)
    found, seen = [*known], {one["arguments"] for one in known}
    for turn in range(most * 3 if known else 0):
        if len(found) >= most:
            break
        one = known[turn % len(known)]
        with contextlib.suppress(Exception):
            made = _varied(inventor, one, known, seen)
            found += [made] if made else []
    told = [
        {"function": one["function"], "arguments": shown(one), "made_up": one["made_up"]}
        for one in found[:most]
    ]
    (home / "inputs").write_bytes(
        pickle.dumps({"path": calls["path"], "calls": found[:most]}, protocol=4)
    )
    (home / "shown").write_text(json.dumps({"inputs": told, "lost": calls["lost"]}))


def _varied(inventor: Inventor, one: Call, known: list[Call], seen: set[bytes]) -> Any:
    given, named = pickle.loads(one["arguments"])  # noqa: S301 (written by us, in a container)
    same = [other for other in known if other["function"] == one["function"]]
    inventor.vary(given, named, same)
    made = _call(one["module"], one["function"], (given, named))
    if made["arguments"] in seen:
        return None
    seen.add(made["arguments"])
    return made


def shown(call: Call) -> str:
    """Return the arguments of a call as a text."""
    try:
        importlib.import_module(call["module"])
        given, named = copy.deepcopy(pickle.loads(call["arguments"]))  # noqa: S301 (written by us)
        texts = [probe.canonical(one) for one in given]
        texts += [f"{name}={probe.canonical(one)}" for name, one in named.items()]
    except Exception:  # noqa: BLE001 (it is only to be shown)
        return "?"
    return ", ".join(texts)[:1000]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
