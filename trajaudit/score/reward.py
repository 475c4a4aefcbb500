"""What does the reward that a verifier left behind say: a score, or that nothing was graded?

For harnesses that start an agent, then a verifier, which writes one number into a file. Whose
clock ran out decides: an agent out of time is graded as it stands, a verifier out of time graded
nothing.
"""

import math
import re
from typing import Literal, NamedTuple

from trajaudit.datamodel.verdict import GradeStatus

Label = Literal["agent_timeout", "agent_gave_up", "agent_error"]
_NUMBER = re.compile(r"[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?", re.ASCII)
_NEVER_RAN = frozenset({"not_started", "skipped", "pending", "cancelled"})
_NEAR = 0.95
"""Part of its time that an agent must have used before its end is one by time."""
_INFRASTRUCTURE = re.compile(
    r"(?i)image|pull|docker|container|sandbox|engine|no space|disk|out of memory|\boom\b|network"
    r"|connection|connect|\btls\b|\bssl\b|\bdns\b|resolve|unreachable|handshake|rate.?limit"
    r"|\b429\b|\b5\d\d\b|service unavailable|api key|unauthorized|\b401\b|\b403\b|quota"
    r"|health.?check"
)


class AgentEnd(NamedTuple):
    """How the agent ended, and of how much time it used how much (seconds)."""

    state: str
    """For example `completed`, `timeout`, `loop_ended`, `not_started`, `crashed`."""
    seconds: float = 0.0
    budget_seconds: float = math.inf


class VerifierEnd(NamedTuple):
    """How the verifier ended, and the text of the reward file; None: there is none."""

    state: str
    reward: str | None = None


class Graded(NamedTuple):
    """The score, None exactly where nothing was graded; never a default, never clamped."""

    status: GradeStatus
    score: float | None
    reason: str
    label: Label | None = None

    @property
    def in_denominator(self) -> bool:
        """Whether the trial counts in a rate."""
        return self.status is GradeStatus.GRADED


def grade_reward(agent: AgentEnd, verifier: VerifierEnd, exception: str | None = None) -> Graded:
    """Read one trial of a harness; `exception` is what the harness caught, if anything."""
    ungraded = _before_reward(agent, verifier, exception)
    if ungraded is not None:
        status, what = ungraded
        return Graded(status, None, f"{what}; {exception}" if exception else what)
    text = (verifier.reward or "").strip()
    if not _NUMBER.fullmatch(text) or not 0 <= float(text) <= 1:
        reason = f"a reward is a number from 0 to 1; got {text[:80]!r}"
        return Graded(GradeStatus.SCORER_ERROR, None, reason)
    return Graded(GradeStatus.GRADED, float(text), f"the verifier said {text}", _label(agent))


def _before_reward(
    agent: AgentEnd, verifier: VerifierEnd, exception: str | None
) -> tuple[GradeStatus, str] | None:
    """Return why there is no reward to read."""
    if agent.state in _NEVER_RAN:
        return GradeStatus.INFRA_ERROR, "the agent was never started"
    if _failed_below(agent, exception):
        return GradeStatus.INFRA_ERROR, "infrastructure ended the agent"
    if verifier.state == "timeout":
        return GradeStatus.VERIFIER_TIMEOUT, "the verifier ran out of time"
    if verifier.state != "completed":
        return GradeStatus.INFRA_ERROR, f"the verifier ended as {verifier.state!r}"
    if verifier.reward is None:
        return GradeStatus.MISSING_ARTIFACT, "the verifier left no reward"
    return None


def _failed_below(agent: AgentEnd, exception: str | None) -> bool:
    """Whether what ended the agent lies below it; a program that crashes by itself is graded."""
    ended = agent.state in {"completed", "timeout", "loop_ended"}
    return not ended and bool(_INFRASTRUCTURE.search(exception or ""))


def _label(agent: AgentEnd) -> Label | None:
    if agent.state == "completed":
        return None
    if agent.state == "loop_ended":
        return "agent_gave_up"
    if agent.state == "timeout":
        return "agent_timeout" if agent.seconds >= _NEAR * agent.budget_seconds else None
    return "agent_error"
