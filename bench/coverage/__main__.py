"""How often do intervals hold the truth? Simulated, with seeds, so that it comes out alike.

    python -m bench.coverage [--reps N] [--plot FILE.svg] [--markdown]

Exit 1 where an interval of ours is out of the range that is promised, by two standard errors.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.coverage import rates
from bench.coverage.figure import svg
from bench.coverage.looks import of_looks
from bench.coverage.raters import SETTINGS, of_raters
from bench.coverage.row import Row

HEAD = "| interval | setting | coverage | width |\n|---|---|---|---|"
THESE = (rates.LARGE, rates.SMALL, rates.FEWER, rates.RARE, rates.KINDS)
NEW = (rates.LARGE, rates.SMALL, rates.RARE, rates.FEW, rates.SINGLE)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reps", type=int, default=2000)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--markdown", action="store_true", help="print the table of the docs")
    given = parser.parse_args(arguments)
    if given.markdown:
        print(HEAD)
    found = []
    for row in every(given.reps):
        found.append(row)
        print(row.markdown() if given.markdown else row.line(), flush=True)
    if given.plot:
        given.plot.write_text(svg(found), encoding="utf-8")
    return 1 if any(row.kind != "naive" and not row.is_kept for row in found) else 0


def every(reps: int) -> Iterable[Row]:
    """Yield all results; series of looks, of which each is long, are fewer."""
    for world in THESE:
        yield from rates.of_these(world, reps, seed=1)
    for world in NEW:
        yield from rates.of_new_tasks(world, reps, seed=2)
        yield from rates.of_differences(world, reps, seed=3)
    yield from of_looks(max(30, reps // 4), seed=4)
    for raters in SETTINGS:
        yield from of_raters(raters, reps, seed=5)


if __name__ == "__main__":
    sys.exit(main())
