"""What every kind of sandbox does in the same way."""

import time

import pytest

from tests.sandbox.conftest import SMALL, Start, host_processes
from trajaudit.errors import SandboxError
from trajaudit.sandbox.base import Sandbox, SandboxProvider


@pytest.fixture
def sandbox(provider: SandboxProvider, start: Start) -> Sandbox:
    return start(provider)


def test_a_command_reports_its_output_and_exit_code(sandbox: Sandbox) -> None:
    result = sandbox.exec(["sh", "-c", "echo out; echo err >&2; exit 7"], timeout_s=10)

    assert (result.exit_code, result.stdout, result.stderr) == (7, b"out\n", b"err\n")
    assert not result.timed_out
    assert not result.truncated


def test_a_command_reads_its_input_to_the_end_byte_by_byte(sandbox: Sandbox) -> None:
    data = bytes(range(256)) * 4096

    assert sandbox.exec(["cat"], timeout_s=10, stdin=data, max_output=2**21).stdout == data


def test_empty_input_ends_at_once(sandbox: Sandbox) -> None:
    assert sandbox.exec(["cat"], timeout_s=10, stdin=b"").exit_code == 0


def test_a_command_without_input_does_not_wait_for_any(sandbox: Sandbox) -> None:
    assert not sandbox.exec(["cat"], timeout_s=10).timed_out


def test_a_command_that_does_not_read_its_input_is_no_failure(sandbox: Sandbox) -> None:
    assert sandbox.exec(["true"], timeout_s=10, stdin=b"x" * 10_000_000).exit_code == 0


def test_an_unknown_command_is_a_failed_command(sandbox: Sandbox) -> None:
    assert sandbox.exec(["no-such-program"], timeout_s=10).exit_code == 127


def test_commands_run_in_the_work_directory(sandbox: Sandbox) -> None:
    sandbox.exec(["sh", "-c", "echo here > there"], timeout_s=10)

    assert sandbox.read_file("there") == b"here\n"


def test_an_endless_loop_ends_at_its_time_limit(sandbox: Sandbox) -> None:
    began = time.monotonic()

    result = sandbox.exec(["sh", "-c", "echo begun; while :; do :; done"], timeout_s=1)

    assert result.timed_out
    assert result.stdout == b"begun\n"
    assert time.monotonic() - began < 6


def test_a_time_limit_ends_children_that_left_the_group_too(sandbox: Sandbox) -> None:
    sandbox.exec(["sh", "-c", "setsid sleep 987 & sleep 987"], timeout_s=1)

    left = sandbox.exec(["sh", "-c", "ps axo args | grep '^[s]leep 987'"], timeout_s=10)

    assert left.stdout == b""


def test_endless_output_is_cut_in_the_middle_with_a_mark(sandbox: Sandbox) -> None:
    script = "echo first; yes | head -c 5000000; echo last"

    result = sandbox.exec(["sh", "-c", script], timeout_s=20, max_output=1000)

    assert result.truncated
    assert len(result.stdout) < 1100
    assert result.stdout.startswith(b"first\n")
    assert result.stdout.endswith(b"last\n")
    assert b"bytes cut by trajaudit" in result.stdout


def test_output_without_end_ends_at_the_time_limit(sandbox: Sandbox) -> None:
    result = sandbox.exec(["yes"], timeout_s=1, max_output=1000)

    assert result.timed_out
    assert result.truncated


def test_a_memory_hog_fails_and_the_sandbox_goes_on(sandbox: Sandbox) -> None:
    hog = sandbox.exec(["python3", "-c", "x = bytearray(2**30)"], timeout_s=20)

    assert hog.exit_code != 0
    assert sandbox.exec(["echo", "alive"], timeout_s=10).stdout == b"alive\n"


def test_files_come_back_as_they_were_written(sandbox: Sandbox) -> None:
    content = bytes(range(256)) * 100
    sandbox.write_file("a/b/c d'e.bin", content)

    assert sandbox.read_file("a/b/c d'e.bin") == content
    assert sandbox.read_file("/work/a/b/c d'e.bin") == content


def test_reading_fails_as_for_a_local_file(sandbox: Sandbox) -> None:
    sandbox.write_file("folder/file", b"12345")

    with pytest.raises(FileNotFoundError):
        sandbox.read_file("none")
    with pytest.raises(IsADirectoryError):
        sandbox.read_file("folder")
    with pytest.raises(OSError, match="larger than 4 bytes"):
        sandbox.read_file("folder/file", max_bytes=4)
    assert sandbox.read_file("folder/file", max_bytes=5) == b"12345"


def test_a_file_larger_than_the_disk_is_an_os_error(sandbox: Sandbox) -> None:
    result = sandbox.exec(["sh", "-c", "yes > full"], timeout_s=20)

    assert result.exit_code != 0
    assert not result.timed_out


def test_the_files_of_a_request_are_there(provider: SandboxProvider, start: Start) -> None:
    sandbox = start(provider, files={"one.txt": b"1", "deep/two.txt": b"2"})

    assert sandbox.read_file("one.txt") + sandbox.read_file("deep/two.txt") == b"12"


def test_a_file_that_leads_out_is_refused(provider: SandboxProvider, start: Start) -> None:
    with pytest.raises(SandboxError):
        start(provider, files={"../out": b""})


def test_a_program_gets_its_variables_and_reports_its_end(
    provider: SandboxProvider, start: Start
) -> None:
    sandbox = start(provider, env={"OF_SANDBOX": "1"})

    agent = sandbox.spawn(
        ["sh", "-c", "echo $OF_SANDBOX$OF_AGENT; sleep 1; exit 3"], env={"OF_AGENT": "2"}
    )

    assert agent.wait(0.05) is None
    assert agent.wait(10) == 3
    assert agent.output() == (b"12\n", b"")


def test_variables_of_the_host_stay_outside(
    provider: SandboxProvider, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    sandbox = start(provider)

    assert b"sk-secret" not in sandbox.exec(["env"], timeout_s=10).stdout


def test_killing_a_program_ends_what_it_started(sandbox: Sandbox) -> None:
    agent = sandbox.spawn(["sh", "-c", "sleep 986 & setsid sleep 986 & echo up; sleep 986"], env={})
    while agent.output()[0] != b"up\n":
        time.sleep(0.02)

    agent.kill()
    agent.kill()

    assert agent.wait(5) not in {None, 0}
    left = sandbox.exec(["sh", "-c", "ps axo args | grep '^[s]leep 986'"], timeout_s=10)
    assert left.stdout == b""


def test_a_stopped_sandbox_says_so_and_refuses(sandbox: Sandbox) -> None:
    assert sandbox.died() is None

    sandbox.stop()
    sandbox.stop()

    assert sandbox.died() == "stopped"
    with pytest.raises(SandboxError):
        sandbox.exec(["true"], timeout_s=5)


def test_leaving_the_block_stops(provider: SandboxProvider, start: Start) -> None:
    with start(provider) as sandbox:
        agent = sandbox.spawn(["sh", "-c", "sleep 985 & echo up; wait"], env={})
        while agent.output()[0] != b"up\n":
            time.sleep(0.02)
        assert host_processes("985") != []

    assert sandbox.died() == "stopped"
    assert host_processes("985") == []


def test_preparing_names_what_is_used(provider: SandboxProvider) -> None:
    reference, digest = provider.prepare(SMALL)

    assert reference
    assert digest is None or digest.startswith("sha256:")
