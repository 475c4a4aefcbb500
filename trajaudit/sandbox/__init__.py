"""Where an agent runs: kinds of sandbox by name, each loaded only when it is used."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from trajaudit.sandbox.base import SandboxProvider

Progress = Callable[[str], None]


def _silent(_line: str) -> None:
    """Report no progress."""


class SandboxFactory(Protocol):
    """Takes the folders that hold image definitions (the first that has a name wins), and who is
    told what is being built.
    """

    def __call__(
        self, definitions: Sequence[Path], progress: Progress = _silent, /
    ) -> SandboxProvider:
        """Open the kind of sandbox; NoEngineError when it needs an engine and none answers."""


def _docker(definitions: Sequence[Path], progress: Progress = _silent) -> SandboxProvider:
    from trajaudit.sandbox.docker_provider import DockerProvider

    return DockerProvider(definitions, progress=progress)


def _process(_definitions: Sequence[Path], _progress: Progress = _silent) -> SandboxProvider:
    from trajaudit.sandbox.process import ProcessProvider

    return ProcessProvider()


def _scripted(_definitions: Sequence[Path], _progress: Progress = _silent) -> SandboxProvider:
    from trajaudit.sandbox.scripted import ScriptedProvider

    return ScriptedProvider()


SANDBOXES: dict[str, SandboxFactory] = {
    "docker": _docker,
    "process": _process,
    "scripted": _scripted,
}
