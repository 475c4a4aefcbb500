"""PandaLM: pairs that three people judged, with the verdicts of two models of two families."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from bench.judges.row import Row, kappa, settled, share, vote
from trajaudit.datamodel.judging import Overall, ReplyStatus
from trajaudit.judge.protocol import read_label

_LABELS = ("1", "2", "0", "tie")
_OVERALL: dict[str, Overall] = {"1": "pass", "2": "fail", "0": "abstain", "tie": "abstain"}
"""The first wins, the second wins; a tie settles nothing."""
_PUBLISHED = {(1, 2): "0.85", (1, 3): "0.88", (2, 3): "0.86"}


def pandalm(folder: Path) -> Iterator[Row]:
    """Yield agreements of people, of judges with people, and what two families settle."""
    tests = _read(folder / "testset-v1.json")
    people = [[str(one[f"annotator{n}"]) for one in tests] for n in (1, 2, 3)]
    for a, b in combinations((1, 2, 3), 2):
        what = f"person {a} and person {b}"
        yield kappa(what, people[a - 1], people[b - 1], _PUBLISHED[a, b])
    truth = [_overall(Counter(said).most_common(1)[0][0]) for said in zip(*people, strict=True)]
    judges = {
        "gpt-3.5-turbo": [
            _overall(one["gpt_result"]) for one in _read(folder / "gpt-3.5-turbo-testset-v1.json")
        ],
        "pandalm-7b": [
            _overall(one["pandalm_result"]) for one in _read(folder / "pandalm-7b-testset-v1.json")
        ],
    }
    for name, said in judges.items():
        yield from _one(name, said, truth)
    yield from _both(list(judges.values()), truth)


def _read(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _overall(written: object) -> Overall | None:
    """Return what a recorded verdict says; None where it is no verdict."""
    status, label = read_label(str(written), _LABELS)
    return _OVERALL[str(label)] if status is ReplyStatus.OK else None


def _one(
    name: str, said: Sequence[Overall | None], truth: Sequence[Overall | None]
) -> Iterator[Row]:
    read = [(a, b) for a, b in zip(said, truth, strict=True) if a is not None]
    if len(read) < len(said):
        yield share(f"{name}: no verdict in the reply", len(said) - len(read), len(said))
    yield share(f"{name}: as most people say", sum(a == b for a, b in read), len(read))
    yield kappa(f"{name} and most people", [a for a, _ in read], [b for _, b in read])


def _both(
    judges: Sequence[Sequence[Overall | None]], truth: Sequence[Overall | None]
) -> Iterator[Row]:
    found: list[tuple[Overall | None, Overall | None]] = []
    for at, true in enumerate(truth):
        votes = [vote(str(at), f"family {n}", 1, said[at]) for n, said in enumerate(judges)]
        found.append((settled(votes), true))
    done = [(said, true) for said, true in found if said is not None]
    left = [true for said, true in found if said is None]
    yield share("both families: settled", len(done), len(found))
    yield share("both families: settled otherwise than most people", _differ(done), len(done))
    apart = [
        (said[at], true)
        for said in judges
        for at, (result, true) in enumerate(found)
        if result is None
    ]
    yield share("both families: goes to a person", len(left), len(found))
    yield share("of those, a judge alone would be wrong or silent", _differ(apart), len(apart))


def _differ(pairs: Sequence[tuple[Overall | None, Overall | None]]) -> int:
    return sum(said != true for said, true in pairs)
