"""What is collected of an OpenHands log while its events are read, whatever their generation."""

import re
from typing import Any

from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.base import Totals
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.coding import Clock
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_count, as_dict, as_number

# The wording of its errors, and what they say of how the trial ended.
_ERRORS: tuple[tuple[str, EndReason], ...] = (
    (r"maximum iteration|max.?iterations|iteration limit", "step_limit"),
    (r"context.?window|context.?length", "context_overflow"),
    (r"budget", "token_limit"),
    (r"stuck|malformedaction|agentnoaction|noactionerror", "agent_error"),
    (r"agent.{0,20}(timed out|timeout)", "time_limit"),
)
_ERROR_STATES = frozenset({"error", "stuck"})
_DONE_STATES = frozenset({"finished", "awaiting_user_input", "idle"})


class Told:
    """The trial so far, and what only its end decides."""

    def __init__(self, losses: Losses) -> None:
        self.builder = TrialBuilder(losses)
        self.clock = Clock()
        self.prompt = ""
        self.started = ""
        self.model = ""
        self.tools: tuple[ToolSpec, ...] = ()
        self.answer = ""
        """What the agent finished with, where it did."""
        self.finished = False
        self.status = ""
        """The last state that the log tells."""
        self.error = ""
        self.steps = 0
        self.last_said = False
        """The last thing that the agent did was to say something, without a call."""
        self.first_seq = 0
        self.sums: dict[str, Any] = {}
        """Use of a model → its sums, as the SDK writes them."""

    def totals(self) -> Totals | None:
        """Return what was used, where the log tells only sums: the last of each use of a model."""
        uses = [as_dict(one) for one in self.sums.values()]
        if not uses:
            return None
        tokens = [as_dict(one.get("accumulated_token_usage")) for one in uses]
        costs = [as_number(one.get("accumulated_cost")) for one in uses]
        return Totals(
            model_calls=self.steps,
            prompt_tokens=sum(as_count(one.get("prompt_tokens")) for one in tokens),
            completion_tokens=sum(as_count(one.get("completion_tokens")) for one in tokens),
            cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        )

    def at(self, stamp: Any) -> None:
        """Set the time of what comes next."""
        if not self.started and isinstance(stamp, str):
            self.started = stamp[:40]
        self.builder.t = self.clock.at(stamp)

    def user(self, text: str) -> None:
        """Something that the user says; the first of it is the task."""
        seq = self.builder.prompt("user", text, first=not self.prompt)
        self.first_seq = self.first_seq or seq
        self.prompt = self.prompt or text
        self.last_said = False

    def ending(self, error: str) -> tuple[EndReason, str]:
        """Return how it ended: by an error, by finishing, by its last state."""
        error = error or (self.error if self.status in _ERROR_STATES else "")
        if error:
            return error_end(error), error
        if self.finished or self.status == "finished":
            return "replied", self.status
        if self.last_said and self.status in {"", *_DONE_STATES}:
            return "replied", self.status
        if self.status in _ERROR_STATES:
            return ("agent_error" if self.status == "stuck" else "infra_error"), self.status
        return "infra_error", f"the log has no end; last state {self.status or 'unknown'}"


def error_end(error: str) -> EndReason:
    """Return how a trial with this error ended; an unknown one is the machinery's."""
    text = error[:4000].lower()
    return next((reason for form, reason in _ERRORS if re.search(form, text)), "infra_error")
