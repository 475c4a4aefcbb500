"""Which lines of a file does a change touch? Pure, on bytes, with a bound on its cost."""

import difflib
from collections.abc import Iterable

from trajaudit.datamodel.patch_findings import LineRange

MOST_COMPARED = 3000
"""Differing lines of either side; beyond that all of them count as changed."""


def changed_lines(before: bytes | None, after: bytes) -> set[int]:
    """Return the lines of `after`, counted from 1, that are new or not what they were."""
    old, new = (before or b"").splitlines(), after.splitlines()
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if not old or max(len(old), len(new)) > MOST_COMPARED:
        return {start + number for number in range(1, len(new) + 1)}
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return {
        start + number + 1
        for tag, _, _, first, last in matcher.get_opcodes()
        if tag != "equal"
        for number in range(first, last)
    }


def line_ranges(path: str, lines: Iterable[int]) -> list[LineRange]:
    """Return lines as ranges without gaps, in order."""
    path = shown(path)
    ranges: list[LineRange] = []
    for line in sorted(lines):
        if ranges and ranges[-1].last == line - 1:
            ranges[-1] = LineRange(path=path, first=ranges[-1].first, last=line)
        else:
            ranges.append(LineRange(path=path, first=line, last=line))
    return ranges


def shown(path: str) -> str:
    """Return a path as it can be written down, whatever bytes it is made of."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _common(one: list[bytes], other: list[bytes]) -> int:
    """Return how many elements both begin with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
