"""Events of the OpenHands SDK: a tree of which one branch happened."""

from typing import Any

from trajaudit.record.importers.chat import tools_of
from trajaudit.record.importers.coding import parts_text
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.openhands_log import Told
from trajaudit.record.importers.shapes import as_dict, as_list, as_text, first

_COMMON = frozenset({"id", "timestamp", "source", "parent_id", "kind"})
_ACTION = _COMMON | frozenset(
    {"thought", "reasoning_content", "thinking_blocks", "action", "tool_name", "tool_call_id"}
    | {"tool_call", "llm_response_id", "security_risk", "summary", "responses_reasoning_item"}
    | {"critic_result"}
)
_OBSERVATION = _COMMON | frozenset(
    {"tool_name", "tool_call_id", "observation", "action_id", "extended_content", "error"}
    | {"classification", "rejection_reason"}
)
_MESSAGE = _COMMON | frozenset(
    {"llm_message", "activated_skills", "extended_content", "llm_response_id", "sender"}
    | {"critic_result"}
)
_SILENT = frozenset({"TokenEvent", "LLMCompletionLogEvent", "StreamingDeltaEvent"})


def branch(events: list[dict[str, Any]], leaf: str, losses: Losses) -> list[dict[str, Any]]:
    """Return the events from the root to the leaf; what lies beside that branch is counted.

    `leaf`: id of the last event, where the log tells it; else it is the last of the list. Logs
    without `parent_id` are one branch.
    """
    if not any(event.get("parent_id") for event in events):
        return events
    by_id = {as_text(event.get("id")): event for event in events}
    at: dict[str, Any] | None = by_id.get(leaf) or events[-1]
    kept: dict[str, None] = {}
    while at is not None:
        name = as_text(at.get("id"))
        if name in kept:
            losses.malformed("event.parent_id", f"{name!r} is its own ancestor")
            break
        kept[name] = None
        parent = as_text(at.get("parent_id"))
        if parent and parent not in by_id:
            losses.malformed("event.parent_id", f"no event {parent!r}")
            return events
        at = by_id.get(parent) if parent else None
    aside = [event for event in events if as_text(event.get("id")) not in kept]
    if not aside:
        return events
    losses.dropped("events beside the branch", as_text(aside[0].get("id")), len(aside))
    return [by_id[name] for name in reversed(kept)]


class SdkReader:
    """Tells events to a builder."""

    def __init__(self, told: Told, losses: Losses) -> None:
        self._told = told
        self._builder = told.builder
        self._losses = losses

    def read(self, events: list[dict[str, Any]]) -> None:
        """Take all of them, in their order."""
        together: dict[str, list[dict[str, Any]]] = {}
        for event in events:
            if event.get("kind") == "ActionEvent":
                together.setdefault(_reply_id(event), []).append(event)
        for event in events:
            self._told.at(event.get("timestamp"))
            if event.get("kind") != "ActionEvent":
                self._take(event)
                continue
            group = together.pop(_reply_id(event), [])
            if group:
                self._actions(group)

    def _take(self, event: dict[str, Any]) -> None:
        kind = as_text(event.get("kind"))
        if kind in {"ObservationEvent", "AgentErrorEvent", "UserRejectObservation"}:
            self._observation(event, kind)
        elif kind == "MessageEvent":
            self._message(event)
        elif kind == "SystemPromptEvent":
            self._builder.prompt("system", parts_text(_texts(event.get("system_prompt"))))
            self._told.tools = tools_of(event.get("tools"), self._losses)
        elif kind in {"Condensation", "CondensationSummaryEvent"}:
            self._builder.prompt(
                "user",
                as_text(event.get("summary")),
                harness=True,
                rewrites=(self._told.first_seq or None) if kind == "Condensation" else None,
            )
        elif kind == "ConversationStateUpdateEvent":
            self._state(event)
        elif kind == "ConversationErrorEvent":
            self._told.error = as_text(first(event, "detail", "code"))
            self._told.status = "error"
        elif kind not in _SILENT:
            self._losses.dropped(f"event.{kind or 'unnamed'}", event.get("id"))

    def _actions(self, group: list[dict[str, Any]]) -> None:
        calls = []
        for event in group:
            self._losses.unknown("ActionEvent", event, _ACTION)
            asked = as_dict(event.get("tool_call"))
            arguments = asked.get("arguments", as_dict(event.get("action")))
            name = as_text(first(asked, "name") or event.get("tool_name"))
            call_id = as_text(first(event, "tool_call_id") or asked.get("id")) or None
            calls.append(self._builder.request(name, arguments, call_id))
            action = as_dict(event.get("action"))
            if action.get("kind") == "FinishAction" or event.get("tool_name") == "finish":
                self._told.finished = True
                self._told.answer = as_text(action.get("message"))
        head = group[0]
        self._told.steps += 1
        self._told.last_said = False
        self._builder.assistant(
            "\n".join(filter(None, (parts_text(event.get("thought")) for event in group))),
            calls=calls,
            reasoning=_reasoning(head),
        )

    def _observation(self, event: dict[str, Any], kind: str) -> None:
        self._losses.unknown(kind, event, _OBSERVATION)
        seen = as_dict(event.get("observation"))
        text = parts_text(_texts(seen.get("content")))
        if kind == "AgentErrorEvent":
            text = as_text(event.get("error"))
        elif kind == "UserRejectObservation":
            text = as_text(event.get("rejection_reason"))
        code = seen.get("exit_code")
        failed = kind != "ObservationEvent" or seen.get("is_error") is True
        failed |= isinstance(code, int) and code not in {0, -1}
        self._builder.answer(
            as_text(event.get("tool_call_id")) or None,
            text,
            tool=as_text(event.get("tool_name")),
            is_error=failed,
        )

    def _message(self, event: dict[str, Any]) -> None:
        self._losses.unknown("MessageEvent", event, _MESSAGE)
        message = as_dict(event.get("llm_message"))
        text = parts_text(message.get("content"))
        more = parts_text(event.get("extended_content"))
        whole = "\n".join(filter(None, (text, more)))
        if event.get("source") == "user":
            self._told.user(whole)
        elif message.get("role") == "assistant" or event.get("source") == "agent":
            self._told.steps += 1
            self._told.last_said = True
            self._builder.assistant(whole, reasoning=as_text(message.get("reasoning_content")))
        else:
            self._builder.prompt("user", whole, harness=True)

    def _state(self, event: dict[str, Any]) -> None:
        value = event.get("value")
        if event.get("key") == "execution_status":
            self._told.status = as_text(value)
        elif event.get("key") == "full_state":
            self._told.status = as_text(as_dict(value).get("execution_status"))
        self._usage(value if event.get("key") == "stats" else as_dict(value).get("stats"))

    def _usage(self, stats: Any) -> None:
        self._told.sums |= as_dict(as_dict(stats).get("usage_to_metrics"))


def _reply_id(event: dict[str, Any]) -> str:
    """Calls of one reply of the model share it; an action without one stands alone."""
    return as_text(event.get("llm_response_id")) or f"alone {as_text(event.get('id'))}"


def _reasoning(event: dict[str, Any]) -> str | None:
    said = as_text(event.get("reasoning_content"))
    blocks = map(as_dict, as_list(event.get("thinking_blocks")))
    return said or "\n".join(as_text(block.get("thinking")) for block in blocks) or None


def _texts(content: Any) -> Any:
    return [content] if isinstance(content, dict) else content
