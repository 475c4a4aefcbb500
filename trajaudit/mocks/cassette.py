"""A tool that answers from recorded calls: JSONL of `{tool, args, reply, is_error}`."""

import json
from collections.abc import Iterable

from pydantic import Field, JsonValue, ValidationError

from trajaudit.datamodel._base import Record
from trajaudit.errors import ScenarioError
from trajaudit.mocks.base import CallContext, ToolReply
from trajaudit.mocks.match import same_json
from trajaudit.mocks.reply import as_text, failed

Warnings = list[tuple[str, str]]


class RecordedCall(Record):
    """One line of a cassette."""

    tool: str
    args: dict[str, JsonValue] = Field(default_factory=dict)
    reply: JsonValue = None
    is_error: bool = False


def read_cassette(name: str, content: bytes) -> list[RecordedCall]:
    """Read the lines of a cassette.

    Raises:
        ScenarioError: lines are not recorded calls; one `path:line:` fault for each.
    """
    calls: list[RecordedCall] = []
    faults: list[str] = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            calls.append(RecordedCall.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            faults.append(f"{name}:{number}: {where}: {first['msg']}".replace(": : ", ": "))
    if faults:
        raise ScenarioError(faults)
    return calls


def write_line(call: RecordedCall) -> bytes:
    """Return a call as a line of a cassette, with its line feed."""
    return json.dumps(call.model_dump(), ensure_ascii=True).encode() + b"\n"


class _Recorded:
    """The recorded calls of one tool, and which of them were used."""

    def __init__(self, name: str, calls: Iterable[RecordedCall]) -> None:
        self._name = name
        self._left = list(calls)

    def unconsumed(self) -> Warnings:
        """Return a warning for each recorded call that nobody made."""
        name = self._name
        return [
            ("cassette_unconsumed", f"{name}: nobody called {call.tool} with {as_text(call.args)}")
            for call in self._left
        ]

    def _missing(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        text = f"{self._name}: no recording of {context.tool} with {as_text(arguments)}"
        return failed(f"{context.tool} has no answer to this call", ("cassette_drift", text))


class StrictCassette(_Recorded):
    """Replays by arguments: the n-th call with the same arguments gets the n-th recording of them,
    and a call that was not recorded is an error.
    """

    def __call__(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        for index, call in enumerate(self._left):
            if same_json(call.args, arguments):
                del self._left[index]
                return ToolReply(content=as_text(call.reply), is_error=call.is_error)
        return self._missing(arguments, context)


class FifoCassette(_Recorded):
    """Replays in order, whatever the arguments are; a difference is reported as drift."""

    def __call__(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        if not self._left:
            return self._missing(arguments, context)
        call = self._left.pop(0)
        drift: tuple[tuple[str, str], ...] = ()
        if not same_json(call.args, arguments):
            text = f"{self._name}: recorded with {as_text(call.args)}, called with "
            drift = (("cassette_drift", text + as_text(arguments)),)
        return ToolReply(content=as_text(call.reply), is_error=call.is_error, warnings=drift)
