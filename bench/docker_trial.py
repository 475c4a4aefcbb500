"""A trial with three tool calls in Docker against bare `docker run` and three `docker exec`.

Promise: at most 1.5 times. Both are measured in turn, in one run; the ratio of each pair counts.
Run: python -m bench.docker_trial [PAIRS]
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from trajaudit.audit.freeze import freeze
from trajaudit.audit.options import RunOptions, apply_options
from trajaudit.audit.run import open_agent
from trajaudit.llm import ModelOptions
from trajaudit.record.project import sandbox_folders
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import load_scenario
from trajaudit.run.assembly import Assembly, open_services
from trajaudit.run.place import choose_place
from trajaudit.run.services import Progress
from trajaudit.run.starter import Starter
from trajaudit.run.trial import run_trial

PROMISE = 1.5
SCENARIO = """\
trajaudit: 1
agent:
  kind: scripted
  tasks:
    "*":
      - {call: {bash: {command: echo one}}}
      - {call: {bash: {command: echo two}}}
      - {call: {bash: {command: echo three}}}
      - {reply: done}
tools: [{sandbox: [bash]}]
tasks: [{id: three-calls, prompt: Call three times., target: done}]
"""


def bare(image: str) -> float:
    """Return the seconds of `docker run`, three `docker exec` and the removal."""
    started = time.monotonic()
    name = f"trajaudit-bench-{time.monotonic_ns()}"
    run = ["docker", "run", "-d", "--network", "none", "--name", name, image, "sleep", "60"]
    subprocess.run(run, check=True, capture_output=True)
    for word in ("one", "two", "three"):
        subprocess.run(
            ["docker", "exec", name, "bash", "-c", f"echo {word}"], check=True, capture_output=True
        )
    subprocess.run(["docker", "rm", "-f", name], check=True, capture_output=True)
    return time.monotonic() - started


def measure(pairs: int, folder: Path) -> list[tuple[float, float]]:
    """Return (ours, bare) in seconds for each pair."""
    path = folder / "three.yaml"
    path.write_text(SCENARIO)
    loaded = load_scenario(path)
    options = RunOptions(trials=pairs + 1, runs_dir=folder / "runs")
    scenario = apply_options(loaded, options)
    agent = open_agent(scenario)
    place = choose_place(scenario, agent, sandbox_folders(Path.cwd()), print)
    config = freeze(
        loaded, scenario, agent=agent, place=place, options=options, runs_dir=folder / "runs"
    )
    assembly = Assembly(
        config=config,
        run=RunDir.create(folder / "runs", config),
        agent=agent,
        place=place,
        open_file=loaded.open_file,
        model_options=ModelOptions(),
        progress=Progress(),
    )
    image = place.image_digest or ""
    found = []
    with open_services(assembly) as services:
        starter = Starter(services, threads=1)
        for trial in range(1, pairs + 2):
            started = time.monotonic()
            record = run_trial(services, starter, scenario.tasks[0], trial)
            ours = time.monotonic() - started
            if record.end_reason != "replied":
                raise SystemExit(f"the trial failed: {record.end_reason} {record.end_detail}")
            found.append((ours, bare(image)))
        starter.close()
    place.close()
    return found[1:]  # the first of each warms up


def main() -> int:
    """Print the ratio; returns 1 when the promise is broken."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder:
        found = measure(pairs, Path(folder))
    ratio = statistics.median(ours / other for ours, other in found)
    ours, other = (statistics.median(column) for column in zip(*found, strict=True))
    print(
        f"trial {ours:.3f} s, bare docker {other:.3f} s, ratio {ratio:.2f} (promise <= {PROMISE})"
    )
    return int(ratio > PROMISE)


if __name__ == "__main__":
    sys.exit(main())
