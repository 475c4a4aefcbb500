"""How a reply is written for the agent: text as it is, anything else as compact JSON."""

import json

from pydantic import JsonValue

from trajaudit.mocks.base import ToolReply


def as_text(value: JsonValue) -> str:
    """Write a value as an agent reads it; characters that no UTF-8 can hold become escapes."""
    text = value if isinstance(value, str) else _compact(value)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _compact(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def answered(value: JsonValue) -> ToolReply:
    """Return a reply that leaves the world as it is."""
    return ToolReply(content=as_text(value))


def failed(text: str, *warnings: tuple[str, str]) -> ToolReply:
    """Return an error that the agent sees, with warnings that only the journal sees."""
    return ToolReply(content=as_text(text), is_error=True, warnings=warnings)
