"""Accuracy on function calls: which failures of form are rescued, and which real ones are not."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.accuracy.figure import Audited, Figure, agreement, audited, detection

_LABELS = "tolerance_labels_"
"""Before the model's name, in the names of files with labels."""


def bfcl(folder: Path, runs: Path) -> Iterator[Figure]:
    """Labels of models' calls: valid strictly, and valid but for their form."""
    labels = {
        (path.stem.removeprefix(_LABELS), one["id"]): one
        for path in sorted(folder.glob(f"{_LABELS}*.jsonl"))
        for one in _lines(path)
    }
    models = {model for model, _ in labels}
    every = audited([folder], runs, "bfcl")
    named = [(_labelled(one.origin.model_id, models), one) for one in every]
    known = [
        (one, labels[model, one.origin.source_id])
        for model, one in named
        if (model, one.origin.source_id) in labels
    ]
    yield from agreement("lenient", ((a.outcome.lenient, b["lenient_valid"]) for a, b in known))
    rescued = [(a, b) for a, b in known if not b["strict_valid"]]
    yield from detection(
        "failures of form alone",
        ((a.outcome.lenient is True, bool(b["lenient_valid"])) for a, b in rescued),
    )
    kept = [a.outcome.lenient is True for a, b in known if b["strict_valid"]]
    yield Figure("strictly valid calls that stay valid", sum(kept), len(kept))


def _labelled(model_id: str, models: set[str]) -> str:
    """Return the model of the labels that a folder's name begins with; empty: none."""
    name = model_id.lower()
    return next((model for model in sorted(models) if name.startswith(model.lower())), "")


def bfcl_flips(folder: Path, runs: Path) -> Iterator[Figure]:
    """Calls that the gold of their day refused, or passed, and a later gold does not."""
    flips = _lines(folder / "gold_flips.jsonl")
    found: list[tuple[Audited, dict[str, Any]]] = []
    for number, flip in enumerate(flips):
        old = _folder(runs / f"logs-{number}", flip)
        found += [(one, flip) for one in audited([old], runs, "bfcl")]
    denied = [one.outcome.lenient is True for one, flip in found if flip["valid_new"]]
    yield Figure("wrongly refused by the old gold: pass leniently", sum(denied), len(denied))
    credited = [one.outcome.lenient is False for one, flip in found if not flip["valid_new"]]
    yield Figure("wrongly passed by the old gold: fail leniently", sum(credited), len(credited))


def _folder(folder: Path, flip: dict[str, Any]) -> Path:
    """Write one call in the layout of the benchmark, with its old gold."""
    category, name = flip["category"], flip["id"]
    result = flip["result"]
    question = {"id": name, "question": flip["question"], "function": flip["function"]}
    files = {
        f"gold/BFCL_v4_{category}.json": question,
        f"gold/possible_answer/BFCL_v4_{category}.json": {
            "id": name,
            "ground_truth": flip["old_gold"],
        },
        f"result/model/BFCL_v4_{category}_result.json": {"id": name, "result": _value(result)},
    }
    for place, record in files.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return folder


def _value(result: str) -> Any:
    """Some results were kept as the text of a Python list of objects."""
    try:
        return ast.literal_eval(result)
    except (ValueError, SyntaxError):
        return result


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
