"""Texts of an Inspect sample: contents in parts, and long ones that lie in its attachments."""

from collections.abc import Callable
from typing import Any

from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_text, json_text

_REFERENCE = "attachment://"
Attached = Callable[[str], str | None]
"""Key of an attachment → its text; None: there is none."""


class Texts:
    """Puts attachments back where an event needs them, and only there."""

    def __init__(self, attached: Attached, losses: Losses) -> None:
        self._attached = attached
        self._losses = losses

    def text(self, value: Any) -> str:
        """Return a text; an attachment that is gone stays a reference and is counted."""
        if not isinstance(value, str):
            return "" if value is None else self.json(value)
        if not value.startswith(_REFERENCE):
            return value
        found = self._attached(value[len(_REFERENCE) :])
        if not isinstance(found, str):
            self._losses.truncated("attachments", f"no {value[:80]}")
            return value
        return found

    def tree(self, value: Any) -> Any:
        """Return a JSON value with every attachment in it put back."""
        if isinstance(value, str):
            return self.text(value) if value.startswith(_REFERENCE) else value
        if isinstance(value, dict):
            return {key: self.tree(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.tree(item) for item in value]
        return value

    def json(self, value: Any) -> str:
        """Return the JSON of a value with every attachment in it put back."""
        text = json_text(value)
        return json_text(self.tree(value)) if _REFERENCE in text else text

    def content(self, value: Any) -> tuple[str, str]:
        """Return (text, reasoning) of a message's content; parts that are no text are counted."""
        if not isinstance(value, list):
            return self.text(value), ""
        texts: list[str] = []
        thoughts: list[str] = []
        for part in value:
            fields = as_dict(part)
            kind = fields.get("type", "text")
            if isinstance(part, str):
                texts.append(self.text(part))
            elif kind == "text":
                texts.append(self.text(fields.get("text")))
            elif kind == "reasoning":
                thoughts.append(self._reasoning(fields))
            else:
                self._losses.dropped(f"content.{as_text(kind)[:40]}", part)
                texts.append(f"[{as_text(kind)[:40]}]")
        return "\n".join(texts), "\n".join(filter(None, thoughts))

    def _reasoning(self, part: dict[str, Any]) -> str:
        if part.get("redacted"):
            self._losses.truncated("content.reasoning", "redacted by the provider")
            return self.text(part.get("summary"))
        return self.text(part.get("reasoning") or part.get("summary"))
