"""Where does an agent run: a container, a plain process, or nowhere at all?"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trajaudit import plugins
from trajaudit.datamodel.scenario import SandboxSpec, Scenario
from trajaudit.errors import NoEngineError, UsageError
from trajaudit.run.agents.program import Program
from trajaudit.run.base import Agent
from trajaudit.run.services import has_repositories, needs_sandbox, needs_worker
from trajaudit.sandbox import SANDBOXES
from trajaudit.sandbox.base import Isolation, SandboxProvider

ENTRY_IN_IMAGE = ("python3", "/opt/trajaudit/entry.py")
WORKER_IMAGE = "agent-base"


@dataclass(frozen=True, kw_only=True)
class Place:
    """The kind of sandbox of a run, ready to be used."""

    kind: str
    provider: SandboxProvider | None
    isolation: Isolation
    image: str | None = None
    image_digest: str | None = None
    entry: tuple[str, ...] = ENTRY_IN_IMAGE
    note: str = ""
    """Said to the user when it is not what was asked for."""

    def close(self) -> None:
        if self.provider is not None:
            self.provider.close()


def choose_place(
    scenario: Scenario, agent: Agent, folders: Sequence[Path], say: Callable[[str], None]
) -> Place:
    """Make the scenario's sandbox available.

    Where no engine answers, the built-in agent with mocked tools may run as a plain process:
    nothing foreign is executed then.

    Raises:
        NoEngineError: there is no engine and the scenario needs one.
        SandboxError: the image cannot be had.
        UnknownPluginError: there is no such kind, needed or not.
    """
    plugins.find("sandbox", scenario.sandbox.kind, SANDBOXES)
    if not needs_sandbox(scenario, agent) and not needs_worker(scenario):
        return Place(kind="none", provider=None, isolation="none")
    kind = scenario.sandbox.kind
    try:
        return _open(kind, scenario, agent, folders, say)
    except NoEngineError as error:
        refused = _why_not_plain(scenario, agent)
        if kind != "docker" or refused:
            raise NoEngineError(f"{error}\n{refused}" if refused else str(error)) from error
        note = f"no container engine: the built-in agent runs as a plain process ({error})"
        place = _open("process", scenario, agent, folders, say)
        return Place(
            kind="process",
            provider=place.provider,
            isolation=place.isolation,
            entry=place.entry,
            note=note,
        )


def _open(
    kind: str,
    scenario: Scenario,
    agent: Agent,
    folders: Sequence[Path],
    say: Callable[[str], None],
) -> Place:
    provider = plugins.find("sandbox", kind, SANDBOXES)(folders, say)
    try:
        _require_container(provider, kind, scenario)
        provider.reap()
        image, digest = provider.prepare(_prepared_spec(scenario, agent))
    except BaseException:
        provider.close()
        raise
    return Place(
        kind=kind,
        provider=provider,
        isolation=provider.isolation if needs_sandbox(scenario, agent) else "none",
        image=image,
        image_digest=digest,
        entry=ENTRY_IN_IMAGE if provider.isolation == "container" else _entry_on_host(folders),
    )


def _require_container(provider: SandboxProvider, kind: str, scenario: Scenario) -> None:
    if has_repositories(scenario) and provider.isolation != "container":
        raise UsageError(
            f"patches are made and tested in containers only; got the sandbox {kind!r}; use docker"
        )


def _prepared_spec(scenario: Scenario, agent: Agent) -> SandboxSpec:
    return scenario.sandbox if needs_sandbox(scenario, agent) else worker_spec()


def worker_spec() -> SandboxSpec:
    """Return the sandbox in which python mocks run."""
    return SandboxSpec(image=WORKER_IMAGE, memory_mb=512, pids=64)


def _why_not_plain(scenario: Scenario, agent: Agent) -> str:
    reasons = []
    if isinstance(agent, Program) and agent.foreign:
        reasons.append(f"the agent {agent.name} is a foreign program")
    if any(tool.sandbox for tool in scenario.tools):
        reasons.append("the scenario has tools that are executed in the sandbox")
    if needs_worker(scenario):
        reasons.append("the scenario has python mocks")
    if has_repositories(scenario):
        reasons.append("its patches are made and tested in containers")
    if not reasons:
        return ""
    return f"without an engine this cannot run: {'; '.join(reasons)}"


def _entry_on_host(folders: Sequence[Path]) -> tuple[str, ...]:
    for folder in folders:
        entry = folder / "agent-base" / "files" / "entry.py"
        if entry.is_file():
            return (sys.executable, str(entry))
    raise UsageError("the programs of the image agent-base are missing; reinstall trajaudit")
