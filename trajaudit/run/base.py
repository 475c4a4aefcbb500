"""What an agent is to a run: something that acts in a session, perhaps inside a sandbox."""

from dataclasses import dataclass
from typing import Protocol

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.gateway.base import Session
from trajaudit.sandbox.base import AgentProcess, Sandbox


@dataclass(frozen=True, kw_only=True)
class AgentContext:
    """What an agent gets."""

    scenario: Scenario
    task: Task
    trial: int
    session: Session
    sandbox: Sandbox | None
    """None where the agent runs on the host (scripted, replay)."""
    process: AgentProcess | None = None
    """The agent's program, where it was started ahead of the trial."""
    entry: tuple[str, ...] = ()
    """What starts the entry program in this kind of sandbox."""


@dataclass(frozen=True, kw_only=True)
class AgentExit:
    """How the agent's program ended."""

    exit_code: int = 0
    detail: str = ""


class Agent(Protocol):
    """Acts until it replied, failed, or the session ended."""

    name: str
    needs_sandbox: bool
    needs_model: bool

    def run(self, context: AgentContext) -> AgentExit:
        """Act; returns when the program ended or the session did."""
