"""Containers: their files, limits, worker, and what happens when the engine goes."""

import gc
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sandbox.conftest import DEFINITIONS, SMALL
from tests.sandbox.engine_double import Switchboard
from trajaudit.errors import NoEngineError, SandboxError
from trajaudit.sandbox.base import Sandbox, SandboxRequest
from trajaudit.sandbox.docker import Api
from trajaudit.sandbox.docker_provider import DockerProvider

pytestmark = [
    pytest.mark.docker,
    # The SDK leaves its socket to the garbage collector when an engine refuses the connection.
    pytest.mark.filterwarnings("ignore:.*socket.socket:pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def switchboard(api: Api, tmp_path: Path) -> Iterator[Switchboard]:
    board = Switchboard(tmp_path / "engine.sock", api.engine.url.removeprefix("unix://"))
    yield board
    board.cut()


@pytest.fixture
def losable(api: Api, switchboard: Switchboard, tmp_path: Path) -> Iterator[Sandbox]:
    own = Api(replace(api.engine, url=switchboard.url))
    provider = DockerProvider([DEFINITIONS], api=own)
    request = SandboxRequest(spec=SMALL, run_id="test", name="t/1", gateway_dir=tmp_path)
    with provider.start(request) as sandbox:
        yield sandbox
    provider.close()
    gc.collect()  # the SDK's lost sockets belong to this test


def test_losing_the_engine_in_a_command_is_an_error_at_once(
    losable: Sandbox, switchboard: Switchboard
) -> None:
    threading.Timer(0.5, switchboard.cut).start()
    began = time.monotonic()

    with pytest.raises(SandboxError, match="engine lost"):
        losable.exec(["sleep", "30"], timeout_s=60)

    assert time.monotonic() - began < 5
    assert "engine lost" in str(losable.died())
    losable.stop()


def test_losing_the_engine_ends_the_wait_for_a_program(
    losable: Sandbox, switchboard: Switchboard
) -> None:
    agent = losable.spawn(["sleep", "30"], env={})
    switchboard.cut()

    with pytest.raises(SandboxError, match="engine lost"):
        agent.wait(5)


def test_a_container_that_someone_removed_is_gone(
    docker: DockerProvider, api: Api, tmp_path: Path
) -> None:
    request = SandboxRequest(spec=SMALL, run_id="removed", name="t/1", gateway_dir=tmp_path)
    with docker.start(request) as sandbox:
        (found,) = api.containers({"trajaudit.run": "removed"})
        api.remove(found["Id"])

        assert sandbox.died() == "the container was removed by someone else"
        with pytest.raises(SandboxError, match="removed by someone else"):
            sandbox.exec(["true"], timeout_s=5)


def test_an_image_that_nobody_has_is_named(docker: DockerProvider) -> None:
    spec = SMALL.model_copy(update={"image": "no-such-image-here:1"})

    with pytest.raises(SandboxError, match=r"no-such-image-here:1.*agent-base"):
        docker.prepare(spec)


def test_a_root_user_is_refused(docker: DockerProvider) -> None:
    with pytest.raises(SandboxError, match="not root"):
        docker.prepare(SMALL.model_copy(update={"user": "0:0"}))


def test_no_engine_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")

    with pytest.raises(NoEngineError, match=r"apt-get install docker\.io"):
        DockerProvider()


def test_the_agent_gets_the_limits_of_the_spec(
    docker: DockerProvider, api: Api, tmp_path: Path
) -> None:
    request = SandboxRequest(spec=SMALL, run_id="limits", name="t/1", gateway_dir=tmp_path)
    with docker.start(request):
        (found,) = api.containers({"trajaudit.run": "limits"})
        host = api.inspect(found["Id"])["HostConfig"]

    wanted = {
        "NetworkMode": "none",
        "ReadonlyRootfs": True,
        "Memory": 256 * 2**20,
        "MemorySwap": 256 * 2**20,
        "NanoCpus": 10**9,
        "PidsLimit": 64,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges"],
        "AutoRemove": True,
    }
    assert {key: host[key] for key in wanted} == wanted
    assert not host["Privileged"]
