"""Accuracy on sets of answers: the audit's verdict beside a person's, or beside the number."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.accuracy.figure import Audited, Figure, agreement, audited


def evouna(folder: Path, runs: Path) -> Iterator[Figure]:
    """Answers of systems to open questions, judged by people; what they call improper is left out:
    questions whose answer has changed, or that have none.
    """
    paths = sorted(folder.glob("*.json"))
    improper = {
        f"{path.name}#{number}"
        for path in paths
        for number, record in enumerate(json.loads(path.read_text(encoding="utf-8")))
        if record.get("improper")
    }
    found = audited(paths, runs, "answers")
    yield from _beside_raw(one for one in found if one.origin.source not in improper)


def gsm8k(folder: Path, runs: Path) -> Iterator[Figure]:
    """Worked solutions of several models."""
    paths = sorted(folder.glob("*solutions*.jsonl"))
    yield from _beside_raw(audited(paths, runs, "answers"))


def tora(folder: Path, runs: Path) -> Iterator[Figure]:
    """Solutions of text, code and output; the number that was extracted is the truth."""
    paths = sorted(folder.glob("*.jsonl"))
    lines = {
        f"{path.name}:{number}": _is_right(text)
        for path in paths
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    }
    pairs = [
        (one.outcome.final, lines[one.origin.source]) for one in audited(paths, runs, "answers")
    ]
    yield from agreement("lenient", ((said, true) for said, true in pairs if true is not None))


def reflexion(folder: Path, runs: Path) -> Iterator[Figure]:
    """Transcripts of an agent whose harness compares answers exactly."""
    yield from _beside_raw(audited(sorted(folder.glob("*.txt")), runs, "react_text"))


def _beside_raw(found: Iterable[Audited]) -> Iterator[Figure]:
    known = [(one, one.origin.raw) for one in found]
    pairs = [(one.outcome, raw) for one, raw in known if raw is not None]
    for mode in ("strict", "lenient"):
        yield from agreement(mode, ((getattr(one, mode), raw) for one, raw in pairs))
    wrong = [one for one, raw in known if raw is False]
    doubted = sum(one.has("reference_suspect") for one in wrong)
    yield Figure("reference in doubt, of the wrong", doubted, len(wrong))


def _is_right(text: str) -> bool | None:
    """Compare what the harness extracted with the true number; None: no number."""
    record = json.loads(text)
    try:
        said, true = (
            float(str(value).replace(",", "")) for value in (record["pred"][0], record["gt"])
        )
    except (ValueError, IndexError):
        return None
    return abs(said - true) < 1e-3
