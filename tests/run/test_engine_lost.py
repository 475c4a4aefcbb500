"""An engine that dies in the middle of a run, and one that comes back."""

import shutil
import socket
import threading
from pathlib import Path
from typing import Self

import pytest

from tests.run.started import Place, containers, ended, until

ENGINE = "/var/run/docker.sock"
SCENARIO = """
trajaudit: 1
agent:
  kind: scripted
  tasks:
    "*":
      - {call: {bash: {command: "sleep 0.5; echo 42"}}}
      - {reply: The answer is 42.}
tools: [{sandbox: [bash]}]
trials: 12
tasks: [{id: a, prompt: How much is 6 times 7?, target: {number: 42}}]
"""


class Door:
    """A socket in front of the engine's, that can be shut: the engine is dead to who uses it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = f"unix://{path}"
        self._open: list[socket.socket] = []
        self._listening: socket.socket | None = None

    def __enter__(self) -> Self:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.path))
        self._listening.listen(64)
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.path.unlink()
        for one in (self._listening, *self._open):
            if one is not None:
                shut(one)
                one.close()
        self._open.clear()

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                inside, _ = listening.accept()
            except OSError:
                return
            outside = socket.socket(socket.AF_UNIX)
            outside.connect(ENGINE)
            self._open += [inside, outside]
            for source, target in ((inside, outside), (outside, inside)):
                threading.Thread(target=pass_on, args=(source, target), daemon=True).start()


def pass_on(source: socket.socket, target: socket.socket) -> None:
    """Copy what comes until one side is shut; a half that ends, ends alone."""
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        shut(source)
        shut(target)


def shut(one: socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


@pytest.mark.docker
@pytest.mark.slow
def test_a_run_whose_engine_dies_stops_and_is_completed_when_it_is_back(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write(SCENARIO)
    door = Door(tmp_path / "engine.sock")
    env = {"DOCKER_HOST": door.url}
    with door:
        options = ["--out", str(place.runs), "--concurrency", "2"]
        process = place.start("run", str(place.scenario), *options, env=env)
        until(lambda: place.whole() >= 2)
    code, _, err = ended(process)
    run = place.run_dir()
    kept = [one for one in run.read_trials() if one.end_reason == "replied"]

    assert code == 3, err
    assert "trajaudit resume" in err
    assert "Traceback" not in err
    assert len(kept) >= 2
    assert len(kept) < 12
    assert (run.path / "report.html").exists()
    assert {one.final for one in run.read_outcomes()} <= {True, None}

    with door:
        code, _, err = place.done("resume", str(run.path), env=env)

    assert code == 0, err
    after = list(run.read_trials())
    assert [one.end_reason for one in after] == ["replied"] * 12
    assert [one for one in after if one in kept] == kept
    assert containers(run.run_id) == []
    shutil.rmtree(place.runs)
