"""Run the adapters over a file of cases: `python -m tests.cases FILE [--json] [--verbose]`."""

import argparse
import json
import sys
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.cases import (
    answers,
    figures,
    files,
    flags,
    judges,
    patches,
    replayed,
    reviews,
    runs,
    tools,
)
from tests.cases.outcome import Adapter, Counts, Outcome

ADAPTERS: dict[str, Adapter] = {
    **answers.ADAPTERS,
    **figures.ADAPTERS,
    **files.ADAPTERS,
    **flags.ADAPTERS,
    **judges.ADAPTERS,
    **patches.ADAPTERS,
    **replayed.ADAPTERS,
    **reviews.ADAPTERS,
    **runs.ADAPTERS,
    **tools.ADAPTERS,
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.cases", description=__doc__)
    parser.add_argument("file", type=Path, help="JSON lines, one case each")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.add_argument(
        "--verbose", action="store_true", help="name the cases that were not accepted"
    )
    options = parser.parse_args(arguments)
    lines = options.file.read_text(encoding="utf-8").split("\n")
    results = [run(json.loads(line)) for line in lines if line.strip()]
    counts = counted(results)
    if options.json:
        _say(json.dumps(counts))
    else:
        print_table(counts)
    if options.verbose:
        print_faults(results)
    return 0


def run(case: dict[str, Any]) -> tuple[dict[str, Any], Outcome | None]:
    """The case with its outcome; a crash of the product is an outcome, too."""
    adapter = ADAPTERS.get(case["op"])
    if adapter is None:
        return case, None
    try:
        return case, adapter(case["input"], case["expected"])
    except Exception:  # noqa: BLE001 (whatever the product does wrong is counted, not hidden)
        return case, Outcome(
            "crash", accepted=False, shown={"error": traceback.format_exc(limit=-2)}
        )


def counted(results: list[tuple[dict[str, Any], Outcome | None]]) -> dict[str, Any]:
    """Counts in total, per operation and per category."""
    total = Counts()
    ops: dict[str, Counts] = {}
    categories: dict[str, Counts] = {}
    for case, outcome in results:
        total.add(outcome)
        ops.setdefault(case["op"], Counts()).add(outcome)
        categories.setdefault(case["category"], Counts()).add(outcome)
    return {
        "total": asdict(total),
        "ops": {name: asdict(one) for name, one in sorted(ops.items())},
        "categories": {name: asdict(one) for name, one in sorted(categories.items())},
    }


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def print_table(counts: dict[str, Any]) -> None:
    rows = [("total", counts["total"]), *counts["ops"].items(), *counts["categories"].items()]
    _say(
        f"{'':24}{'n':>6}{'accepted':>10}{'false credit':>14}{'false denial':>14}{'no adapter':>12}"
    )
    for name, one in rows:
        _say(
            f"{name:24}{one['n']:>6}{one['accepted']:>10}{one['false_credit']:>14}"
            f"{one['false_denial']:>14}{one['no_adapter']:>12}"
        )


def print_faults(results: list[tuple[dict[str, Any], Outcome | None]]) -> None:
    for case, outcome in results:
        if outcome is not None and not outcome.accepted:
            kind = "FALSE CREDIT" if outcome.false_credit else "false denial"
            _say(f"{kind}  {case['id']}: said {outcome.said}, {outcome.shown}; {case['why']}")


if __name__ == "__main__":
    sys.exit(main())
