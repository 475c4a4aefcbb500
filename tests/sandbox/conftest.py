"""Sandboxes of each kind, and the image definitions that tests use."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import NoEngineError
from trajaudit.sandbox.base import Sandbox, SandboxProvider, SandboxRequest
from trajaudit.sandbox.docker import Api
from trajaudit.sandbox.docker_provider import DockerProvider
from trajaudit.sandbox.engine import find_engine
from trajaudit.sandbox.process import ProcessProvider

DEFINITIONS = Path(__file__).parents[2] / "sandboxes"
SMALL = SandboxSpec(memory_mb=256, pids=64, disk_mb=16)
"""Limits that a test can reach quickly."""


@pytest.fixture(scope="session")
def api() -> Iterator[Api]:
    try:
        engine = find_engine()
    except NoEngineError as e:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(e))
    api = Api(engine)
    yield api
    api.close()


@pytest.fixture(scope="session")
def docker(api: Api) -> DockerProvider:
    provider = DockerProvider([DEFINITIONS], api=api)
    provider.prepare(SMALL)
    return provider


@pytest.fixture(
    params=[pytest.param("docker", marks=pytest.mark.docker), "process"],
)
def provider(request: pytest.FixtureRequest) -> SandboxProvider:
    """Each kind that really runs something."""
    if request.param == "process":
        return ProcessProvider()
    found: DockerProvider = request.getfixturevalue("docker")
    return found


Start = Callable[..., Sandbox]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start sandboxes that end with the test."""
    started: list[Sandbox] = []

    def begin(provider: SandboxProvider, **changes: object) -> Sandbox:
        folder = tmp_path / f"gateway{len(started)}"
        folder.mkdir()
        request = {
            "spec": SMALL,
            "run_id": "test",
            "name": f"task/{len(started)}",
            "gateway_dir": folder,
            **changes,
        }
        sandbox = provider.start(SandboxRequest(**request))  # type: ignore[arg-type]  # a test's dict
        started.append(sandbox)
        return sandbox

    yield begin
    for sandbox in started:
        sandbox.stop()


def host_processes(argument: str) -> list[str]:
    """Return the command lines on this host that carry an argument, those in containers too."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if argument in words:
            found.append(" ".join(words))
    return found
