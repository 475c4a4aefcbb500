"""Why did an Inspect sample end?"""

import re
from typing import Any

from trajaudit.datamodel.event import EndReason
from trajaudit.record.importers.shapes import as_dict, as_text

_LIMITS: dict[str, EndReason] = {
    "message": "step_limit",
    "turn": "step_limit",
    "time": "time_limit",
    "working": "time_limit",
    "token": "token_limit",
    "cost": "token_limit",
    "context": "context_overflow",
    "operator": "infra_error",
}
_CONTEXT = re.compile(
    r"context[ _-]?(length|window)|maximum context|prompt is too long", re.IGNORECASE
)
_AGENT = re.compile(
    r"\bagent\b.{0,80}\b(fail|exit|crash|error)|\berror\b.{0,40}\bagent\b", re.IGNORECASE
)


def end_of(
    error: dict[str, Any], limit: str, *, judging_failed: bool, cut: bool
) -> tuple[EndReason, str]:
    """Return the reason and its detail.

    An exception in Inspect comes from the harness, a tool, the sandbox or the provider, and is
    infrastructure's unless it says that the agent's program or its context was at fault.

    Args:
        error: that halted the sample; empty: none.
        limit: its kind; empty: none.
        judging_failed: the error came from a scorer: the agent was done.
        cut: the last reply was cut by the model's context.
    """
    message = as_text(error.get("message")).strip()
    if error and not judging_failed:
        if _CONTEXT.search(message):
            return "context_overflow", message
        return ("agent_error" if _AGENT.search(message) else "infra_error"), message or "an error"
    if limit:
        return _LIMITS.get(limit, "step_limit"), f"{limit} limit"
    return ("context_overflow", "the model's context was full") if cut else ("replied", "")


def limit_of(sample: dict[str, Any], stopped: str) -> str:
    """Return the kind of limit that halted a sample; empty: none."""
    return as_text(as_dict(sample.get("limit")).get("type")) or stopped
