"""Ctrl-C, `kill` and a closed terminal: nothing stays behind, and `resume` completes the run."""

import os
import signal
import time
from pathlib import Path
from types import FrameType

import pytest

from tests.run.started import Place, children, containers, ended, socket_folders, until
from trajaudit.run.interrupt import to_the_end

AT_WORK = """
trajaudit: 1
agent:
  kind: scripted
  tasks:
    "*":
      - {call: {bash: {command: "sleep 4; echo 42"}}}
      - {reply: The answer is 42.}
tools: [{sandbox: [bash]}]
trials: 2
tasks:
  - {id: a, prompt: How much is 6 times 7?, target: {number: 42}}
  - {id: b, prompt: How much is 6 times 8?, target: {number: 48}}
"""
MODEL = """
trajaudit: 1
model: local/smollm2
sandbox: {kind: process, image: agent-base}
generation: {temperature: 0.2, max_tokens: 200}
trials: 2
tasks:
  - {id: a, prompt: Tell a long story about a horse., target: horse}
  - {id: b, prompt: Tell a long story about a ship., target: ship}
"""


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize(
    "signals",
    [
        (signal.SIGINT,),
        (signal.SIGTERM,),
        (signal.SIGHUP,),
        (signal.SIGINT, signal.SIGINT),
        (signal.SIGTERM, signal.SIGINT),
    ],
)
def test_a_stopped_run_leaves_nothing_behind_and_can_be_resumed(
    tmp_path: Path, signals: tuple[signal.Signals, ...]
) -> None:
    place = Place(tmp_path)
    place.write(AT_WORK)
    process = place.start("run", str(place.scenario), "--out", str(place.runs))
    until(place.acting)
    run = place.run_dir()
    assert containers(run.run_id)
    started = time.monotonic()

    for number in signals:
        process.send_signal(number)
        time.sleep(0.1)
    code, _, err = ended(process)

    assert code == 130, err
    assert "interrupted" in err
    assert f"`trajaudit resume {run.run_id}`" in err
    assert "Traceback" not in err
    assert time.monotonic() - started < 15
    assert containers(run.run_id) == []
    assert socket_folders(process.pid) == []
    assert len(run.missing()) == 4
    assert list(run.path.glob("trials/*/*/events.jsonl"))
    if len(signals) == 1 and signals[0] == signal.SIGINT:
        assert place.done("resume", "latest")[0] == 0
        assert run.missing() == []
        assert containers(run.run_id) == []


@pytest.mark.local_model
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_no_model_server_outlives_its_run(tmp_path: Path, number: signal.Signals) -> None:
    place = Place(tmp_path)
    place.write(MODEL)
    process = place.start("run", str(place.scenario), "--out", str(place.runs))
    until(lambda: children(process.pid, "local_server.py"))
    servers = children(process.pid, "local_server.py")
    agents = children(process.pid, "entry.py")

    process.send_signal(number)
    code, _, err = ended(process)

    assert code == 130, err
    assert agents
    until(lambda: not any(Path("/proc", str(pid)).exists() for pid in servers + agents), 10)
    assert socket_folders(process.pid) == []


@pytest.mark.parametrize("sent", [1, 2])
def test_cleaning_up_is_not_cut_short(sent: int) -> None:
    steps: list[str] = []
    before = signal.getsignal(signal.SIGINT)

    def work() -> None:
        for _ in range(sent):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)
        steps.append("done")

    with pytest.raises(KeyboardInterrupt):
        to_the_end(work)

    assert steps == ["done"]
    assert signal.getsignal(signal.SIGINT) is before


def test_who_counts_signals_hears_each_while_cleaning_up() -> None:
    counted: list[int] = []

    def count(number: int, _: FrameType | None) -> None:
        counted.append(number)
        if len(counted) == 1:
            raise KeyboardInterrupt

    def thrice() -> None:
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, count)
    try:
        with pytest.raises(KeyboardInterrupt):
            to_the_end(thrice)
    finally:
        signal.signal(signal.SIGINT, before)

    assert counted == [signal.SIGINT] * 3


def test_what_cleaning_up_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        to_the_end(lambda: 1 // 0)

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
