"""Where in a world a value lies: JSONPath in the dotted form `$.orders.A-17.status`.

Deliberate: only what assertions need. A segment after a dot is anything without dot, bracket or
blank around it (`A-17`, `é`), `[0]` and `.0` both index a list, `["a.b"]` quotes a key that holds
dots, and `*` stands for every entry of an object or a list.
"""

import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

Segment = str | int

ANY = "*"

_TOKEN = re.compile(
    r"""\.(?P<name>[^.\[\]\s"']+)
      | \[(?P<index>\d{1,9}|\*)\]
      | \[(?P<quoted>"(?:[^"\\]|\\.)*")\]""",
    re.VERBOSE,
)


class Key(str):
    """A quoted key: `["*"]` is the entry named `*`, not every entry."""

    __slots__ = ()


def parse_path(path: str) -> tuple[Segment, ...]:
    """Split a path into its segments.

    Raises:
        ValueError: the path is not in the dotted form; the message says where it breaks.
    """
    if not path.startswith("$"):
        raise ValueError(f"a path begins with $; got {path!r}; for example $.orders.A-17.status")
    segments: list[Segment] = []
    at = 1
    while at < len(path):
        token = _TOKEN.match(path, at)
        if token is None:
            raise ValueError(
                f'path {path!r} breaks at {path[at:]!r}; write .name, [0], ["quoted name"] or .*'
            )
        segments.append(_segment(token))
        at = token.end()
    return tuple(segments)


def _segment(token: re.Match[str]) -> Segment:
    if token["name"] is not None:
        return token["name"]
    if token["index"] is not None:
        return token["index"] if token["index"] == ANY else int(token["index"])
    return Key(json.loads(token["quoted"]))


def locate(world: JsonValue, path: str) -> list[tuple[str, JsonValue]]:
    """Return the (concrete path, value) of everything that `path` names, in document order.

    Raises:
        ValueError: the path is not in the dotted form.
    """
    found: list[tuple[str, JsonValue]] = [("$", world)]
    for segment in parse_path(path):
        found = [entry for at, value in found for entry in _entries(at, value, segment)]
    return found


def select(world: JsonValue, path: str) -> list[JsonValue]:
    """Return the values that `path` names; an empty list where nothing is there.

    Raises:
        ValueError: the path is not in the dotted form.
    """
    return [value for _, value in locate(world, path)]


def _entries(at: str, value: JsonValue, segment: Segment) -> Iterator[tuple[str, JsonValue]]:
    everything = segment == ANY and not isinstance(segment, Key)
    if isinstance(value, dict):
        keys = list(value) if everything else [key for key in (str(segment),) if key in value]
        for key in keys:
            yield at + _written(key), value[key]
    elif isinstance(value, list):
        for index in range(len(value)) if everything else _index(segment, len(value)):
            yield f"{at}[{index}]", value[index]


def _index(segment: Segment, length: int) -> list[int]:
    if isinstance(segment, str):
        if isinstance(segment, Key) or re.fullmatch("[0-9]{1,9}", segment) is None:
            return []
        segment = int(segment)
    return [segment] if segment < length else []


def _written(key: str) -> str:
    plain = f".{key}"
    token = _TOKEN.fullmatch(plain)
    return plain if token is not None and key != ANY else f"[{json.dumps(key)}]"
