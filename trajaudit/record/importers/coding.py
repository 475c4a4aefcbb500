"""What logs of coding agents have in common: shell commands, repositories, patches, clocks."""

import re
from datetime import UTC, datetime
from typing import Any

from trajaudit.datamodel.event import EndReason
from trajaudit.record.importers.shapes import as_dict, as_number, as_text, json_text

SHELL = "bash"
"""Tool that a bare command counts as a call of."""
_INSTANCE = re.compile(r"([A-Za-z0-9.-]+?)__([A-Za-z0-9_.-]+)-(\d+)")
_FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "tool_use": "tool_calls",
}


def command_arguments(command: str, **more: Any) -> str:
    """Return the arguments of a shell call as JSON text; the command itself is kept exactly."""
    return json_text({"command": command, **more})


def instance_metadata(instance_id: str, **known: Any) -> dict[str, str]:
    """Return what a patch verifier needs to know of a task; empty values are left out.

    Ids of the form `owner__name-123`, as benchmarks of repositories write them, name the one.
    """
    found = {"instance_id": instance_id}
    named = _INSTANCE.fullmatch(instance_id)
    if named is not None:
        found["repo"] = f"{named[1]}/{named[2]}"
    found |= {key: as_text(value) for key, value in known.items() if value not in (None, "", {})}
    return found


def finish_reason(value: Any) -> str | None:
    """Return a stop reason in the words of chat completions; unknown ones as they are."""
    text = as_text(value)
    return _FINISH.get(text, text) or None


def failed_end(error: str) -> EndReason:
    """Say whose failure an exception's name tells: limits and context apart, else the machinery."""
    name = error.lower()
    if "context" in name and ("window" in name or "length" in name or "exceed" in name):
        return "context_overflow"
    if "timeout" in name and "agent" in name:
        return "time_limit"
    if "exitcode" in name and "agent" in name:
        return "agent_error"
    return "infra_error"


class Clock:
    """Seconds since the first time stamp that was asked for."""

    def __init__(self) -> None:
        self._start: datetime | None = None
        self.seconds = 0.0
        """The latest that was told; time does not run backwards."""

    def at(self, stamp: Any) -> float:
        """Return the seconds at an ISO 8601 time, or at seconds since 1970; else: as before."""
        seconds = as_number(stamp)
        try:
            moment = (
                datetime.fromisoformat(stamp)
                if seconds is None
                else datetime.fromtimestamp(seconds, UTC)
            )
            if self._start is None:
                self._start = moment
            passed = (moment - self._start).total_seconds()
        except (TypeError, ValueError, OverflowError, OSError):
            return self.seconds
        self.seconds = max(self.seconds, passed)
        return self.seconds


def seconds_between(start: Any, end: Any) -> float:
    """Return the seconds from one ISO 8601 time to another; 0 where they cannot be told."""
    clock = Clock()
    clock.at(start)
    return clock.at(end)


def parts_text(parts: Any) -> str:
    """Return the texts of content parts, for example `[{"type": "text", "text": ...}]`, joined."""
    if not isinstance(parts, list):
        return as_text(parts)
    texts = [as_text(as_dict(part).get("text")) for part in parts if as_dict(part).get("text")]
    return "\n".join(texts)
