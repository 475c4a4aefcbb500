"""Verifying patches, beside SWE-bench's harness and beside the tests run by themselves.

Same instances (real projects with a planted bug), same local images, in turn, in one run. Both
harnesses get the right patch of each instance, one container at a time.
Run: python -m bench.patches [ROUNDS] [--few]
"""

import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench import patch_swebench
from bench.patch_instances import Case, cases
from bench.patch_leaks import containers, left_behind, ours
from tests.audit.verifying.real_projects import NotToBeHadError

OF_SWEBENCH = 0.15
OF_BARE = 1.3
LONG_S = 2.0
"""Tests that take at least so long are compared with their bare run."""
HOW = (signal.SIGINT, signal.SIGKILL)


@dataclass
class Measured:
    """Seconds of each round."""

    ours: list[float] = field(default_factory=list)
    """Of the whole command, for all instances."""
    checked: list[float] = field(default_factory=list)
    """The same with the default's run of the tests without a patch, made once per instance."""
    swebench: list[float] = field(default_factory=list)
    each: dict[str, list[float]] = field(default_factory=dict)
    """Instance → one verification."""
    bare: dict[str, list[float]] = field(default_factory=dict)


def main() -> int:
    """Print the ratios; exit 1 when a promise is broken or not measured."""
    numbers = [int(one) for one in sys.argv[1:] if one.isdigit()]
    try:
        wanted = cases("--few" in sys.argv)
    except NotToBeHadError as e:
        print(f"not measured: {e}")
        return 1
    python = patch_swebench.swebench_python()
    found = Measured()
    with tempfile.TemporaryDirectory() as name:
        for number in range(numbers[0] if numbers else 3):
            _round(wanted, python, Path(name), number, found)
        kept = _told(found, len(wanted))
        leaks = _leaks(wanted[0], python, Path(name))
    return 0 if kept and leaks and python is not None else 1


def _round(
    wanted: Sequence[Case], python: str | None, home: Path, number: int, found: Measured
) -> None:
    folder = home / f"round{number}"
    _files(folder, wanted, {case.name: case.gold for case in wanted})
    for options, seconds in ((["--no-baseline"], found.ours), ([], found.checked)):
        out = folder / f"results{len(options)}.jsonl"
        began = time.monotonic()
        _run([*ours(folder), *options, "--concurrency", "1", "--out", str(out)], folder)
        seconds.append(time.monotonic() - began)
        results = [json.loads(line) for line in out.read_text().splitlines()]
        _all_resolved(
            "trajaudit", wanted, [r["instance_id"] for r in results if r["strict"] == "resolved"]
        )
        if options:
            for one in results:
                found.each.setdefault(one["instance_id"], []).append(one["duration_s"])
    for case in wanted:
        found.bare.setdefault(case.name, []).append(bare(case))
    if python is not None:
        began = time.monotonic()
        _run(patch_swebench.command(python, folder, f"bench{number}"), folder)
        found.swebench.append(time.monotonic() - began)
        _all_resolved("swebench", wanted, patch_swebench.resolved(folder, f"bench{number}"))


def bare(case: Case) -> float:
    """Return the seconds of `docker run` with the tests of an instance, and nothing else."""
    patches = (case.gold + case.fields["test_patch"]).encode()
    run = ["docker", "run", "--rm", "-i", "--init", "--network", "none", case.image]
    began = time.monotonic()
    subprocess.run([*run, "bash", "-c", case.bare], input=patches, check=True)
    return time.monotonic() - began


def _told(found: Measured, count: int) -> bool:
    mine = statistics.median(found.ours) / count
    checked = statistics.median(found.checked) / count
    print(f"{count} instances, {len(found.ours)} rounds, one container at a time")
    print(f"verify             {mine:.2f} s per instance, start of the command included")
    print(f"  with a baseline  {checked:.2f} s (tests run once without a patch, too: the default)")
    kept = True
    if found.swebench:
        theirs = statistics.median(found.swebench) / count
        ratio = statistics.median(a / b for a, b in zip(found.ours, found.swebench, strict=True))
        print(f"swebench {patch_swebench.VERSION}     {theirs:.2f} s per instance")
        print(f"ratio              {ratio:.3f} (promised: at most {OF_SWEBENCH})")
        print(f"  with a baseline  {checked / theirs:.3f}")
        kept = ratio <= OF_SWEBENCH
    else:
        print("swebench           not measured: it cannot be installed (see SWEBENCH_PYTHON)")
    for name, alone in found.bare.items():
        seconds = statistics.median(alone)
        ratio = statistics.median(a / b for a, b in zip(found.each[name], alone, strict=True))
        promise = f"(promised: at most {OF_BARE})" if seconds >= LONG_S else "(no promise: short)"
        print(
            f"{name:<18} {statistics.median(found.each[name]):.2f} s, bare {seconds:.2f} s, "
            f"ratio {ratio:.2f} {promise}"
        )
        kept = kept and (seconds < LONG_S or ratio <= OF_BARE)
    if all(statistics.median(alone) < LONG_S for alone in found.bare.values()):
        print(f"not measured: no bare run took {LONG_S} s")
        kept = False
    return kept


def _leaks(case: Case, python: str | None, home: Path) -> bool:
    """Print which containers are left of what was stopped; whether none of ours is."""
    hanging, whole = home / "hanging", home / "whole"
    _files(hanging, [case], {case.name: case.hangs})
    _files(whole, [case], {case.name: case.gold})
    mine = containers("label=trajaudit.run", f"ancestor={case.image}")
    kept = True
    for how in HOW:
        at_once, after = left_behind(ours(hanging), ours(whole), mine, how, home)
        print(f"left after {how.name}: {at_once} at once, {after} after the next start")
        kept = kept and after == 0
        if python is not None:
            start = patch_swebench.command(python, hanging, f"hang{how.value}")
            again = patch_swebench.command(python, whole, f"whole{how.value}")
            theirs = containers("name=sweb.eval", f"ancestor={case.image}")
            at_once, after = left_behind(start, again, theirs, how, home)
            print(f"  of swebench: {at_once} at once, {after} after the next start")
    return kept


def _files(folder: Path, wanted: Sequence[Case], patches: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    tasks = [json.dumps(case.fields) for case in wanted]
    predictions = [
        {"instance_id": name, "model_name_or_path": "gold", "model_patch": patch}
        for name, patch in patches.items()
    ]
    (folder / "tasks.jsonl").write_text("\n".join(tasks) + "\n")
    (folder / "predictions.jsonl").write_text("\n".join(map(json.dumps, predictions)) + "\n")


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {done.stdout[-500:]}{done.stderr[-1500:]}")


def _all_resolved(who: str, wanted: Sequence[Case], resolved: Sequence[str]) -> None:
    lost = {case.name for case in wanted} - set(resolved)
    if lost:
        print(f"{who} does not resolve with the right patch: {', '.join(sorted(lost))}")


if __name__ == "__main__":
    sys.exit(main())
