"""What a model wrote as the arguments of a call, where an Inspect log still holds it."""

from collections.abc import Iterator
from typing import Any

from trajaudit.record.importers.shapes import as_dict, as_list

_BEFORE = "Error parsing the following tool call arguments:\n\n"
_AFTER = "\n\nError details: "
_CUT = "\n\n(arguments middle-truncated from "


def raw_arguments(response: dict[str, Any]) -> dict[str, str]:
    """Return call id → raw text of its arguments, of a provider's reply in OpenAI's two forms."""
    return dict(_found(response)) if response else {}


def _found(response: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for choice in as_list(response.get("choices")):
        for call in as_list(as_dict(as_dict(choice).get("message")).get("tool_calls")):
            fields = as_dict(call)
            yield from _pair(fields.get("id"), as_dict(fields.get("function")).get("arguments"))
    for item in as_list(response.get("output")):
        fields = as_dict(item)
        if fields.get("type") == "function_call":
            yield from _pair(fields.get("call_id"), fields.get("arguments"))


def _pair(call_id: Any, text: Any) -> Iterator[tuple[str, str]]:
    if isinstance(call_id, str) and isinstance(text, str):
        yield call_id, text


def unparsed(error: str) -> str | None:
    """Return the arguments that an error of parsing shows whole; None: it does not."""
    if not error.startswith(_BEFORE):
        return None
    shown, found, _ = error[len(_BEFORE) :].rpartition(_AFTER)
    return shown if found and _CUT not in shown else None
