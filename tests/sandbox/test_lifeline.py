"""What is left when the process that owns containers is killed: nothing."""

import secrets
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sandbox.conftest import SMALL, Start
from tests.sandbox.owners import owner
from trajaudit.errors import SandboxError
from trajaudit.sandbox import container
from trajaudit.sandbox.container import RUN_LABEL, ContainerPlan
from trajaudit.sandbox.docker import Api
from trajaudit.sandbox.docker_provider import DockerProvider
from trajaudit.sandbox.owner import Owner
from trajaudit.sandbox.reap import reap

pytestmark = pytest.mark.docker


def left(api: Api, run_id: str) -> int:
    return len(api.containers({RUN_LABEL: run_id}))


def wait_for_none(api: Api, run_id: str) -> float:
    began = time.monotonic()
    while left(api, run_id) and time.monotonic() - began < 10:
        time.sleep(0.02)
    assert left(api, run_id) == 0
    return time.monotonic() - began


def test_killing_the_owner_removes_its_containers_without_a_reaper(
    docker: DockerProvider, api: Api, tmp_path: Path
) -> None:
    run_id = secrets.token_hex(8)
    with owner(run_id, tmp_path) as process:
        assert left(api, run_id) == 2

        process.kill()

        assert wait_for_none(api, run_id) < 10


def test_two_living_owners_do_not_reap_each_other(
    docker: DockerProvider, api: Api, start: Start, tmp_path: Path
) -> None:
    run_id, own = secrets.token_hex(8), secrets.token_hex(8)
    with owner(run_id, tmp_path):
        sandbox = start(docker, run_id=own)

        docker.reap()

        assert (left(api, run_id), left(api, own)) == (2, 1)
        assert sandbox.died() is None


def test_the_reaper_removes_what_a_dead_owner_left(docker: DockerProvider, api: Api) -> None:
    run_id = secrets.token_hex(8)
    _, image = docker.prepare(SMALL)
    plan = ContainerPlan(image=str(image), spec=SMALL, run_id=run_id, name="t/1")
    config = container.configuration(plan)
    config["Labels"] |= replace(Owner.current(), started="1").labels()
    api.create(config)

    assert reap(api) >= 1
    assert left(api, run_id) == 0


def test_a_sandbox_that_cannot_start_leaves_nothing(
    docker: DockerProvider, api: Api, tmp_path: Path
) -> None:
    run_id = secrets.token_hex(8)
    _, image = docker.prepare(SMALL)
    plan = ContainerPlan(
        image=str(image), spec=SMALL, run_id=run_id, name="t/1", gateway_dir="/no/such/folder"
    )
    with pytest.raises(SandboxError, match="cannot create"):
        container.start(api, plan)

    assert left(api, run_id) == 0
