"""Where an agent runs: kinds of sandbox by name, each loaded only when it is used."""

from collections.abc import Callable, Sequence
from pathlib import Path

from trajaudit.sandbox.base import SandboxProvider

SandboxFactory = Callable[[Sequence[Path]], SandboxProvider]
"""Takes the folders that hold image definitions, first match wins."""


def _docker(definitions: Sequence[Path]) -> SandboxProvider:
    from trajaudit.sandbox.docker_provider import DockerProvider  # noqa: PLC0415 (imports the SDK)

    return DockerProvider(definitions)


SANDBOXES: dict[str, SandboxFactory] = {
    "docker": _docker,
}
