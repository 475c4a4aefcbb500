"""What all trials of a run share, and how they are told to stop."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from trajaudit.datamodel.run import RunConfig, TrialRecord
from trajaudit.datamodel.scenario import Limits, Scenario, Task
from trajaudit.datamodel.target import PatchTarget
from trajaudit.errors import UsageError
from trajaudit.gateway.base import Session
from trajaudit.llm.base import ChatModel
from trajaudit.mocks.base import LineWorker
from trajaudit.record.redaction import Redactor
from trajaudit.record.repository import SourceFile
from trajaudit.record.rundir import RunDir
from trajaudit.run.base import Agent
from trajaudit.sandbox.base import SandboxProvider

if TYPE_CHECKING:
    from trajaudit.gateway.http import Gateway


class Stop:
    """Ends every running session when the run is interrupted or cannot go on."""

    def __init__(self) -> None:
        self._sessions: set[Session] = set()
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def add(self, session: Session) -> None:
        """Know a session; one that comes after `set` ends at once."""
        with self._lock:
            self._sessions.add(session)
        if self._stopped.is_set():
            session.end("infra_error", "interrupted")

    def remove(self, session: Session) -> None:
        """Forget a session that is over."""
        with self._lock:
            self._sessions.discard(session)

    def set(self) -> None:
        """Stop: no new trial begins, and those that run end at once."""
        self._stopped.set()
        with self._lock:
            sessions = list(self._sessions)
        for session in sessions:
            session.end("infra_error", "interrupted")

    def is_set(self) -> bool:
        return self._stopped.is_set()


class Progress:
    """Told what happens; this one shows nothing."""

    def trial_started(self, task_id: str, trial: int) -> None:
        """Tell that a trial began."""

    def trial_finished(self, record: TrialRecord) -> None:
        """Tell that a trial is whole."""


def no_repository(folder: str) -> Mapping[str, SourceFile]:
    """Stand for the files of a scenario that has none."""
    raise UsageError(f"there is no repository here; got {folder!r}; run it from its scenario")


@dataclass(frozen=True, kw_only=True)
class Services:
    """Everything that `run_trial` needs beside the task."""

    config: RunConfig
    scenario: Scenario
    run: RunDir
    agent: Agent
    provider: SandboxProvider | None
    """None where the agent runs on the host and no tool needs a sandbox."""
    model: ChatModel | None
    user_model: Callable[[str], ChatModel]
    """Model id → the model that plays the user."""
    gateway: "Gateway | None"
    """None where no program needs it."""
    open_file: Callable[[str], bytes]
    worker: Callable[[], LineWorker] | None
    """Starts, once, the container in which python mocks run."""
    sockets: Path
    """Directory for the sockets of the trials, readable by us alone."""
    entry: tuple[str, ...]
    """What starts the entry program in a sandbox."""
    allow_mcp: bool = False
    """Recorded MCP servers may be reached, or started as commands on the host."""
    open_repository: Callable[[str], Mapping[str, SourceFile]] = no_repository
    """Folder beside the scenario → its files."""
    redactor: Redactor = field(default_factory=Redactor.of_environment)
    """Keeps the secrets of this machine out of the journals."""
    stop: Stop = field(default_factory=Stop)
    progress: Progress = field(default_factory=Progress)


def needs_sandbox(scenario: Scenario, agent: Agent) -> bool:
    """Return whether trials need a sandbox of their own."""
    return (
        agent.needs_sandbox
        or any(tool.sandbox for tool in scenario.tools)
        or has_repositories(scenario)
    )


def has_repositories(scenario: Scenario) -> bool:
    """Return whether some task asks for the change of a repository."""
    return any(isinstance(task.target, PatchTarget) for task in scenario.tasks)


def needs_worker(scenario: Scenario) -> bool:
    """Return whether python mocks have to run somewhere."""
    return any(tool.mock is not None and tool.mock.python for tool in scenario.tools)


def limits_of(scenario: Scenario, task: Task) -> Limits:
    """Return the limits of a task's trials."""
    return task.limits or scenario.limits
