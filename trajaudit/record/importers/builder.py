"""Turns messages, calls and replies of a foreign log into the events of a journal."""

from collections import defaultdict
from collections.abc import Iterable
from types import NoneType
from typing import Any, Literal, get_args

from pydantic import JsonValue

from trajaudit.datamodel._base import typed
from trajaudit.datamodel.event import (
    End,
    EndReason,
    EventBase,
    MessageEvent,
    ModelCall,
    Note,
    ObservationEvent,
    RequestedCall,
    Retry,
    StateEvent,
    Submit,
    ToolCallEvent,
    Usage,
    Warning_,
)
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_text, json_text
from trajaudit.record.raw_json import parsed

_RETRY = Retry(error="not told in the log")
_MOST_RETRIES = 100
_REASONS = frozenset(get_args(EndReason))
PromptRole = Literal["system", "developer", "user"]
# Texts, roles and amounts that an importer hands over as the log has them go to the kinds, which
# check them; what importers make themselves is of the right type.
_message, _model_call, _asked = typed(MessageEvent), typed(ModelCall), typed(RequestedCall)
_tool_call, _observation = typed(ToolCallEvent), typed(ObservationEvent)
_submit, _end = typed(Submit), typed(End)


class TrialBuilder:
    """Collects the events of one trial in their order; `end` closes it.

    A call that the log answers counts as carried out; one without an answer was only asked for.
    """

    def __init__(self, losses: Losses) -> None:
        self.events: list[EventBase] = []
        self.t = 0.0
        """Seconds since the start of the trial, of what comes next; set by who reads."""
        self._losses = losses
        self._open: dict[str, tuple[int, RequestedCall]] = {}
        """Call id → (seq of the message that asked, call) of calls not answered yet."""
        self._made = 0
        self._ids: defaultdict[str, int] = defaultdict(int)

    @property
    def seq(self) -> int:
        """Seq that the next event gets; the start, which the writer adds, is 1."""
        return len(self.events) + 2

    @property
    def unanswered(self) -> int:
        """Calls that were asked for and have no reply yet."""
        return len(self._open)

    def prompt(
        self,
        role: PromptRole,
        content: str,
        *,
        first: bool = False,
        harness: bool = False,
        rewrites: int | None = None,
    ) -> int:
        """A system, developer or user message.

        `first`: it is the task itself; `harness`: no user said it, the agent's framework did.
        """
        user = role == "user" and not harness
        source: Literal["task", "user", "harness"] = "user" if user else "harness"
        make = _message if type(content) is str and role in _ROLES else MessageEvent
        said = "task" if first else source
        return self._add(make(t=self.t, role=role, content=content, source=said, rewrites=rewrites))

    def request(
        self, tool: str, arguments: Any, call_id: str | None = None, *, is_raw: bool = True
    ) -> RequestedCall:
        """Return a call as the agent asked for it, for `assistant`.

        Arguments that the log holds as a value lost their raw text, as do those that are a text
        which is not `is_raw`; an id that is missing or was used before is made up. Both are
        counted.
        """
        is_text = isinstance(arguments, str)
        text = arguments if is_text else "{}" if arguments is None else json_text(arguments)
        if not (is_text and is_raw):
            self._losses.guessed("tool_call.arguments_text", "the log holds only the parsed value")
        self._made += 1
        if not call_id:
            call_id = f"call-{self._made}"
            self._losses.guessed("tool_call.id", call_id)
        self._ids[call_id] += 1
        if self._ids[call_id] > 1:
            self._losses.malformed("tool_call.id", f"{call_id!r} is used twice in one trial")
            call_id = f"{call_id}~{self._made}"
        tool = tool or "(unnamed)"
        make = _asked if type(call_id) is type(tool) is str else RequestedCall
        return make(call_id=call_id, tool=tool, arguments_text=text)

    def assistant(
        self,
        content: str,
        *,
        calls: Iterable[RequestedCall] = (),
        reasoning: str | None = None,
        refusal: str | None = None,
        finish_reason: str | None = None,
        model_call: int | None = None,
        rewrites: int | None = None,
    ) -> int:
        """A message of the agent: a new step."""
        asked = tuple(calls)
        others = {type(reasoning), type(finish_reason), type(refusal)}
        known = type(content) is str and others <= _TEXT
        make = _message if known else MessageEvent
        seq = self._add(
            make(
                t=self.t,
                role="assistant",
                content=content,
                source="agent" if model_call is None else "model",
                reasoning=reasoning or None,
                tool_calls=asked,
                rewrites=rewrites,
                model_call=model_call,
                finish_reason=finish_reason,
                refusal=refusal,
            )
        )
        for call in asked:
            self._open[call.call_id] = seq, call
        return seq

    def model_call(
        self,
        model_id: str,
        *,
        usage: Usage | None = None,
        cost_usd: float | None = None,
        latency_s: float = 0.0,
        finish_reason: str | None = None,
        error: str | None = None,
        params: dict[str, JsonValue] | None = None,
    ) -> int:
        """What is known of a model call; give its seq to the `assistant` message it led to."""
        given = params or {}
        known = (
            type(model_id) is str
            and {type(finish_reason), type(error)} <= _TEXT
            and type(cost_usd) in _FLOAT
            and _SCALAR.issuperset(map(type, given.values()))
        )
        make = _model_call if known else ModelCall
        return self._add(
            make(
                t=self.t,
                model_id=model_id,
                params=given,
                finish_reason=finish_reason,
                usage=usage,
                cost_usd=cost_usd,
                latency_s=float(max(latency_s, 0.0)),
                error=error,
            )
        )

    def retried(self, count: int) -> None:
        """Tell that the model call told last took so many failed attempts before it."""
        call = self.events[-1]
        if count and isinstance(call, ModelCall):
            retries = (_RETRY,) * min(count, _MOST_RETRIES)
            self.events[-1] = call.model_copy(update={"retries": retries})

    def answer(
        self,
        call_id: str | None,
        content: Any,
        *,
        tool: str = "",
        is_error: bool = False,
        duration_s: float = 0.0,
    ) -> int | None:
        """What a tool gave back. Without a usable id it answers the oldest open call of that tool,
        else the oldest open call; without any, it is told as a message of the harness.
        """
        found = self._pending(call_id, tool)
        text = as_text(content)
        if found is None:
            self._losses.malformed("tool_reply", f"answers no call; id {call_id!r}, tool {tool!r}")
            self._add(_stray(text, call_id, self.t))
            return None
        requested, call = found
        seq = self._add(_carried_out(call, requested, self.t))
        make = _observation if type(is_error) in _FLAG else ObservationEvent
        self._add(
            make(
                t=self.t,
                call_id=call.call_id,
                call=seq,
                tool=call.tool,
                content=text,
                is_error=is_error,
                duration_s=float(max(duration_s, 0.0)),
            )
        )
        return seq

    def note(self, content: str) -> int:
        """A remark that is no answer."""
        return self._add(Note(content=content, t=self.t))

    def submit(self, content: str) -> int:
        """The final answer, where the log marks one; else the last message counts."""
        make = _submit if type(content) is str else Submit
        return self._add(make(content=content, t=self.t))

    def state(
        self,
        what: Literal["start", "patch", "end"],
        *,
        value: JsonValue | None = None,
        patch: tuple[dict[str, JsonValue], ...] = (),
        call: int | None = None,
    ) -> int:
        """The world, where the log holds it; `call`: seq that `answer` returned."""
        return self._add(StateEvent(what=what, value=value, patch=patch, call=call))

    def warning(self, code: str, text: str) -> int:
        """Something that scorers and readers must know, for example `output_cut`."""
        return self._add(Warning_(code=code, text=text))

    def end(self, reason: EndReason, detail: str = "") -> list[EventBase]:
        """Close the trial and return its events."""
        make = _end if reason in _REASONS and type(detail) is str else End
        self._add(make(reason=reason, detail=detail[:2000], t=self.t))
        return self.events

    def _pending(self, call_id: str | None, tool: str) -> tuple[int, RequestedCall] | None:
        if call_id and call_id in self._open:
            return self._open.pop(call_id)
        if call_id and self._ids[call_id]:
            # Reused ids: the reply belongs to the newest call that was renamed.
            known = [key for key in self._open if key.startswith(f"{call_id}~")]
        else:
            known = [key for key, (_, call) in self._open.items() if tool in ("", call.tool)]
        if not known or (call_id and not tool and not self._ids[call_id]):
            return None
        self._losses.guessed("tool_reply.call_id", f"taken for {known[0]!r}")
        return self._open.pop(known[0])

    def _add(self, event: EventBase) -> int:
        self.events.append(event)
        return len(self.events) + 1


def _stray(text: str, call_id: str | None, t: float) -> MessageEvent:
    return MessageEvent(role="tool", content=text, source="harness", call_id=call_id or None, t=t)


def _carried_out(call: RequestedCall, requested: int, t: float) -> ToolCallEvent:
    arguments, error = parsed(call.arguments_text)
    return _tool_call(
        t=t,
        call_id=call.call_id,
        tool=call.tool,
        arguments_text=call.arguments_text,
        arguments=arguments,
        parse_error=error,
        via="agent",
        requested=requested,
    )


_ROLES = get_args(PromptRole)
_TEXT = frozenset({str, NoneType})
_FLOAT = frozenset({float, NoneType})
_FLAG = frozenset({bool})
_SCALAR = frozenset({str, int, float, bool, NoneType})
