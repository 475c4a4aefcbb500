"""What a program in a container cannot do, tried with real containers."""

import socket
import time
from pathlib import Path

import pytest

from tests.sandbox.conftest import Start
from trajaudit.sandbox.base import Sandbox
from trajaudit.sandbox.docker_provider import DockerProvider

pytestmark = pytest.mark.docker

CONNECT = """
import socket
for address in ["1.1.1.1", "172.17.0.1", "10.0.0.1", "192.168.0.1", "169.254.169.254", "::1"]:
    try:
        socket.create_connection((address, 80), timeout=2)
    except OSError as error:
        print(error.strerror)
    else:
        print("REACHED", address)
try:
    socket.getaddrinfo("example.org", 80)
except OSError:
    print("no names")
"""
ASK_SOCKET = """
import socket
s = socket.socket(socket.AF_UNIX)
s.connect("/run/trajaudit/gateway.sock")
print(s.recv(100).decode())
"""


@pytest.fixture
def sandbox(docker: DockerProvider, start: Start) -> Sandbox:
    return start(docker)


def output(sandbox: Sandbox, *argv: str, timeout_s: float = 20) -> str:
    result = sandbox.exec(argv, timeout_s=timeout_s)
    return (result.stdout + result.stderr).decode()


def test_no_address_can_be_reached(sandbox: Sandbox) -> None:
    said = output(sandbox, "python3", "-c", CONNECT)

    assert "REACHED" not in said
    assert said.count("Network is unreachable") == 5
    assert "no names" in said


def test_there_is_no_network_device_but_the_loop(sandbox: Sandbox) -> None:
    assert output(sandbox, "ls", "/sys/class/net").split() == ["lo"]


def test_nothing_outside_the_scratch_folders_can_be_written(sandbox: Sandbox) -> None:
    script = (
        "for d in $(find / -xdev -type d 2>/dev/null) /run/trajaudit /proc /sys /dev; do "
        "(echo x > $d/probe) 2>/dev/null && echo $d; done; true"
    )

    assert output(sandbox, "sh", "-c", script, timeout_s=60).split() == ["/tmp", "/work"]
    for folder in ("/work", "/tmp", "/dev/shm"):
        assert (
            output(sandbox, "sh", "-c", f"echo x > {folder}/probe && cat {folder}/probe") == "x\n"
        )


def test_the_user_is_not_root_and_has_no_capability(sandbox: Sandbox) -> None:
    assert output(sandbox, "id", "-u") == "1000\n"
    status = output(sandbox, "cat", "/proc/self/status")
    assert "CapEff:\t0000000000000000" in status
    assert "CapBnd:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status


def test_an_agent_cannot_end_its_own_container(sandbox: Sandbox) -> None:
    output(sandbox, "sh", "-c", "kill -9 -1; kill -9 1; true")

    assert sandbox.died() is None
    assert output(sandbox, "echo", "alive") == "alive\n"


def test_each_container_sees_its_own_socket_only(
    docker: DockerProvider, start: Start, tmp_path: Path
) -> None:
    sandboxes, servers = [], []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(folder / "gateway.sock"))
        server.listen()
        servers.append(server)
        sandboxes.append(start(docker, gateway_dir=folder))

    for name, server, sandbox in zip(("one", "two"), servers, sandboxes, strict=True):
        agent = sandbox.spawn(["python3", "-c", ASK_SOCKET], env={})
        server.settimeout(10)
        with server.accept()[0] as connection:
            connection.sendall(name.encode())
        assert agent.wait(10) == 0
        assert agent.output()[0].decode().strip() == name
        assert output(sandbox, "ls", "/run/trajaudit").split() == ["gateway.sock"]
    for server in servers:
        server.close()


def test_a_fork_bomb_stays_in_its_container_and_ends_with_the_command(sandbox: Sandbox) -> None:
    bomb = "bomb() { bomb | bomb & bomb; }; bomb"
    began = time.monotonic()

    result = sandbox.exec(["bash", "-c", bomb], timeout_s=2)

    assert result.timed_out
    assert time.monotonic() - began < 15
    assert sandbox.died() is not None or output(sandbox, "echo", "alive") == "alive\n"


def test_a_memory_hog_is_killed_alone(sandbox: Sandbox) -> None:
    hog = sandbox.exec(["python3", "-c", "x = bytearray(2**30)"], timeout_s=20)

    assert hog.exit_code == 137
    assert not hog.timed_out
    assert sandbox.died() is None


@pytest.mark.parametrize("folder", ["/work", "/tmp"])
def test_a_full_disk_stays_within_its_size(sandbox: Sandbox, folder: str) -> None:
    said = output(sandbox, "sh", "-c", f"yes > {folder}/full; stat -c %s {folder}/full")

    assert "No space left on device" in said
    assert int(said.split()[0]) <= 16 * 2**20


def test_files_without_content_cannot_fill_the_machine(sandbox: Sandbox) -> None:
    script = "cd /tmp && seq 100000 | xargs touch 2>/dev/null; ls | wc -l"

    assert int(output(sandbox, "sh", "-c", script, timeout_s=60)) <= 16 * 256


def test_writing_a_file_to_a_full_disk_is_an_os_error(sandbox: Sandbox) -> None:
    with pytest.raises(OSError, match="No space left"):
        sandbox.write_file("big", b"x" * (17 * 2**20))


def test_a_pipe_in_the_place_of_a_file_is_refused(sandbox: Sandbox) -> None:
    output(sandbox, "mkfifo", "/work/pipe")

    with pytest.raises(OSError, match="not a regular file"):
        sandbox.read_file("pipe")


def test_a_link_leads_to_files_of_the_container_only(sandbox: Sandbox) -> None:
    output(sandbox, "ln", "-s", "/etc/hostname", "/work/link")

    assert sandbox.read_file("link") == b"sandbox\n"
