"""`kill -9` at random moments, then `resume`: the same verdicts, no trial twice, no orphan."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trajaudit.record.journal import verify
from trajaudit.record.rundir import RunDir

KILLS = 22
SCENARIO = """
trajaudit: 1
agent:
  kind: scripted
  tasks:
    "*":
      - {call: {bash: {command: "echo $((6 * 7)) > answer; cat answer"}}}
      - {wait_s: 0.05}
      - {call: {bash: {command: "sleep 0.1; cat answer"}}}
      - {reply: The answer is 42.}
tools: [{sandbox: [bash]}]
trials: 12
tasks:
  - {id: right, prompt: How much is 6 times 7?, target: {number: 42}}
  - {id: wrong, prompt: How much is 6 times 8?, target: {number: 48}}
  - {id: strict, prompt: Say it., target: The answer is 42.}
"""


class Runner:
    """Starts the real command on one run, and kills it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.scenario = folder / "scenarios" / "kill" / "kill.yaml"
        self.scenario.parent.mkdir(parents=True, exist_ok=True)
        self.scenario.write_text(SCENARIO)
        self.runs = folder / name

    def command(self) -> list[str]:
        base = [sys.executable, "-m", "trajaudit"]
        found = self.found()
        if found is None:
            return [*base, "run", str(self.scenario), "--out", str(self.runs)]
        return [*base, "resume", str(found.path), "--out", str(self.runs)]

    def found(self) -> RunDir | None:
        names = [path for path in self.runs.glob("*/run.json") if path.parent.name[0] != "."]
        return RunDir(names[0].parent) if names else None

    def start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.runs.parent
        )

    def finish(self) -> RunDir:
        process = self.start()
        output, _ = process.communicate(timeout=300)
        found = self.found()
        assert process.returncode == 0, output.decode()
        assert found is not None
        return found

    def whole(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.runs.rglob("trial.json")}


def containers(run_id: str) -> list[str]:
    listed = subprocess.run(
        ["docker", "ps", "-aq", "--filter", f"label=trajaudit.run={run_id}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout.split()


def gone(run_id: str, patience_s: float = 20) -> bool:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        if not containers(run_id):
            return True
        time.sleep(0.2)
    return False


def killed_runs(folder: Path, rng: random.Random) -> list[RunDir]:
    """Kill runs `KILLS` times while they are at work, and let each of them finish."""
    finished: list[RunDir] = []
    kills = 0
    while kills < KILLS:
        runner = Runner(folder, f"killed-{len(finished)}")
        seen: dict[Path, bytes] = {}
        while kills < KILLS and not killed_or_done(runner, rng):
            kills += 1
            for path, content in seen.items():
                assert path.read_bytes() == content, f"{path} was done again"
            seen = runner.whole()
        finished.append(runner.finish())
    return finished


def killed_or_done(runner: Runner, rng: random.Random) -> bool:
    """Start or resume the run and kill it; return whether it was done before that."""
    process = runner.start()
    try:
        process.wait(timeout=rng.uniform(0.5, 4.0))
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
    return process.returncode == 0


@pytest.mark.docker
@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_ends_as_if_nothing_had_happened(
    tmp_path: Path,
) -> None:
    undisturbed = Runner(tmp_path, "undisturbed").finish()

    runs = killed_runs(tmp_path, random.Random(20261129))

    attempts = [one.attempt for run in runs for one in run.read_trials()]
    assert sum(attempts) > len(attempts), "no kill hit a trial at work"
    for killed in runs:
        assert list(killed.read_verdicts()) == list(undisturbed.read_verdicts())
        assert list(killed.read_outcomes()) == list(undisturbed.read_outcomes())
        records = list(killed.read_trials())
        assert len({(one.task_id, one.trial) for one in records}) == len(records) == 36
        for one in records:
            journal = killed.journal_path(one.task_id, one.trial)
            assert verify(journal, one.head, one.events) == []
        assert gone(killed.run_id)
