"""Events of OpenHands' first generation: actions and observations."""

from typing import Any

from trajaudit.datamodel.event import RequestedCall, Usage
from trajaudit.record.importers.chat import calls_of, text_of, tools_of
from trajaudit.record.importers.coding import SHELL, finish_reason
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.openhands_log import Told
from trajaudit.record.importers.shapes import as_count, as_dict, as_list, as_text, first

_KNOWN = frozenset(
    {"id", "timestamp", "source", "message", "action", "args", "observation", "content", "extras"}
    | {"cause", "timeout", "tool_call_metadata", "llm_metrics", "success", "tool_result"}
)
# What the framework does for itself.
_SILENT = frozenset(
    {"change_agent_state", "agent_state_changed", "null", "pause", "recall", "condense"}
    | {"loop_recovery", "success"}
)
# Arguments that describe the action to the framework, not to the tool.
_OWN = frozenset(
    {"thought", "confirmation_state", "is_confirmed", "security_risk", "hidden", "keep_prompt"}
    | {"kernel_init_code", "include_extra", "translated_ipython_code", "impl_source"}
)
_TOOLS = {"run": SHELL, "run_ipython": "ipython", "call_tool_mcp": "mcp"}


class EventReader:
    """Tells a list of events to a builder."""

    def __init__(self, told: Told, losses: Losses) -> None:
        self._told = told
        self._builder = told.builder
        self._losses = losses
        self._calls: dict[int, RequestedCall] = {}
        """Id of an action → the call that it is."""
        self._seen: set[str] = set()
        """Replies of a model that were told already."""

    def read(self, events: list[dict[str, Any]]) -> None:
        """Take all of them, in their order."""
        replies: dict[str, list[dict[str, Any]]] = {}
        for event in events:
            if "action" in event:
                replies.setdefault(_reply_id(event), []).append(event)
        for event in events:
            self._losses.unknown("event", event, _KNOWN)
            self._told.at(event.get("timestamp"))
            if "observation" in event:
                self._observation(event)
            elif "action" in event:
                self._action(event, replies[_reply_id(event)])
            else:
                self._losses.malformed("event", "neither action nor observation")

    def _action(self, event: dict[str, Any], together: list[dict[str, Any]]) -> None:
        kind, args = as_text(event.get("action")), as_dict(event.get("args"))
        if kind == "message" and event.get("source") != "agent":
            self._said(event, as_text(first(args, "content") or event.get("message")))
        elif kind == "system":
            self._builder.prompt("system", as_text(args.get("content")))
            self._told.tools = tools_of(args.get("tools"), self._losses)
        elif kind == "condensation":
            self._condensation(args)
        elif kind in _SILENT:
            if kind == "recall":
                self._losses.dropped("event.recall", args.get("query"))
        else:
            self._agent(event, kind, args, together)

    def _said(self, event: dict[str, Any], text: str) -> None:
        if event.get("source") == "user":
            self._told.user(text)
        else:
            self._builder.prompt("user", text, harness=True)

    def _agent(
        self, event: dict[str, Any], kind: str, args: dict[str, Any], together: list[dict[str, Any]]
    ) -> None:
        if kind == "finish":
            self._told.finished = True
            self._told.answer = as_text(first(args, "final_thought", "thought", "message"))
        reply = _reply_id(event)
        if reply and reply in self._seen:
            return
        self._seen.add(reply)
        group = together if reply else [event]
        response = as_dict(as_dict(event.get("tool_call_metadata")).get("model_response"))
        choice = as_dict(next(iter(as_list(response.get("choices"))), None))
        message = as_dict(choice.get("message"))
        text = text_of(message.get("content"), self._losses)
        said = args.get("content") if kind == "message" else args.get("thought")
        asked = [one for one in group if one.get("action") not in {"message", *_SILENT}]
        calls = self._requests([one for one in asked if _is_call(one)], message)
        self._told.steps += 1
        self._told.last_said = not calls
        self._builder.assistant(
            text or as_text(said),
            calls=calls,
            reasoning=as_text(message.get("reasoning_content")) or None,
            finish_reason=finish_reason(choice.get("finish_reason")),
            model_call=self._model_call(response),
        )

    def _requests(
        self, actions: list[dict[str, Any]], message: dict[str, Any]
    ) -> list[RequestedCall]:
        raw = {call_id: (name, text) for call_id, name, text in calls_of(message, self._losses)}
        made = []
        for action in actions:
            facts = as_dict(action.get("tool_call_metadata"))
            call_id = as_text(facts.get("tool_call_id")) or None
            kind, args = as_text(action.get("action")), as_dict(action.get("args"))
            name, arguments = raw.get(call_id) or (
                as_text(facts.get("function_name")) or _TOOLS.get(kind, kind),
                {key: value for key, value in args.items() if key not in _OWN},
            )
            call = self._builder.request(name, arguments, call_id)
            made.append(call)
            if isinstance(action.get("id"), int):
                self._calls[action["id"]] = call
        return made

    def _model_call(self, response: dict[str, Any]) -> int | None:
        usage = as_dict(response.get("usage"))
        if not response:
            return None
        self._told.model = self._told.model or as_text(response.get("model"))
        return self._builder.model_call(
            as_text(response.get("model")),
            usage=Usage(
                prompt_tokens=as_count(usage.get("prompt_tokens")),
                completion_tokens=as_count(usage.get("completion_tokens")),
            ),
        )

    def _observation(self, event: dict[str, Any]) -> None:
        kind, extras = as_text(event.get("observation")), as_dict(event.get("extras"))
        text = as_text(first(event, "content") or extras.get("content"))
        if kind == "agent_state_changed":
            self._told.status = as_text(extras.get("agent_state"))
            self._told.error = as_text(extras.get("reason")) or self._told.error
            return
        if kind in _SILENT:
            return
        call = self._calls.get(event["cause"]) if isinstance(event.get("cause"), int) else None
        code = as_dict(extras.get("metadata")).get("exit_code", extras.get("exit_code"))
        failed = kind == "error" or (isinstance(code, int) and code not in {0, -1})
        if call is not None:
            self._builder.answer(call.call_id, text, is_error=failed)
        elif kind == "error":
            self._told.error = text
            self._builder.prompt("user", text, harness=True)
        else:
            # What the agent did before the log starts, or what a user did in its place.
            self._builder.answer(None, text, tool=_TOOLS.get(kind, kind), is_error=failed)

    def _condensation(self, args: dict[str, Any]) -> None:
        summary = as_text(args.get("summary"))
        self._builder.prompt(
            "user", summary, harness=True, rewrites=self._told.first_seq or self._builder.seq
        )


def _is_call(action: dict[str, Any]) -> bool:
    """Whether an action is a call: finishing is one only where the model called a function."""
    return action.get("action") != "finish" or bool(action.get("tool_call_metadata"))


def _reply_id(event: dict[str, Any]) -> str:
    facts = as_dict(event.get("tool_call_metadata"))
    return as_text(as_dict(facts.get("model_response")).get("id"))
