"""Which request of the model a tool call carries out, and what was changed on the way."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.datamodel.event import RequestedCall
from trajaudit.gateway.item import canonical
from trajaudit.record.raw_json import parsed

SHOWN_CHARS = 80


@dataclass(eq=False)
class Request:
    """A call that the model asked for."""

    call: RequestedCall
    seq: int
    """The message in which it did."""
    executed: int | None = None
    """Seq of the tool call that carried it out."""
    observed: str | None = None
    """What the gateway gave back for it."""


class Pending:
    """The requests of a trial, newest last."""

    def __init__(self) -> None:
        self._requests: list[Request] = []
        self._by_id: dict[str, Request] = {}

    def add(self, call: RequestedCall, seq: int) -> None:
        """Remember a request; an id that comes again means the newer one from now on."""
        request = Request(call, seq)
        self._requests.append(request)
        self._by_id[call.call_id] = request

    def known(self, call_id: str) -> bool:
        """Return whether a request had this id."""
        return call_id in self._by_id

    def by_id(self, call_id: str | None) -> Request | None:
        """Return the newest request with this id."""
        return None if call_id is None else self._by_id.get(call_id)

    def match(self, tool: str, arguments_text: str) -> Request | None:
        """Return the request that a call carries out: the same call, else the most similar one
        for this tool in the latest message that still has open requests.
        """
        wanted = canonical(arguments_text)
        open_ones = [request for request in self._requests if request.executed is None]
        named = [request for request in open_ones if _same_tool(request.call.tool, tool)]
        same = [one for one in named if canonical(one.call.arguments_text) == wanted]
        if same:
            latest = same[-1].seq
            return next(one for one in same if one.seq == latest)
        candidates = [one for one in named if one.seq == open_ones[-1].seq]
        return max(
            candidates, key=lambda one: -len(differences(one, tool, arguments_text)), default=None
        )


def differences(request: Request, tool: str, arguments_text: str) -> tuple[str, ...]:
    """Return what was changed between the model's request and the call; empty: nothing."""
    asked = request.call
    found = [] if asked.tool == tool else [f"tool: {_shown(asked.tool)} became {_shown(tool)}"]
    before, fault = parsed(asked.arguments_text)
    after, _ = parsed(arguments_text)
    if fault or not isinstance(before, dict) or not isinstance(after, dict):
        if canonical(asked.arguments_text) != canonical(arguments_text):
            found.append(
                f"arguments: {_shown(asked.arguments_text)} became {_shown(arguments_text)}"
            )
    else:
        found += _changes(before, after)
    return tuple(found)


def _changes(before: dict[str, JsonValue], after: dict[str, JsonValue]) -> Iterator[str]:
    for name, value in before.items():
        if name not in after:
            yield f"{name[:SHOWN_CHARS]}: dropped"
        elif type(value) is not type(after[name]) or value != after[name]:
            yield f"{name[:SHOWN_CHARS]}: {_shown(value)} became {_shown(after[name])}"
    for name, value in after.items():
        if name not in before:
            yield f"{name[:SHOWN_CHARS]}: added as {_shown(value)}"


def _same_tool(asked: str, called: str) -> bool:
    """Frameworks put the server's name before the tool's."""
    return asked == called or any(asked.endswith(mark + called) for mark in "_.-/:")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1] + "…"
