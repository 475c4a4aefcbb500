"""Every error trajaudit raises on purpose, and whose fault it is.

TrajauditError
├── UsageError             you asked for something that cannot be done      (exit 2)
│   ├── ScenarioError          a scenario, mock, rubric or panel file is wrong
│   ├── RunDirError            a run directory is missing, foreign or damaged
│   └── UnknownPluginError     no plug-in of that kind has that name
├── GateMatched            the run went well and --fail-on matched             (exit 4)
└── InfraError             the world failed; nobody's verdict changes       (exit 3)
    ├── SandboxError           an engine, image or container failed
    │   └── NoEngineError          there is no container engine to talk to
    ├── ProviderError          a model endpoint failed
    ├── MockError              the container of the python mocks failed
    └── StorageError           a disk is full or a file cannot be written
"""

from collections.abc import Sequence


class TrajauditError(Exception):
    """Base of all errors that are raised on purpose."""

    exit_code = 1


class UsageError(TrajauditError):
    """The request cannot be carried out as it stands."""

    exit_code = 2


class ScenarioError(UsageError):
    """A data file is wrong; carries every fault that was found, one line each."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


class RunDirError(UsageError):
    """A run directory is missing, was not written by trajaudit, or is damaged."""


class UnknownPluginError(UsageError):
    """No plug-in of that kind has that name."""

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        super().__init__(f"unknown {kind} {name!r}; known: {', '.join(sorted(known))}")


class GateMatched(TrajauditError):  # noqa: N818 (a result, not a failure)
    """The run went well, and a condition of `--fail-on` holds."""

    exit_code = 4

    def __init__(self, matched: Sequence[str]) -> None:
        self.matched = tuple(matched)
        super().__init__("--fail-on matched: " + "; ".join(matched))


class InfraError(TrajauditError):
    """The world failed; this is never a verdict on an agent."""

    exit_code = 3


class SandboxError(InfraError):
    """An engine, an image or a container failed."""


class NoEngineError(SandboxError):
    """There is no container engine to talk to."""


class ProviderError(InfraError):
    """A model endpoint failed: refused, rate-limited for too long, or sent garbage."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        self.status = status
        super().__init__(message)


class MockError(InfraError):
    """The place where python mocks run failed; not a failure that a mock declares."""


class StorageError(InfraError):
    """A disk is full or a file cannot be written."""
