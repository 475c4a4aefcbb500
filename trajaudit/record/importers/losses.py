"""Counts what an import could not carry over, with one example of each."""

from collections.abc import Iterable, Mapping
from typing import Any

from trajaudit.datamodel.imported import Loss, LossKind

MOST_FIELDS = 1000
"""Further fields are counted together: a hostile log must not fill the memory."""
EXAMPLE_CHARS = 200
_OTHERS = "(further fields)"


class Losses:
    """The losses of one import. `where` is set by whoever reads, for the examples."""

    def __init__(self) -> None:
        self.where = ""
        """Place of what is being read: `file:line` or `file!member`."""
        self._counts: dict[tuple[LossKind, str], int] = {}
        self._examples: dict[tuple[LossKind, str], str] = {}

    def dropped(self, field: str, example: object = "", count: int = 1) -> None:
        """Something that has no place in a trajectory."""
        self._add("dropped", field, example, count)

    def guessed(self, field: str, example: object = "", count: int = 1) -> None:
        """Something that the log does not hold and a stated rule made up."""
        self._add("guessed", field, example, count)

    def truncated(self, field: str, example: object = "", count: int = 1) -> None:
        """Something of which the log holds only a part."""
        self._add("truncated", field, example, count)

    def malformed(self, field: str, example: object = "", count: int = 1) -> None:
        """Something that is not as the format wants it, and was left out."""
        self._add("malformed", field, example, count)

    def unknown(self, place: str, found: Mapping[str, Any], known: frozenset[str]) -> None:
        """Count every key of `found` that is not `known` as dropped; empty values lose nothing."""
        if found.keys() <= known:
            return
        for key in found.keys() - known:
            if found[key] not in (None, "", [], {}, False):
                self.dropped(f"{place}.{key}" if place else str(key), found[key])

    def report(self) -> tuple[Loss, ...]:
        """Return all of them, the commonest of each kind first."""
        order = {"malformed": 0, "truncated": 1, "guessed": 2, "dropped": 3}
        found = [
            Loss(kind=kind, field=field, count=count, example=self._examples[kind, field])
            for (kind, field), count in self._counts.items()
        ]
        return tuple(sorted(found, key=lambda one: (order[one.kind], -one.count, one.field)))

    def merge(self, others: Iterable[Loss]) -> None:
        """Add losses that were counted elsewhere."""
        for one in others:
            where, self.where = self.where, ""
            self._add(one.kind, one.field, one.example, one.count)
            self.where = where

    def _add(self, kind: LossKind, field: str, example: object, count: int) -> None:
        key = (kind, field[:EXAMPLE_CHARS])
        known = self._counts.get(key)
        if known is None and len(self._counts) >= MOST_FIELDS:
            key = (kind, _OTHERS)
            known = self._counts.get(key)
        if known is None:
            text = str(example)[:EXAMPLE_CHARS]
            self._examples[key] = ": ".join(filter(None, (self.where, text)))
        self._counts[key] = (known or 0) + count
