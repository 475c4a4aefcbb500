"""Blind items for teams that label elsewhere: rows of JSON lines or of a spreadsheet.

A row holds what a reviewer may see and empty columns to fill, and nothing besides: no run, no
trial, no queue, no verdict.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from trajaudit.errors import UsageError
from trajaudit.review.blind import BlindTrial
from trajaudit.review.transcript import reference, transcript

SHOWN = ("item_id", "prompt", "reference", "policy", "transcript")
TO_FILL = ("verdict", "failure_kind", "steps", "reason", "reviewer")
SUFFIXES = (".jsonl", ".csv")
CELL = 32_767
"""Characters that a cell of a common spreadsheet holds; what is longer it cuts or spreads out."""
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
_FORMULA = frozenset(
    "=+-@\t"
    "\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
    "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)
"""What a spreadsheet takes for the beginning of a formula."""
_CONTROLS = {code: f"\\x{code:02x}" for code in range(32) if chr(code) not in "\t\n"}


def require_form(path: Path) -> None:
    """Refuse a file whose name does not say its form.

    Raises:
        UsageError: the suffix is none of `SUFFIXES`.
    """
    if path.suffix.casefold() not in SUFFIXES:
        raise UsageError(
            f"{path}: the form of the file is not known; got {path.suffix or 'no suffix'!r}; "
            f"end its name in {' or '.join(SUFFIXES)}"
        )


def row_of(item: BlindTrial) -> dict[str, str]:
    """Return what is written of an item."""
    texts = (item.item_id, item.task.prompt, reference(item), item.policy, transcript(item))
    return {**dict(zip(SHOWN, texts, strict=True)), **dict.fromkeys(TO_FILL, "")}


def lines_of(rows: Iterable[dict[str, str]], form: str) -> Iterator[bytes]:
    """Yield a file piece by piece; `form` is its suffix."""
    return _table(rows) if form.casefold() == ".csv" else _json_lines(rows)


def _json_lines(rows: Iterable[dict[str, str]]) -> Iterator[bytes]:
    for row in rows:
        yield f"{json.dumps(row, ensure_ascii=False)}\n".encode("utf-8", "backslashreplace")


def _table(rows: Iterable[dict[str, str]]) -> Iterator[bytes]:
    line = io.StringIO()
    writer = csv.writer(line, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    # The mark tells a spreadsheet that letters of every script follow.
    line.write(_BOM)
    writer.writerow((*SHOWN, *TO_FILL))
    for row in rows:
        writer.writerow([cell(row[name]) for name in (*SHOWN, *TO_FILL)])
        yield _taken(line)
    yield _taken(line)


def _taken(line: io.StringIO) -> bytes:
    text = line.getvalue()
    line.seek(0)
    line.truncate()
    return text.encode("utf-8", "backslashreplace")


def cell(text: str) -> str:
    """Return a text as a spreadsheet may hold it: no formula, no control characters."""
    clean = text.translate(_CONTROLS)
    return f"'{clean}" if clean.lstrip(" \n\N{NO-BREAK SPACE}")[:1] in _FORMULA else clean
