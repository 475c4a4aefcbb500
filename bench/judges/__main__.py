"""What does the panel's logic make of votes that real judges cast for other people?

`python -m bench.judges FOLDER [--sets NAME,...] [--markdown]`, where FOLDER holds `mtbench_votes`,
`pandalm` and `tau2_judges`; a set that is not there is passed over. No model is asked.
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from bench.judges.mtbench import mtbench
from bench.judges.pandalm import pandalm
from bench.judges.row import Row
from bench.judges.tau2 import tau2

SETS: dict[str, tuple[str, Callable[[Path], Iterable[Row]]]] = {
    "mtbench": ("mtbench_votes", mtbench),
    "pandalm": ("pandalm", pandalm),
    "tau2": ("tau2_judges", tau2),
}
"""Name of a set → its folder, and what counts it."""
HEAD = "| set | what | value | of | 95 % interval | published |\n|---|---|---|---|---|---|"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--markdown", action="store_true", help="print the table of the docs")
    given = parser.parse_args(arguments)
    if given.markdown:
        print(HEAD)
    for name in given.sets.split(","):
        folder, count = SETS[name]
        if not (given.folder / folder).is_dir():
            print(f"{name}: {given.folder / folder} is not there", file=sys.stderr)
            continue
        for row in count(given.folder / folder):
            print(row.markdown(name) if given.markdown else row.line(name), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
