"""The parts of the sandbox that need no engine."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import NoEngineError, ScenarioError
from trajaudit.sandbox.aptsources import Mirror, host_mirror
from trajaudit.sandbox.definition import load
from trajaudit.sandbox.engine import candidates, find_engine
from trajaudit.sandbox.install import remove_stale
from trajaudit.sandbox.output import Clip
from trajaudit.sandbox.owner import Owner
from trajaudit.sandbox.ramp import Ramp


@given(st.lists(st.binary(max_size=400)), st.integers(256, 900))
def test_output_is_whole_or_marked_as_cut(pieces: list[bytes], limit: int) -> None:
    clip, whole = Clip(limit), b"".join(pieces)
    for piece in pieces:
        clip.add(piece)

    value = clip.value()

    assert clip.truncated == (len(whole) > limit)
    if len(whole) <= limit:
        assert value == whole
    else:
        assert value.startswith(whole[: limit // 2])
        assert value.endswith(whole[-(limit - limit // 2) :])
        assert f"{len(whole) - limit} bytes cut".encode() in value


def test_importing_the_package_does_not_import_the_docker_sdk() -> None:
    code = "import sys, trajaudit.sandbox; sys.exit('docker' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_this_process_lives_and_one_with_another_start_is_dead() -> None:
    me = Owner.current()

    assert not me.is_dead()
    assert replace(me, started="1").is_dead()
    assert replace(me, boot="another boot").is_dead()
    assert not replace(me, place="another machine", started="1").is_dead()
    assert Owner.from_labels(me.labels()) == me
    assert Owner.from_labels({}) is None


def test_a_ramp_widens_with_success_and_narrows_with_failure() -> None:
    ramp = Ramp(4)
    widths = [ramp.width]
    for _ in range(3):
        with ramp():
            pass
        widths.append(ramp.width)
    with pytest.raises(ValueError, match="no"), ramp():
        raise ValueError("no")

    assert widths == [2, 3, 4, 4]
    assert ramp.width == 2


def test_a_full_ramp_makes_the_next_one_wait() -> None:
    ramp, entered = Ramp(1), threading.Event()

    def enter() -> None:
        with ramp():
            entered.set()

    with ramp():
        thread = threading.Thread(target=enter)
        thread.start()
        assert not entered.wait(0.1)
    thread.join(5)
    assert entered.is_set()


def test_stale_files_of_a_killed_engine_are_removed(tmp_path: Path) -> None:
    (tmp_path / "docker/containerd").mkdir(parents=True)
    (tmp_path / "docker.pid").write_text("999999999")
    (tmp_path / "docker/containerd/containerd.pid").write_text(str(os.getpid()))
    (tmp_path / "docker.sock").touch()

    removed = remove_stale(tmp_path)

    assert [path.name for path in removed] == ["docker.pid", "docker.sock", "containerd.pid"]
    assert not (tmp_path / "docker.pid").exists()


def test_an_engine_that_lives_keeps_its_files_and_a_zombie_does_not(tmp_path: Path) -> None:
    engine = tmp_path / "dockerd"
    shutil.copy("/bin/sleep", engine)
    (tmp_path / "docker.sock").touch()
    process = subprocess.Popen([engine, "60"])
    try:
        (tmp_path / "docker.pid").write_text(str(process.pid))
        comm = Path(f"/proc/{process.pid}/comm")
        while comm.read_text() != "dockerd\n":
            time.sleep(0.01)
        assert remove_stale(tmp_path) == []

        os.kill(process.pid, signal.SIGKILL)
        while ") Z" not in Path(f"/proc/{process.pid}/stat").read_text():
            time.sleep(0.01)
        removed = remove_stale(tmp_path)
    finally:
        process.kill()
        process.wait()

    assert [path.name for path in removed] == ["docker.pid", "docker.sock"]


def test_only_the_address_that_is_set_is_tried() -> None:
    assert candidates({"DOCKER_HOST": "unix:///x"}, 1000) == ["unix:///x"]
    assert "unix:///run/user/1000/podman/podman.sock" in candidates({}, 1000)


@pytest.mark.parametrize("address", ["unix:///none", "ssh://host", "tcp://127.0.0.1:1"])
def test_an_address_without_engine_is_named(address: str) -> None:
    with pytest.raises(NoEngineError, match=address):
        find_engine({"DOCKER_HOST": address})


def test_the_mirror_of_the_host_is_used(tmp_path: Path) -> None:
    (tmp_path / "etc/apt/sources.list.d").mkdir(parents=True)
    (tmp_path / "etc/os-release").write_text('ID=debian\nVERSION_CODENAME="trixie"\n')
    (tmp_path / "etc/apt/sources.list.d/debian.sources").write_text(
        "Types: deb\nURIs: http://other.invalid\nSuites: nodistro\nComponents: main\n\n"
        "Types: deb\nURIs: http://mirror.invalid\nSuites: trixie trixie-updates\nComponents: main\n"
    )

    assert host_mirror(tmp_path) == Mirror(uri="http://mirror.invalid", suite="trixie")
    (tmp_path / "etc/os-release").write_text("ID=fedora\n")
    assert host_mirror(tmp_path).suite == "bookworm"


def test_an_image_sets_what_a_scenario_leaves_at_its_default(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM scratch\n")
    (tmp_path / "sandbox.yaml").write_text("limits: {memory_mb: 99, pids: 9}\n")

    spec = load(tmp_path).apply(SandboxSpec(pids=77))

    assert (spec.memory_mb, spec.pids) == (99, 77)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("limits: {memory: 1}\n", r"sandbox.yaml:1: limits.memory"),
        ("a: [\n", r"sandbox.yaml:2: not YAML"),
        ("base: &a debian\nuser: *a\n", r"sandbox.yaml:2: aliases"),
        ("env: [OPENAI_API_KEY]\n", r"secrets never enter"),
    ],
)
def test_a_wrong_sandbox_file_is_named_by_line(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "Dockerfile").write_text("FROM scratch\n")
    (tmp_path / "sandbox.yaml").write_text(text)

    with pytest.raises(ScenarioError, match=fault):
        load(tmp_path)
