"""Which events of an Inspect sample are the agent's, in which order?

Left out are events of scorers (judges call models too), what a branch replayed before it began
anew, and sub-events that older logs keep inside of a tool's event are told before it.
"""

from collections.abc import Iterator
from typing import Any

from trajaudit.record.importers.shapes import as_dict, as_list, as_text

_JUDGING = frozenset({"scorer", "scorers"})


class Spans:
    """The tree of spans of a sample."""

    def __init__(self, events: list[Any]) -> None:
        self.judging: set[str] = set()
        """Spans in which scorers ran."""
        self.tools: set[str] = set()
        """Spans of single tool calls."""
        self.errors = 0
        """Events that tell of an error."""
        self._replayed: dict[str, int] = {}
        """Span that branched → index of the event from which on it is new."""
        parents: dict[str, str] = {}
        for index, event in enumerate(events):
            kind = event.get("event") if isinstance(event, dict) else None
            if kind == "span_begin":
                span, parent = as_text(event.get("id")), as_text(event.get("parent_id"))
                parents[span] = parent
                if event.get("type") in _JUDGING or parent in self.judging:
                    self.judging.add(span)
                elif event.get("type") == "tool":
                    self.tools.add(span)
            elif kind == "branch":
                self._replayed[as_text(event.get("span_id"))] = index
            elif kind == "error":
                self.errors += 1
        self._parents = parents

    def is_judging(self, event: dict[str, Any]) -> bool:
        """Return whether a scorer made an event."""
        return as_text(event.get("span_id")) in self.judging

    @property
    def is_branched(self) -> bool:
        """Some events may only repeat others."""
        return bool(self._replayed)

    def is_replay(self, event: dict[str, Any], index: int) -> bool:
        """Return whether a branch only repeated this event of its parent."""
        span, seen = as_text(event.get("span_id")), set[str]()
        while span and span not in seen:
            if index < self._replayed.get(span, -1):
                return True
            seen.add(span)
            span = self._parents.get(span, "")
        return False


def begins_judging(event: dict[str, Any]) -> bool:
    """Return whether a scorer begins here: with a span, in older logs with a step."""
    kind = event.get("event")
    begins = kind == "span_begin" or (kind == "step" and event.get("action") == "begin")
    return begins and event.get("type") in _JUDGING


def agent_events(events: list[Any], spans: Spans) -> Iterator[dict[str, Any]]:
    """Yield the agent's events in order."""
    steps = 0
    judging, branched = spans.judging, spans.is_branched
    for index, event in enumerate(events):
        fields = event if isinstance(event, dict) else {}
        span = fields.get("span_id")
        if fields.get("event") == "step" and fields.get("type") in _JUDGING:
            steps += 1 if fields.get("action") == "begin" else -1
        elif (
            steps <= 0
            and (span if type(span) is str else as_text(span)) not in judging
            and not (branched and spans.is_replay(fields, index))
        ):
            if fields.get("events"):
                yield from _flat(fields)
            else:
                yield fields


def _flat(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what an older log keeps inside of an event, then the event."""
    waiting: list[tuple[dict[str, Any], bool]] = [(event, False)]
    while waiting:
        fields, opened = waiting.pop()
        inner = as_list(fields.get("events"))
        if opened or not inner:
            yield fields
        else:
            waiting.append((fields, True))
            waiting += [(as_dict(one), False) for one in reversed(inner)]
