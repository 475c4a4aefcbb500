"""The container of the python mocks: a line in, a line out."""

import secrets
import time
from collections.abc import Callable, Iterator

import pytest

from tests.sandbox.conftest import SMALL
from trajaudit.errors import SandboxError
from trajaudit.sandbox.base import Worker
from trajaudit.sandbox.docker import Api
from trajaudit.sandbox.docker_provider import DockerProvider

pytestmark = pytest.mark.docker

PROGRAM = b"""
import os, sys, time
for count, line in enumerate(sys.stdin, 1):
    word = line.strip()
    if word == "sleep": time.sleep(60)
    if word == "exit": sys.exit("it is over")
    if word == "big": print("x" * 3_000_000); continue
    if word == "noise": print("n" * 200_000, file=sys.stderr)
    if word == "spoil": open("/mocks/main.py", "w")
    if word == "ls":
        print(sorted(os.listdir("/mocks")), os.path.exists("/run/trajaudit/gateway.sock"))
        continue
    print(count, word)
"""
Make = Callable[[bytes], Worker]


@pytest.fixture
def run_id() -> str:
    return secrets.token_hex(8)


@pytest.fixture
def make(docker: DockerProvider, run_id: str) -> Iterator[Make]:
    made: list[Worker] = []

    def begin(program: bytes) -> Worker:
        files = {"main.py": program, "pkg/data.json": b"{}"}
        argv = ["python3", "-u", "/mocks/main.py"]
        made.append(docker.worker(SMALL, run_id=run_id, argv=argv, files=files))
        return made[-1]

    yield begin
    for worker in made:
        worker.stop()


def test_each_line_has_its_answer_in_one_program(make: Make) -> None:
    worker = make(PROGRAM)

    assert [worker.ask(b"a", timeout_s=10), worker.ask(b"b", timeout_s=10)] == [b"1 a", b"2 b"]


def test_an_ask_costs_a_few_milliseconds(make: Make) -> None:
    worker = make(PROGRAM)
    worker.ask(b"warm", timeout_s=10)
    began = time.monotonic()

    for _ in range(200):
        worker.ask(b"again", timeout_s=10)

    assert (time.monotonic() - began) / 200 < 0.01


def test_its_files_are_there_and_nothing_of_an_agent(make: Make) -> None:
    assert make(PROGRAM).ask(b"ls", timeout_s=10) == b"['main.py', 'pkg'] False"


def test_its_files_are_read_only(make: Make) -> None:
    with pytest.raises(SandboxError, match="Permission denied"):
        make(PROGRAM).ask(b"spoil", timeout_s=10)


def test_after_a_time_out_it_starts_afresh(make: Make, api: Api, run_id: str) -> None:
    worker = make(PROGRAM)
    worker.ask(b"a", timeout_s=10)

    with pytest.raises(TimeoutError):
        worker.ask(b"sleep", timeout_s=0.5)

    assert worker.ask(b"b", timeout_s=10) == b"1 b"
    assert len(api.containers({"trajaudit.run": run_id})) == 1


def test_a_program_that_ends_is_named_with_its_last_words(make: Make) -> None:
    worker = make(PROGRAM)

    with pytest.raises(SandboxError, match="it is over"):
        worker.ask(b"exit", timeout_s=10)

    assert worker.ask(b"b", timeout_s=10) == b"1 b"


def test_long_lines_and_noise_on_stderr_pass(make: Make) -> None:
    worker = make(PROGRAM)

    assert len(worker.ask(b"big", timeout_s=20)) == 3_000_000
    assert worker.ask(b"noise", timeout_s=20) == b"2 noise"
    assert worker.ask(b"x" * 3_000_000, timeout_s=20).startswith(b"3 xxx")


def test_a_program_that_never_reads_times_out(make: Make) -> None:
    worker = make(b"import time\ntime.sleep(60)\n")

    with pytest.raises(TimeoutError):
        worker.ask(b"x" * 10_000_000, timeout_s=1)


def test_stopping_removes_the_container(make: Make, api: Api, run_id: str) -> None:
    worker = make(PROGRAM)

    worker.stop()
    worker.stop()

    assert api.containers({"trajaudit.run": run_id}) == []
    with pytest.raises(SandboxError, match="stopped"):
        worker.ask(b"a", timeout_s=1)
