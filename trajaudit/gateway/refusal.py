"""Errors as an OpenAI client expects them."""

from typing import Any

from trajaudit.gateway.base import SessionEnd


class Refused(Exception):  # noqa: N818 (an answer to the agent, not a failure of ours)
    """A request gets this answer instead of what it asked for."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status = status
        self.body = body
        super().__init__(f"{status}: {body!r}"[:500])


def refused(status: int, message: str, *, code: str | None = None) -> Refused:
    """Return the refusal of a request that is wrong."""
    return Refused(status, error_body(message, "invalid_request_error", code))


def error_body(message: str, kind: str, code: str | None) -> dict[str, Any]:
    """Return an error body in OpenAI's form."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def trial_over(end: SessionEnd) -> Refused:
    """Return the refusal of everything that comes after the end."""
    message = f"the trial has ended: {end.reason} {end.detail}".strip()
    return Refused(403, error_body(message, "trial_limit", end.reason))
