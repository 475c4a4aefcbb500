"""Importing and scoring an Inspect log, beside Inspect's own reading and scoring of the same log.

Inspect lives in an environment of its own, which this makes on the first run (INSPECT_PYTHON names
another one). It writes the log; where it cannot be had, nothing is measured.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import orjson

SAMPLES = 500
MANY = 10
"""Times the samples of the log that shows whether memory grows."""
ROUNDS = 9
"""Parsing and importing in turn, each in a process of its own. The least of each counts, since what
else a machine does only adds: one round alone may take half as long again. Both are shown.
"""
OF_INSPECT = 3
"""Rounds of which one is followed by one of Inspect, which takes twenty times as long."""
FASTER_THAN_INSPECT = 10
MOST_TIMES_PARSING = 4
MOST_MEMORY = 1.2
HERE = Path(__file__).resolve().parent


def main() -> int:
    """Print three ratios; exit 1 when a promise is broken."""
    from bench.inspect_env import inspect_python

    python = inspect_python()
    if python is None:
        print("not measured: inspect-ai cannot be installed here; INSPECT_PYTHON names its python")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        log = Path(_told(python, HERE / "inspect_log.py", "write", str(SAMPLES), folder))
        rounds, theirs = [], []
        for number in range(ROUNDS):
            rounds.append(_round(log, home / f"a{number}"))
            if number % OF_INSPECT == 0:
                # In between, so that what disturbs for some seconds does not disturb all rounds.
                told = _told(python, HERE / "inspect_log.py", "score", str(log))
                theirs.append(json.loads(told))
        large = home / "large.eval"
        size = multiply(log, large, MANY)
        many = _ours("audit", large, home / "b")
    print(f"{SAMPLES} samples, {size / MANY / 1e6:.0f} MB of JSON, and {MANY} times that")
    return 0 if _kept(rounds, theirs, many["peak_mb"]) else 1


def _kept(rounds: list[dict[str, float]], theirs: list[dict[str, float]], large_mb: float) -> bool:
    """Print three ratios, and return whether they are as promised."""
    parsing, usual_parsing = _least_and_middle(one["parse_s"] for one in rounds)
    spent, usual = _least_and_middle(one["audit_s"] for one in rounds)
    peak = median(one["peak_mb"] for one in rounds)
    inspect = min(one["read_s"] + one["score_s"] for one in theirs)
    faster, times, memory = inspect / spent, spent / parsing, large_mb / peak
    print(f"import and score   {spent:.3f} s (middle {usual:.3f}), as `trajaudit audit` does")
    print(f"Inspect            {inspect:.2f} s read and score with one scorer")
    print(f"faster             {faster:.1f} times (promised: at least {FASTER_THAN_INSPECT})")
    print(f"decompress, parse  {parsing:.3f} s (middle {usual_parsing:.3f})")
    middle = f"middle {usual / usual_parsing:.2f}; promised: at most {MOST_TIMES_PARSING}"
    print(f"ratio              {times:.2f} ({middle})")
    print(f"peak memory        {peak:.0f} MB, {large_mb:.0f} MB of {MANY} times")
    print(f"ratio              {memory:.2f} (promised: at most {MOST_MEMORY})")
    return faster >= FASTER_THAN_INSPECT and times <= MOST_TIMES_PARSING and memory <= MOST_MEMORY


def _least_and_middle(seconds: Iterable[float]) -> tuple[float, float]:
    known = list(seconds)
    return min(known), median(known)


def _round(log: Path, runs: Path) -> dict[str, float]:
    os.sync()  # What was written before is no matter of this round.
    return _ours("parse", log) | _ours("audit", log, runs)


def _ours(*arguments: str | Path) -> dict[str, float]:
    told: dict[str, float] = json.loads(_told(sys.executable, __file__, *arguments))
    return told


def multiply(log: Path, large: Path, times: int) -> int:
    """Write a log with each sample so many times, under other ids; return its uncompressed size."""
    from trajaudit.record.importers.archive import Archive
    from trajaudit.record.importers.losses import Losses

    size = 0
    with (
        Archive(log, log.name, Losses()) as archive,
        zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out,
    ):
        for name in archive.members:
            content = archive.read(name)
            if not name.startswith("samples/"):
                if name in ("header.json", "_journal/start.json"):
                    out.writestr(name, content)
                continue
            sample = orjson.loads(content)
            for number in range(times):
                sample["id"] = f"{number}-{sample['id'].split('-', 1)[-1]}"
                data = orjson.dumps(sample)
                size += len(data)
                out.writestr(f"samples/{sample['id']}_epoch_1.json", data)
    return size


def parse(log: Path) -> dict[str, float]:
    """Decompress and parse all members, and nothing else; return the seconds."""
    from trajaudit.record.importers.archive import Archive
    from trajaudit.record.importers.losses import Losses

    start = time.perf_counter()
    with Archive(log, log.name, Losses()) as archive:
        for name in archive.members:
            orjson.loads(archive.read(name))
    return {"parse_s": time.perf_counter() - start}


def audit(log: Path, runs: Path) -> dict[str, float]:
    """Import and score as `trajaudit audit` does; return seconds and megabytes."""
    from trajaudit.audit.imports import import_logs
    from trajaudit.audit.intake import ImportOptions

    start = time.perf_counter()
    import_logs([log], ImportOptions(runs_dir=runs, score=True))
    end = time.perf_counter()
    peak = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {"audit_s": end - start, "peak_mb": peak / 1024}


def _told(*command: str | Path) -> str:
    """Run a program and return the last line that it prints."""
    done = subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip().splitlines()[-1]


if __name__ == "__main__":
    if sys.argv[1:2] == ["parse"]:
        print(json.dumps(parse(Path(sys.argv[2]))))
    elif sys.argv[1:2] == ["audit"]:
        print(json.dumps(audit(Path(sys.argv[2]), Path(sys.argv[3]))))
    else:
        sys.exit(main())
