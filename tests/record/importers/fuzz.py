"""`python -m tests.record.importers.fuzz MINUTES [PART...]`: fuzz importers for a time each.

Runs the tests whose names end in `survive` or `survives`, of every file or of those whose names
hold a PART, again and again until their time is over; ends with 1 when one of them failed.
"""

import os
import subprocess
import sys
import time
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
    failed = [path.name for path in files if not fuzzed(path, minutes * 60)]
    say(f"{len(files) - len(failed)} of {len(files)} files held; failed: {failed or 'none'}")
    return 1 if failed else 0


def fuzzed(path: Path, seconds: float) -> bool:
    """Run the tests of one file with other examples until the time is over."""
    end, rounds = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        argv = [sys.executable, "-m", "pytest", "-q", "-x", "-k", "survive", "--timeout=0"]
        argv += ["-p", "no:cacheprovider", f"--hypothesis-seed={time.time_ns()}", str(path)]
        try:
            done = subprocess.run(
                argv,
                cwd=ROOT,
                env={**os.environ, "FUZZ_EXAMPLES": os.environ.get("FUZZ_EXAMPLES", "300")},
                capture_output=True,
                text=True,
                timeout=left,
                check=False,
            )
        except subprocess.TimeoutExpired:
            break
        if done.returncode:
            say(f"{path.name}: failed\n{done.stdout[-6000:]}")
            return False
        rounds += 1
    say(f"{path.name}: held for {seconds:.0f} s, {rounds} whole rounds")
    return True


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
