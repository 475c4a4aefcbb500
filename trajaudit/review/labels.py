"""Labels that people wrote elsewhere, read from JSON or a spreadsheet; every fault is told.

Columns are found by their names, and under the names that other tools give them where only one of
a row can be meant; verdicts are read in the words of `record.meaning`. Nothing is guessed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.review import ReviewVerdict
from trajaudit.record.fault import nearest
from trajaudit.record.meaning import meaning_of
from trajaudit.review.label_files import entries_of

_NAMES = {
    "item_id": ("item_id", "item", "id"),
    "verdict": ("verdict", "label", "choice", "grade"),
    "failure_kind": ("failure_kind", "kind"),
    "steps": ("steps", "step"),
    "reason": ("reason", "comment", "rationale", "notes"),
    "reviewer": ("reviewer", "annotator", "completed_by", "labeler"),
    "seconds": ("seconds", "lead_time"),
}
"""What is read → the columns it may stand in, our own name first."""
_WORDS = {
    ReviewVerdict.CANNOT_TELL: "cannot_tell can't_tell cant_tell cannot_decide unclear unsure"
    " undecided undecidable don't_know",
    ReviewVerdict.TASK_BROKEN: "task_broken broken broken_task invalid_task",
}
_VERDICTS = {word: verdict for verdict, words in _WORDS.items() for word in words.split()}
_PERSON = re.compile(r"^[\w][\w .@-]{0,59}$")
_ITEM = re.compile(r"^[0-9a-f]{16,64}$")
_REASON = 10_000
_DIGITS = 9
"""Of the number of a step."""


@dataclass(frozen=True, kw_only=True)
class Label:
    """What one person said of one item."""

    place: str
    """`path:line`"""
    item_id: str
    """Whole, or its beginning."""
    verdict: ReviewVerdict
    failure_kind: FailureKind | None
    steps: tuple[int, ...]
    reason: str
    reviewer: str
    seconds: float


@dataclass
class LabelFile:
    """Everything in a file of labels."""

    labels: list[Label] = field(default_factory=list)
    blank: int = 0
    """Items without a verdict: not labelled yet."""
    faults: list[str] = field(default_factory=list)
    """`path:line: column: what is wrong; got; what would be right`"""


class _Wrong(ValueError):  # noqa: N818 (never leaves this module)
    """A column cannot be read."""


def read_labels(path: Path, *, reviewer: str = "") -> LabelFile:
    """Return the labels of a file with all its faults.

    Args:
        path: `.jsonl`, `.json` or `.csv`.
        reviewer: whose labels these are where a row does not say.

    Raises:
        UsageError: the file cannot be read, or its form is not known.
    """
    found = LabelFile()
    for place, row in entries_of(path, found.faults):
        _take(found, place, row, reviewer)
    return found


def _take(found: LabelFile, place: str, row: Mapping[str, Any], reviewer: str) -> None:
    values: dict[str, Any] = {}
    faults: list[str] = []
    for name, read in _READERS.items():
        try:
            values[name] = read(_value(row, name))
        except _Wrong as wrong:
            faults.append(f"{place}: {name}: {wrong}")
    if values.get("verdict", ...) is None:
        found.blank += 1
        return
    values["reviewer"] = values.get("reviewer") or reviewer
    if "reviewer" in values and not values["reviewer"] and not _said(faults, "reviewer"):
        faults.append(f"{place}: reviewer: nobody is named; fill the column, or use --reviewer")
    if values.get("failure_kind") and values.get("verdict", "fail") != ReviewVerdict.FAIL:
        faults.append(
            f"{place}: failure_kind: says why a trial failed; got {values['failure_kind']} "
            f"with verdict {values['verdict']}"
        )
    if faults:
        found.faults += faults
    else:
        found.labels.append(Label(place=place, **values))


def _said(faults: list[str], name: str) -> bool:
    return any(f": {name}: " in one for one in faults)


def _value(row: Mapping[str, Any], name: str) -> Any:
    """Return what stands under a name, or under the one other name that is filled."""
    filled = {each: row[each] for each in _NAMES[name] if row.get(each) not in (None, "", [], {})}
    if name in filled or not filled:
        return filled.get(name)
    if len({str(value) for value in filled.values()}) > 1:
        said = ", ".join(f"{key} {_short(value)}" for key, value in filled.items())
        raise _Wrong(f"stands in several columns; got {said}; name one of them {name}")
    return next(iter(filled.values()))


def _item(value: Any) -> str:
    text = str(value).strip().casefold()
    if value is None:
        raise _Wrong("is missing; it is the item_id of the exported file")
    if not _ITEM.match(text):
        raise _Wrong(f"is no id of an item; got {_short(value)}; it has 16 to 64 hex digits")
    return text


def _verdict(value: Any) -> ReviewVerdict | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    meant = meaning_of(value)
    if meant is not None:
        return ReviewVerdict(meant)
    key = re.sub(
        r"[\s-]+",
        "_",
        str(value).strip().casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"),
    )
    if key in _VERDICTS:
        return _VERDICTS[key]
    raise _Wrong(
        f"cannot be read; got {_short(value)}; pass, fail, cannot_tell or task_broken is wanted"
    )


def _kind(value: Any) -> FailureKind | None:
    if value is None or not str(value).strip():
        return None
    key = re.sub(r"[\s-]+", "_", str(value).strip().casefold())
    try:
        return FailureKind(key)
    except ValueError:
        raise _Wrong(
            f"is no kind of failure; got {_short(value)}; {nearest(key, map(str, FailureKind))}"
        ) from None


def _steps(value: Any) -> tuple[int, ...]:
    if value is None:
        return ()
    parts = value if isinstance(value, list) else re.split(r"[\s,;]+", str(value).strip())
    words = [str(part).strip().removesuffix(".0") for part in parts if str(part).strip()]
    if not all(word.isascii() and word.isdigit() and len(word) <= _DIGITS for word in words):
        raise _Wrong(f"are numbers of steps; got {_short(value)}; for example 3, 5")
    return tuple(dict.fromkeys(map(int, words)))


def _reason(value: Any) -> str:
    text = "" if value is None else str(value).strip()
    if len(text) > _REASON:
        raise _Wrong(f"is longer than {_REASON:,} characters; got {len(text):,}")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise _Wrong(f"holds half of a character; got {_short(value)}; write it anew")
    return text


def _reviewer(value: Any) -> str:
    text = "" if value is None else str(value).strip()
    if text and not _PERSON.match(text):
        raise _Wrong(
            f"is no name; got {_short(value)}; up to 60 letters, digits, blanks, '.', '@' and '-'"
        )
    return text


def _seconds(value: Any) -> float:
    try:
        number = 0.0 if value is None else float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number < float("inf"):
        raise _Wrong(f"is no time; got {_short(value)}; seconds are wanted")
    return number


_READERS = {
    "item_id": _item,
    "verdict": _verdict,
    "failure_kind": _kind,
    "steps": _steps,
    "reason": _reason,
    "reviewer": _reviewer,
    "seconds": _seconds,
}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
