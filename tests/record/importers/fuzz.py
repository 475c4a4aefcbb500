"""`python -m tests.record.importers.fuzz MINUTES [PART...]`: fuzz importers for a time each.

Runs the tests whose names end in `survive` or `survives`, of every file or of those whose names
hold a PART, again and again with other examples, until each file took so many minutes of processor
time; one file for each processor at once. Ends with 1 when one of them failed.
"""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def main(arguments: list[str]) -> int:
    minutes, parts = float(arguments[0]), arguments[1:]
    files = [
        path
        for path in sorted(HERE.glob("test_*.py"))
        if "survive" in path.read_text() and (not parts or any(one in path.name for one in parts))
    ]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        held = list(pool.map(lambda path: fuzzed(path, minutes * 60), files))
    failed = [path.name for path, fine in zip(files, held, strict=True) if not fine]
    say(f"{len(files) - len(failed)} of {len(files)} files held; failed: {failed or 'none'}")
    return 1 if failed else 0


def fuzzed(path: Path, seconds: float) -> bool:
    """Run the tests of one file with other examples until it took its processor time."""
    spent, rounds = 0.0, 0
    while spent < seconds:
        code, took, told = one_round(path)
        spent, rounds = spent + took, rounds + 1
        if code:
            say(f"{path.name}: failed\n{told[-6000:]}")
            return False
    say(f"{path.name}: held for {spent:.0f} s of processor time, {rounds} rounds")
    return True


def one_round(path: Path) -> tuple[int, float, str]:
    """Return the exit code, the seconds of processor time and what was printed."""
    argv = [sys.executable, "-m", "pytest", "-q", "-x", "-k", "survive", "--timeout=0"]
    argv += ["-p", "no:cacheprovider", f"--hypothesis-seed={time.time_ns()}", str(path)]
    env = {**os.environ, "FUZZ_EXAMPLES": os.environ.get("FUZZ_EXAMPLES", "300")}
    with tempfile.TemporaryFile() as output:
        running = subprocess.Popen(argv, cwd=ROOT, env=env, stdout=output, stderr=output)
        # Its own processor time, which is known only to who waits for it.
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        told = output.read().decode(errors="replace")
    return running.returncode, used.ru_utime + used.ru_stime, told


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
