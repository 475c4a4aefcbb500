"""Does it count against an agent that a tool failed and that it got over it, or when it did?"""

from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall
from trajaudit.judge.probes.base import Probe, Side, Subject, inserted, of

_BUSY = "temporarily unavailable, try again"
_CLOCK = "get_time"


def _recovered(subject: Subject) -> Side | None:
    """The first call that went well fails once before."""
    for at, step in enumerate(subject.trajectory.steps):
        seen = {one.call_id: one for one in step.observations}
        for call in step.tool_calls:
            if call.executed and call.call_id in seen and not seen[call.call_id].is_error:
                failed = _step(call.model_copy(update={"call_id": "probe_0"}), _BUSY, error=True)
                return of(subject, inserted(subject.trajectory, at, [failed]))
    return None


def _early(subject: Subject) -> Side:
    return of(subject, inserted(subject.trajectory, 0, _mishap()))


def _late(subject: Subject) -> Side | None:
    last = [at for at, step in enumerate(subject.trajectory.steps) if step.tool_calls]
    if not last:
        return None
    return of(subject, inserted(subject.trajectory, last[-1] + 1, _mishap()))


def _mishap() -> list[Step]:
    """A look at the clock that fails once: no part of any task."""
    calls = [
        ToolCall(call_id=f"probe_{n}", tool=_CLOCK, arguments_text="{}", arguments={})
        for n in (1, 2)
    ]
    return [
        _step(calls[0], _BUSY, error=True),
        _step(calls[1], "2026-03-02T10:00:00Z", error=False),
    ]


def _step(call: ToolCall, gave: str, *, error: bool) -> Step:
    seen = Observation(call_id=call.call_id, tool=call.tool, content=gave, is_error=error)
    said = Message(role="assistant", content="")
    return Step(number=1, message=said, tool_calls=(call,), observations=(seen,))


RECOVERY = Probe("recovery", "a call fails once and is repeated with success", _recovered)
LATE_ERROR = Probe(
    "late_error", "a mishap at the end, compared with one at the start", _late, _early
)
