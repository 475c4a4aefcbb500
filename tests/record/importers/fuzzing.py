"""Breaks foreign logs in every way; whatever comes, an import ends cleanly or says why not.

Use: `mutated(value)` and `mangled(data)` are strategies of broken values and broken bytes;
`assert_survives(importer, {"name.json": data})` writes them and imports and scores the lot, and
`assert_importer_survives(importer, path)` does so with a file or folder that is there already.
`FUZZ_EXAMPLES` in the environment raises the number of examples for a longer session.
"""

import copy
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from trajaudit.audit.imports import import_logs
from trajaudit.audit.intake import ImportOptions
from trajaudit.audit.score import require_intact, score_run
from trajaudit.errors import UsageError
from trajaudit.record.importers.base import Importer
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "15"))
LONGEST_S = 30.0
"""No broken log of the size of these may take longer."""
_MOST_PLACES = 400

fuzzed = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)
"""How a test that fuzzes an importer is set up."""

_HOSTILE = ("", " ", "\x00", "\ud800", "../../etc/passwd", "/etc/passwd", "a/b\\c", "..", "\u202e")
_LOOKING_LIKE_JSON = ("null", "{", "[]", '{"a": NaN}', "1e999", "9" * 400, "x" * 5000, "\ufeff")
_MEANINGFUL = ("assistant", "user", "tool", "system", "C", "True", "call-1", "2026-01-01T00:00:00Z")
_TEXTS = st.sampled_from((*_HOSTILE, *_LOOKING_LIKE_JSON, *_MEANINGFUL))
_NAN, _INF = float("nan"), float("inf")
_LARGE = (2**63, -(2**63) - 1, 10**400, 10**18 + 1)
_NUMBERS = st.sampled_from((0, -1, 1, 2, 0.5, -0.0, 1e308, _NAN, _INF, -_INF, *_LARGE))
_SCALARS = st.none() | st.booleans() | _NUMBERS | _TEXTS


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


odd_json = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=8,
) | st.sampled_from([300]).map(_nested)
"""Any JSON value, with a liking for the troublesome ones."""


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return (container, key) of what is inside of a value, breadth first."""
    found: list[tuple[Any, Any]] = []
    queue = [value]
    while queue and len(found) < _MOST_PLACES:
        one = queue.pop(0)
        keys = list(one) if isinstance(one, dict) else range(len(one))
        for key in keys:
            found.append((one, key))
            if isinstance(one[key], dict | list):
                queue.append(one[key])
    return found


def _drop(container: Any, key: Any, _other: Any) -> None:
    del container[key]


def _replace(container: Any, key: Any, other: Any) -> None:
    container[key] = other


def _wrap(container: Any, key: Any, _other: Any) -> None:
    container[key] = [container[key]]


def _spell_out(container: Any, key: Any, _other: Any) -> None:
    container[key] = json.dumps(container[key])


def _double(container: Any, key: Any, _other: Any) -> None:
    if isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    else:
        container[f"{key}_"] = copy.deepcopy(container[key])


_ACTS: tuple[Callable[[Any, Any, Any], None], ...] = (
    _drop,
    _replace,
    _replace,
    _wrap,
    _spell_out,
    _double,
)


@st.composite
def mutated(draw: st.DrawFn, value: Any) -> Any:
    """Break a valid log, as a JSON value, in one to five places."""
    broken = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 5))):
        places = _places(broken) if isinstance(broken, dict | list) else []
        if not places:
            return draw(odd_json)
        container, key = places[draw(st.integers(0, len(places) - 1))]
        draw(st.sampled_from(_ACTS))(container, key, copy.deepcopy(draw(odd_json)))
    return broken


@st.composite
def mangled(draw: st.DrawFn, data: bytes) -> bytes:
    """Cut, flip, stuff or repeat the bytes of a valid log."""
    start = draw(st.integers(0, max(len(data) - 1, 0)))
    length = draw(st.integers(0, 40))
    stuffing = draw(
        st.binary(max_size=8) | st.sampled_from([b"[" * 100_000, b'{"a":' * 20_000, b"\xff\x00"])
    )
    return draw(
        st.sampled_from(
            [
                data[:start],
                data[:start] + stuffing + data[start:],
                data[:start] + data[start + length :],
                data[:start] + bytes(255 - byte for byte in data[start : start + 1]) + data[start:],
                data + data,
                data[:start] + data,
            ]
        )
    )


def as_bytes(value: Any) -> bytes:
    """Return the JSON of a value, lone surrogates and NaN included."""
    return json.dumps(value).encode()


def as_lines(values: Any) -> bytes:
    """Return JSON lines of a list; of anything else, one line."""
    rows = values if isinstance(values, list) else [values]
    return b"".join(as_bytes(row) + b"\n" for row in rows)


def assert_survives(importer: Importer, files: Mapping[str, bytes]) -> None:
    """Import files of these names and bytes; several, or one in a folder, go as their folder."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder, "logs")
        for name, data in files.items():
            path = base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        only = next(iter(files))
        assert_importer_survives(importer, base / only if len(files) == 1 else base)


def assert_importer_survives(importer: Importer, path: Path) -> None:
    """Import and score what is at `path`: done, or refused as a fault of the file; nothing else.

    Also: quickly, the same twice, with whole journals, and nothing written beside the run.
    Scored while it is read, it has the verdicts of its files.
    """
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runs_dir = Path(folder, "deep", "runs")
        runs_dir.parent.mkdir()
        options = ImportOptions(format=importer.name, runs_dir=runs_dir, score=True)
        try:
            imported = import_logs([path], options)
        except UsageError:
            assert not runs_dir.exists() or list(runs_dir.iterdir()) == []
        else:
            assert list(runs_dir.iterdir()) == [imported.run.path]
            require_intact(imported.run)
            assert score_run(imported.run) == []
            # Scored from its journals it comes out as it did on the way: to the byte.
            assert not imported.run.history("verdicts")
            counted = sum(source.trials for source in imported.report.sources)
            assert counted == len(list(imported.run.read_outcomes()))
        assert [entry.name for entry in Path(folder).iterdir()] == ["deep"]
        assert [entry.name for entry in Path(folder, "deep").iterdir()] in ([], ["runs"])
    assert _read(importer, path) == _read(importer, path)
    assert time.monotonic() - started < LONGEST_S


def _read(importer: Importer, path: Path) -> str:
    """What is read from one source, losses included, as a text; why not, where it is refused."""
    losses = Losses()
    source = open_source(path, path.parent)
    if path.is_dir() and not importer.sniff(source):
        return "a folder of logs, not one log"
    try:
        trials = [repr(trial) for trial in importer.read(source, losses)]
    except UsageError as error:
        trials = [str(error)]
    return "\n".join([*trials, *map(repr, losses.report())])
