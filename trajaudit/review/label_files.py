"""The rows of a file of labels, whatever tool wrote it, with where each of them stands."""

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trajaudit.errors import UsageError

Row = dict[str, Any]
_FORMS = (".jsonl", ".json", ".csv")
_ITEM_COLUMNS = frozenset({"item_id", "item", "id"})
_VERDICT_COLUMNS = frozenset({"verdict", "label", "choice", "grade"})


def entries_of(path: Path, faults: list[str]) -> Iterator[tuple[str, Row]]:
    """Yield the place of each row and its columns by their names; what is none goes to `faults`.

    Raises:
        UsageError: the file cannot be read, or its form is not known.
    """
    form = path.suffix.casefold()
    if form not in _FORMS:
        raise UsageError(
            f"{path}: the form of the file is not known; got {path.suffix or 'no suffix'!r}; "
            f"{', '.join(_FORMS)} can be read"
        )
    rows = {".jsonl": _json_lines, ".json": _json, ".csv": _table}[form](path, _text(path), faults)
    for place, row in rows:
        yield from ((place, _plain(each)) for each in _annotations(row))


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read; {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: is not UTF-8; save it as UTF-8 text") from error


def _json_lines(path: Path, text: str, faults: list[str]) -> Iterator[tuple[str, Row]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield from _entry(f"{path}:{number}", line, faults)


def _entry(place: str, line: str, faults: list[str]) -> Iterator[tuple[str, Row]]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        faults.append(f"{place}: is no JSON; {error}")
        return
    if isinstance(value, dict):
        yield place, value
    else:
        faults.append(f"{place}: is no JSON object; got {type(value).__name__}")


def _json(path: Path, text: str, faults: list[str]) -> Iterator[tuple[str, Row]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        faults.append(f"{path}:{line}: is no JSON; {error}")
        return
    for number, row in enumerate(value if isinstance(value, list) else [value], 1):
        place = f"{path}:1: entry {number}"
        if isinstance(row, dict):
            yield place, row
        else:
            faults.append(f"{place}: is no JSON object; got {type(row).__name__}")


def _table(path: Path, text: str, faults: list[str]) -> Iterator[tuple[str, Row]]:
    limit = csv.field_size_limit(sys.maxsize)
    try:
        # Strict: a quote that is never closed would swallow the rows after it.
        lines = io.StringIO(text, newline="")
        rows = csv.reader(lines, delimiter=_delimiter(text), strict=True)
        head = [name.strip().casefold() for name in next(rows, [])]
        missing = [
            names[0]
            for names in (("item_id", _ITEM_COLUMNS), ("verdict", _VERDICT_COLUMNS))
            if not names[1].intersection(map(_key, head))
        ]
        if missing:
            faults.append(
                f"{path}:1: there is no column {' and no column '.join(missing)}; "
                f"got {', '.join(head) or 'nothing'}"
            )
            return
        if twice := sorted({name for name in head if name and head.count(name) > 1}):
            faults.append(f"{path}:1: several columns have one name; got {', '.join(twice)}")
            return
        yield from _rows(path, rows, head, faults)
    except csv.Error as error:
        faults.append(f"{path}: is no table; {error}")
    finally:
        csv.field_size_limit(limit)


def _rows(path: Path, rows: Any, head: list[str], faults: list[str]) -> Iterator[tuple[str, Row]]:
    line = rows.line_num + 1
    for cells in rows:
        place, line = f"{path}:{line}", rows.line_num + 1
        if len(cells) > len(head):
            faults.append(f"{place}: has {len(cells)} cells; got a head of {len(head)} columns")
        elif any(cells):
            yield place, dict(zip(head, cells, strict=False))


def _delimiter(text: str) -> str:
    """Return what parts the columns: spreadsheets of some countries write semicolons."""
    first = text.split("\n", 1)[0]
    return max(",;\t", key=first.count)


def _annotations(row: Row) -> Iterator[Row]:
    """Yield the labels of a row; a task as Label Studio exports it holds any number of them."""
    given = row.get("annotations")
    if not isinstance(given, list) or not isinstance(row.get("data"), dict):
        yield row
        return
    data = {"item_id": row["data"].get("item_id")}
    for one in given:
        if isinstance(one, dict) and not one.get("was_cancelled"):
            listed = one.get("result")
            listed = listed if isinstance(listed, list) else []
            results = [each for each in listed if isinstance(each, dict)]
            said = {str(each.get("from_name")): each.get("value") for each in results}
            yield {
                **data,
                "reviewer": one.get("completed_by"),
                "seconds": one.get("lead_time"),
                **said,
            }


def _plain(row: Row) -> Row:
    """Return a row with our spelling of names, and with single values taken out of their wraps."""
    return {_key(str(name)): _unwrapped(value) for name, value in row.items()}


def _key(name: str) -> str:
    return "_".join(name.strip().casefold().replace("-", " ").split())


def _unwrapped(value: Any) -> Any:
    while True:
        if isinstance(value, dict):
            inner = [
                value[name] for name in ("choices", "text", "number", "email") if name in value
            ]
        else:
            inner = value if isinstance(value, list) else []
        if len(inner) != 1:
            return value
        value = inner[0]
