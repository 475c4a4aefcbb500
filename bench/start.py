"""`trajaudit --help` against a bare interpreter. Promise: at most 0.25 s.

Run: python -m bench.start [RUNS]
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

PROMISE_S = 0.25


def seconds(command: list[str]) -> float:
    """Return how long a command takes."""
    started = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    return time.monotonic() - started


def main() -> int:
    """Print the medians; returns 1 when the promise is broken."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    program = str(Path(sys.executable).with_name("trajaudit"))
    pairs = [
        (seconds([program, "--help"]), seconds([sys.executable, "-c", ""])) for _ in range(runs)
    ]
    ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"trajaudit --help {ours:.3f} s, bare python {bare:.3f} s, ratio {ours / bare:.1f}")
    print(f"promise <= {PROMISE_S} s")
    return int(ours > PROMISE_S)


if __name__ == "__main__":
    sys.exit(main())
