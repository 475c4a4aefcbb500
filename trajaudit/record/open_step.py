"""A step of a trajectory while its events are still being read."""

from dataclasses import dataclass, field

from trajaudit.datamodel._base import checked
from trajaudit.datamodel.event import RequestedCall, ToolCallEvent, Usage
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall
from trajaudit.record.raw_json import parsed

_step, _call = checked(Step), checked(ToolCall)


@dataclass
class OpenStep:
    """A step that may still get calls, observations and notes."""

    message: Message
    number: int
    finish_reason: str | None = None
    usage: Usage | None = None
    before: list[Message] = field(default_factory=list)
    calls: list[ToolCall | tuple[RequestedCall, int]] = field(default_factory=list)
    """Those that were carried out, and those that were asked for, with the seq of the message."""
    observations: list[Observation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    answered: bool = False
    """The simulated user said something after it."""

    def closed(self) -> Step:
        """Return the step as it is now."""
        return _step(
            number=self.number,
            before=tuple(self.before),
            message=self.message,
            tool_calls=tuple(
                [_asked_for(*call) if type(call) is tuple else call for call in self.calls]
            ),
            observations=tuple(self.observations),
            finish_reason=self.finish_reason,
            usage=self.usage,
            notes=tuple(self.notes),
        )


def _asked_for(request: RequestedCall, seq: int) -> ToolCall:
    arguments, error = parsed(request.arguments_text)
    return _call(
        call_id=request.call_id,
        tool=request.tool,
        arguments_text=request.arguments_text,
        arguments=arguments,
        parse_error=error,
        executed=False,
        requested_text=None,
        differs=(),
        seq=seq,
    )


def asked_text(asked: ToolCall | tuple[RequestedCall, int]) -> str:
    """Return the arguments as the model wrote them."""
    return (asked if isinstance(asked, ToolCall) else asked[0]).arguments_text


def carried_out(event: ToolCallEvent, seq: int, requested_text: str | None) -> ToolCall:
    """Return a call that was carried out, with what the model had written, if that differs."""
    return _call(
        call_id=event.call_id,
        tool=event.tool,
        arguments_text=event.arguments_text,
        arguments=event.arguments,
        parse_error=event.parse_error,
        executed=True,
        requested_text=requested_text,
        differs=event.differs,
        seq=seq,
    )
