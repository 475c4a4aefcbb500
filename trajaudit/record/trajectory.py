"""What the events of a journal say that a trial did, step by step.

Total: whatever the events are (half a journal, a forged one, calls without requests), the result
is a trajectory. Where an event names no step, it belongs to the nearest one.
"""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from trajaudit.datamodel._base import checked
from trajaudit.datamodel.event import (
    End,
    Event,
    FaultEvent,
    MessageEvent,
    ModelCall,
    Note,
    ObservationEvent,
    PatchEvent,
    Start,
    StateEvent,
    Submit,
    ToolCallEvent,
    Warning_,
)
from trajaudit.datamodel.patch_trial import TakenPatch
from trajaudit.datamodel.trajectory import (
    Message,
    Observation,
    Trajectory,
    WorldChange,
)
from trajaudit.record.open_step import OpenStep, asked_text, carried_out

_message, _observation, _trajectory = checked(Message), checked(Observation), checked(Trajectory)
_UNTOLD = {name: field.default for name, field in Trajectory.model_fields.items()}
"""Fields of a trajectory, in their order, of which no event told."""


def read_trajectory(events: Iterable[Event], *, numbered: bool = True) -> Trajectory:
    """Return the trajectory of a trial's events; not `numbered`: they are counted from 1.

    The final reply is what was submitted last; else the last message without tool calls that went
    to the user: the last one of a trial that ended as `replied`, and of any other trial one that
    the user answered or that nothing followed. A journal without an end ends as `infra_error`.
    """
    reader = _Reader()
    for count, event in enumerate(events, start=1):
        reader.take(event, event.seq if numbered else count)
    return reader.trajectory()


class _Reader:
    def __init__(self) -> None:
        self._seq = 0
        """Of the event that is being taken."""
        self._fields: dict[str, Any] = {"task_id": "", "end_reason": None}
        self._steps: list[OpenStep] = []
        self._pending: list[Message] = []
        self._model_calls: dict[int, ModelCall] = {}
        self._step_of: dict[int | str, OpenStep] = {}
        """Seq of a message or a tool call, or id of a tool call → its step."""
        self._requested: dict[str, tuple[OpenStep, int]] = {}
        """Id of a call that was not carried out yet → where it stands."""
        self._submission: tuple[Submit, int, int | None] | None = None
        self._notes: list[str] = []
        self._warnings: list[str] = []
        self._faults: list[int] = []
        self._changes: list[WorldChange] = []

    def take(self, event: Event, seq: int) -> None:
        self._seq = seq
        self._takers[type(event)](self, event)

    def trajectory(self) -> Trajectory:
        fields = {
            **_UNTOLD,
            **self._fields,
            "steps": tuple([step.closed() for step in self._steps]),
            "after": tuple(self._pending),
            "notes": tuple(self._notes),
            "warnings": tuple(self._warnings),
            "faults_hit": tuple(sorted(set(self._faults))),
            "world_changes": tuple(self._changes),
            **self._final(),
        }
        if fields["end_reason"] is None:
            fields |= {"end_reason": "infra_error", "end_detail": "the journal has no end"}
        return _trajectory(**fields)

    def _start(self, event: Start) -> None:
        self._fields |= {
            "task_id": event.task_id,
            "trial": event.trial,
            "agent": event.agent,
            "model_id": event.model_id,
        }

    def _message(self, event: MessageEvent) -> None:
        message = _message(
            role=event.role,
            content=event.content,
            source=event.source,
            reasoning=event.reasoning,
            seq=self._seq,
            rewrites=event.rewrites,
            call_id=event.call_id,
        )
        if event.role != "assistant":
            self._pending.append(message)
            if event.source == "user" and self._steps:
                self._steps[-1].answered = True
            return
        step = self._open(message)
        self._step_of[self._seq] = step
        made_by = None if event.model_call is None else self._model_calls.get(event.model_call)
        step.usage = made_by.usage if made_by else None
        step.finish_reason = event.finish_reason or (made_by.finish_reason if made_by else None)
        for request in event.tool_calls:
            self._requested[request.call_id] = (step, len(step.calls))
            self._step_of[request.call_id] = step
            step.calls.append((request, self._seq))

    def _tool_call(self, event: ToolCallEvent) -> None:
        place = self._requested.pop(event.call_id, None)
        if place is not None:
            step, index = place
            asked = step.calls[index]
            text = asked_text(asked) if event.differs else None
            step.calls[index] = carried_out(event, self._seq, text)
        else:
            step = self._step(event.requested, event.call_id)
            step.calls.append(carried_out(event, self._seq, None))
        self._step_of[self._seq] = self._step_of[event.call_id] = step

    def _observation(self, event: ObservationEvent) -> None:
        observation = _observation(
            call_id=event.call_id,
            tool=event.tool,
            content=event.content,
            is_error=event.is_error,
            fault=event.fault,
            duration_s=event.duration_s,
            seq=self._seq,
        )
        self._step(event.call, event.call_id).observations.append(observation)

    def _step(self, *names: int | str | None) -> OpenStep:
        for name in names:
            if name is not None and name in self._step_of:
                return self._step_of[name]
        return self._steps[-1] if self._steps else self._open(Message(role="assistant", content=""))

    def _open(self, message: Message) -> OpenStep:
        step = OpenStep(message=message, number=len(self._steps) + 1, before=self._pending)
        self._pending = []
        self._steps.append(step)
        return step

    def _model_call(self, event: ModelCall) -> None:
        self._model_calls[self._seq] = event

    def _state(self, event: StateEvent) -> None:
        if event.what == "patch":
            number = self._step(event.call).number if self._steps else 0
            self._changes.append(WorldChange(step=number, seq=self._seq, patch=event.patch))
        else:
            self._fields[f"world_{event.what}"] = event.value

    def _fault(self, event: FaultEvent) -> None:
        self._faults.append(event.index)

    def _note(self, event: Note) -> None:
        self._notes.append(event.content)
        if self._steps:
            self._steps[-1].notes.append(event.content)

    def _submit(self, event: Submit) -> None:
        self._submission = (event, self._seq, len(self._steps) or None)

    def _patch(self, event: PatchEvent) -> None:
        self._fields["patch"] = TakenPatch(
            artifact=event.artifact,
            size=event.size,
            files=event.files,
            left_out=event.left_out,
            problem=event.problem,
            detail=event.detail,
            seq=self._seq,
        )

    def _warning(self, event: Warning_) -> None:
        self._warnings.append(f"{event.code}: {event.text}")

    def _end(self, event: End) -> None:
        if self._fields["end_reason"] is None:
            self._fields |= {"end_reason": event.reason, "end_detail": event.detail}

    def _final(self) -> dict[str, Any]:
        if self._submission is not None:
            event, seq, number = self._submission
            return {
                "final_reply": event.content,
                "submitted": True,
                "final_seq": seq,
                "final_step": number,
            }
        for step in reversed(self._steps):
            if not step.calls and self._went_to_user(step):
                return {
                    "final_reply": step.message.content,
                    "final_seq": step.message.seq,
                    "final_step": step.number,
                    "finish_reason": step.finish_reason,
                }
        return {}

    def _went_to_user(self, step: OpenStep) -> bool:
        replied = self._fields["end_reason"] == "replied"
        return replied or step.answered or step is self._steps[-1]

    # Of the class: methods of the reader itself would keep it, and with it the trial, alive.
    _takers: ClassVar[dict[type[Any], Callable[["_Reader", Any], None]]] = {
        Start: _start,
        MessageEvent: _message,
        ModelCall: _model_call,
        ToolCallEvent: _tool_call,
        ObservationEvent: _observation,
        StateEvent: _state,
        FaultEvent: _fault,
        Note: _note,
        Submit: _submit,
        PatchEvent: _patch,
        Warning_: _warning,
        End: _end,
    }
