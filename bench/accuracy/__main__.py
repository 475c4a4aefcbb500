"""How often is an audit right? Public logs whose verdicts somebody else checked, or corrected.

`python -m bench.accuracy FOLDER [--sets NAME,...] [--markdown]`, where FOLDER holds the sets in
folders of their own; a set that is not there is passed over. Everything goes through the import and
the scoring that `trajaudit audit` uses.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from bench.accuracy.answers import evouna, gsm8k, reflexion, tora
from bench.accuracy.calls import bfcl, bfcl_flips
from bench.accuracy.dialogues import agentdojo, tau, tau2, who_and_when
from bench.accuracy.figure import Figure

SETS: dict[str, tuple[str, Callable[[Path, Path], Iterable[Figure]]]] = {
    "tau_bench": ("tau_bench", tau),
    "tau2_bench": ("tau2_bench", tau2),
    "bfcl": ("bfcl", bfcl),
    "bfcl_flips": ("bfcl", bfcl_flips),
    "agentdojo": ("agentdojo_drift", agentdojo),
    "who_and_when": ("who_and_when", who_and_when),
    "evouna": ("evouna", evouna),
    "gsm8k": ("gsm8k_solutions", gsm8k),
    "tora": ("tora_gsm8k", tora),
    "reflexion": ("reflexion_hotpot", reflexion),
}
"""Name of a set → its folder, and what measures it."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument(
        "--markdown", action="store_true", help="print the table of docs/accuracy.md"
    )
    given = parser.parse_args(arguments)
    if given.markdown:
        print("| set | what | share | trials | 95 % interval |\n|---|---|---|---|---|")
    for name in given.sets.split(","):
        folder, measure = SETS[name]
        if not (given.folder / folder).is_dir():
            print(f"{name}: {given.folder / folder} is not there", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as runs:
            for figure in measure(given.folder / folder, Path(runs)):
                print(figure.row(name) if given.markdown else figure.line(name), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
