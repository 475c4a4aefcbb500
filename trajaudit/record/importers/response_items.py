"""Items of OpenAI's Responses API, in the order in which they came."""

from collections.abc import Iterable
from typing import Any

from trajaudit.datamodel.event import RequestedCall, Usage
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import text_of
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_list, as_text, first, json_text

_CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "computer_call": "action",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
}
"""Item → where its arguments are; the reply comes as an item of its own, `<item>_output`."""
_SERVED = {
    "mcp_call": ("arguments", "output"),
    "code_interpreter_call": ("code", "outputs"),
    "web_search_call": ("action", "results"),
    "file_search_call": ("queries", "results"),
    "image_generation_call": ("prompt", "result"),
}
"""Item of a call that the provider carried out → arguments and reply in the item itself."""
_SILENT = frozenset({"mcp_list_tools", "item_reference", "additional_tools", "tool_search_call"})
_ITEMS = {*_CALLS, *_SERVED, *_SILENT, "reasoning", "compaction"} | {
    f"{name}_output" for name in _CALLS
}


def is_item(value: Any) -> bool:
    """Return whether a value is an item: it says its type, and no chat message does."""
    fields = as_dict(value)
    kind = as_text(fields.get("type"))
    return kind in _ITEMS or (kind == "message" and "role" in fields)


def prompt_of_items(items: Iterable[Any]) -> str:
    """Return the last message of the user before the model's first own item."""
    prompt = ""
    for item in map(as_dict, items):
        if item.get("role") == "user":
            prompt = text_of(item.get("content"), Losses())
        elif item.get("role") == "assistant" or item.get("type") in {*_CALLS, *_SERVED}:
            break
    return prompt


class ItemReader:
    """Feeds items to a builder. What the model does between two items of others is one step."""

    def __init__(self, builder: TrialBuilder, losses: Losses) -> None:
        self._builder = builder
        self._losses = losses
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[RequestedCall] = []
        self._served: list[tuple[RequestedCall, Any, bool]] = []
        self._first_user = True
        self._rewrites: int | None = None
        self.steps = 0
        """Steps so far."""

    def read(self, items: Iterable[Any], *, usage: Usage | None = None, model_id: str = "") -> None:
        """Take all items; `usage`: of the model call that made the last step."""
        for item in items:
            self.take(as_dict(item))
        call = None
        if usage is not None and self._is_open():
            call = self._builder.model_call(model_id, usage=usage)
        self.flush(call)

    def take(self, item: dict[str, Any]) -> None:
        """Take one item."""
        kind = as_text(item.get("type")) or "message"
        if kind == "message":
            self._message(item)
        elif kind == "reasoning":
            self._reason(item)
        elif kind in _CALLS:
            self._call(item, as_text(item.get("name")) or kind, item.get(_CALLS[kind]))
        elif kind in _SERVED:
            self._serve(item, kind)
        elif kind.endswith("_output"):
            self.flush()
            text = text_of(item.get("output"), self._losses)
            failed = as_dict(item.get("error")) != {} or item.get("status") == "failed"
            self._builder.answer(as_text(item.get("call_id")) or None, text, is_error=failed)
        elif kind == "compaction":
            self.flush()
            self._rewrites = 2
            self._losses.truncated("compaction", "the provider shortened the history")
        elif kind not in _SILENT:
            self._losses.dropped(f"item.{kind}", item)

    def flush(self, model_call: int | None = None) -> None:
        """Close the step that is open."""
        if not self._is_open():
            return
        self.steps += 1
        self._builder.assistant(
            "\n".join(self._texts),
            calls=[*self._calls, *(call for call, _, _ in self._served)],
            reasoning="\n".join(self._thoughts) or None,
            refusal="\n".join(self._refusals) or None,
            model_call=model_call,
            rewrites=self._rewrites,
        )
        for call, reply, failed in self._served:
            self._builder.answer(call.call_id, reply, is_error=failed)
        self._texts, self._refusals, self._thoughts = [], [], []
        self._calls, self._served, self._rewrites = [], [], None

    def _is_open(self) -> bool:
        return bool(self._texts or self._refusals or self._thoughts or self._calls or self._served)

    def _message(self, item: dict[str, Any]) -> None:
        role = item.get("role")
        if role == "assistant":
            # A message after calls of the same step would stand before them: a step of its own.
            if self._calls or self._served:
                self.flush()
            for part in as_list(item.get("content")):
                if as_dict(part).get("type") == "refusal":
                    self._refusals.append(as_text(as_dict(part).get("refusal")))
            self._texts.append(text_of(item.get("content"), self._losses))
            return
        self.flush()
        text = text_of(item.get("content"), self._losses)
        if role in {"system", "developer"}:
            self._builder.prompt(role, text)
        elif role == "user":
            self._builder.prompt("user", text, first=self._first_user)
            self._first_user = False
        else:
            self._losses.malformed("message.role", repr(role))

    def _reason(self, item: dict[str, Any]) -> None:
        parts = as_list(item.get("summary")) + as_list(item.get("content"))
        self._thoughts += [as_text(as_dict(part).get("text")) for part in parts]
        if item.get("encrypted_content") and not parts:
            self._losses.dropped("reasoning.encrypted_content", "unreadable")

    def _call(self, item: dict[str, Any], name: str, arguments: Any) -> None:
        call_id = as_text(first(item, "call_id", "id")) or None
        self._calls.append(self._builder.request(name, arguments, call_id))

    def _serve(self, item: dict[str, Any], kind: str) -> None:
        given, told = (item.get(name) for name in _SERVED[kind])
        text = (
            given if kind == "mcp_call" and isinstance(given, str) else json_text({"text": given})
        )
        call = self._builder.request(
            as_text(item.get("name")) or kind.removesuffix("_call"), text, as_text(item.get("id"))
        )
        error = item.get("error")
        self._served.append((call, error or told, bool(error) or item.get("status") == "failed"))
