"""Chat messages in OpenAI's form, which many formats hold somewhere inside."""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_list, as_text, first, parameters_of

_KNOWN = frozenset(
    {"role", "content", "tool_calls", "tool_call_id", "name", "function_call", "refusal"}
    | {"reasoning_content", "reasoning", "finish_reason", "id"}
)
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})


class ChatReader:
    """Feeds chat messages to a builder, in their order."""

    def __init__(
        self,
        builder: TrialBuilder,
        losses: Losses,
        known: frozenset[str] = frozenset(),
        *,
        user: bool = False,
    ) -> None:
        """`known`: further keys of messages that the caller reads itself.

        `user`: the log has a simulated user, whose first message is not the task.
        """
        self._builder = builder
        self._losses = losses
        self._known = _KNOWN | known
        self._task_seen = user
        self.steps = 0
        """Messages of the assistant so far."""

    def read(self, messages: Iterable[Any]) -> None:
        """Take all of them."""
        for message in messages:
            self.take(as_dict(message))

    def take(self, message: dict[str, Any]) -> None:
        """Take one message of any role."""
        self._losses.unknown("message", message, self._known)
        role = message.get("role")
        if role == "assistant":
            self.assistant(message)
        elif role in {"tool", "function"}:
            call_id = as_text(message.get("tool_call_id")) or None
            text = text_of(message.get("content"), self._losses)
            self._builder.answer(call_id, text, tool=as_text(message.get("name")))
        elif role in {"system", "developer", "user"}:
            first = role == "user" and not self._task_seen
            self._task_seen |= first
            text = text_of(message.get("content"), self._losses)
            self._builder.prompt(role, text, first=first)
        else:
            self._losses.malformed("message.role", repr(role))

    def assistant(
        self,
        message: dict[str, Any],
        *,
        finish_reason: Any = None,
        model_call: int | None = None,
    ) -> int:
        """Take a message of the assistant; return its seq."""
        self.steps += 1
        reason = finish_reason or message.get("finish_reason")
        return self._builder.assistant(
            text_of(message.get("content"), self._losses),
            calls=[
                self._builder.request(tool, arguments, call_id)
                for call_id, tool, arguments in calls_of(message, self._losses)
            ],
            reasoning=as_text(first(message, "reasoning_content", "reasoning")) or None,
            refusal=as_text(message.get("refusal")) or None,
            finish_reason=reason if isinstance(reason, str) else None,
            model_call=model_call,
        )


def calls_of(message: dict[str, Any], losses: Losses) -> list[tuple[str | None, str, Any]]:
    """Return (call id, tool, arguments) of each call that a message asks for."""
    found: list[tuple[str | None, str, Any]] = []
    for call in as_list(message.get("tool_calls")):
        fields = as_dict(call)
        inner = as_dict(first(fields, "function", "custom")) or fields
        name = as_text(inner.get("name"))
        if not name:
            losses.malformed("tool_calls", call)
            continue
        arguments = inner.get("arguments", inner.get("input"))
        found.append((as_text(fields.get("id")) or None, name, arguments))
    legacy = as_dict(message.get("function_call"))
    if legacy.get("name"):
        found.append((None, as_text(legacy["name"]), legacy.get("arguments")))
    return found


def text_of(content: Any, losses: Losses) -> str:
    """Return the text of a message's content; parts that are no text are counted as dropped."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return as_text(content)
    texts: list[str] = []
    for part in content:
        fields = as_dict(part)
        kind = fields.get("type", "text" if "text" in fields else None)
        if isinstance(part, str):
            texts.append(part)
        elif kind in _TEXT_PARTS:
            texts.append(as_text(fields.get("text")))
        elif kind == "refusal":
            texts.append(as_text(fields.get("refusal")))
        else:
            losses.dropped(f"content.{kind}", part)
            texts.append(f"[{kind}]")
    return "\n".join(texts)


def prompt_of(messages: Iterable[Any]) -> str:
    """Return the last user message before the first of an assistant: what was asked."""
    prompt = ""
    for message in map(as_dict, messages):
        if message.get("role") == "assistant":
            break
        if message.get("role") == "user":
            prompt = text_of(message.get("content"), Losses())
    return prompt


def tools_of(
    tools: Any, losses: Losses, read_only: frozenset[str] = frozenset()
) -> tuple[ToolSpec, ...]:
    """Return tools of OpenAI's form; one that cannot be expressed here is dropped and counted.

    `read_only`: names of tools known to change nothing; others count as writing.
    """
    found: dict[str, ToolSpec] = {}
    for tool in as_list(tools):
        fields = as_dict(tool)
        inner = as_dict(fields.get("function")) or fields
        name = as_text(inner.get("name"))
        schema = first(inner, "parameters", "input_schema", "inputSchema")
        try:
            found[name] = ToolSpec(
                name=name,
                description=as_text(inner.get("description")),
                parameters=parameters_of(schema, name, losses),
                effect="read" if name in read_only else "write",
            )
        except ValidationError:
            losses.dropped("tools", name or tool)
    return tuple(found.values())
