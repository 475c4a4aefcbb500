"""Where an agent runs: kinds of sandbox by name, each loaded only when it is used."""

from collections.abc import Callable, Sequence
from pathlib import Path

from trajaudit.sandbox.base import SandboxProvider

SandboxFactory = Callable[[Sequence[Path]], SandboxProvider]
"""Takes the folders that hold image definitions; the first that has a name wins."""


def _docker(definitions: Sequence[Path]) -> SandboxProvider:
    from trajaudit.sandbox.docker_provider import DockerProvider  # noqa: PLC0415 (imports the SDK)

    return DockerProvider(definitions)


def _process(_definitions: Sequence[Path]) -> SandboxProvider:
    from trajaudit.sandbox.process import ProcessProvider  # noqa: PLC0415 (only when used)

    return ProcessProvider()


def _scripted(_definitions: Sequence[Path]) -> SandboxProvider:
    from trajaudit.sandbox.scripted import ScriptedProvider  # noqa: PLC0415 (only when used)

    return ScriptedProvider()


SANDBOXES: dict[str, SandboxFactory] = {
    "docker": _docker,
    "process": _process,
    "scripted": _scripted,
}
