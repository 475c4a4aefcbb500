"""MT-Bench: pairs that people and GPT-4 judged; GPT-4 saw each pair in both orders."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from bench.judges.row import Row, kappa, share
from trajaudit.judge.orders import Shown, across_orders

Key = tuple[int, int, tuple[str, ...]]
Votes = dict[Key, list[tuple[str, str]]]
"""Pair → (person, winner), the winner by name or `tie`."""
PAPER = "0.85 on all votes"
PEOPLE = "0.81 on all votes"


def mtbench(folder: Path) -> Iterator[Row]:
    """Yield flips with the order, agreements, and what goes to a person."""
    judged = {_key(one): _both_orders(one) for one in _lines(folder / "gpt4_pair.jsonl")}
    people: Votes = defaultdict(list)
    for one in _lines(folder / "human.jsonl"):
        people[_key(one)].append((one["judge"], _winner(one)))
    flipped = {key for key, said in judged.items() if said == "inconsistent"}
    yield share("turns with the order, and so goes to a person", len(flipped), len(judged))
    for ties in (True, False):
        what = "ties included" if ties else "without ties"
        yield _with_people(f"judge and a person agree, {what}", judged, people, ties=ties)
        yield _between_people(f"two people agree, {what}", people, None, ties=ties)
    yield _between_people("two people agree where the judge turned", people, flipped, ties=True)
    steady = set(judged) - flipped
    yield _between_people("two people agree where it did not", people, steady, ties=True)
    yield _people_kappa(people)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _key(one: dict[str, Any]) -> Key:
    return one["question_id"], one["turn"], tuple(sorted((one["model_a"], one["model_b"])))


def _winner(one: dict[str, Any]) -> str:
    return str(one[one["winner"]]) if one["winner"] in ("model_a", "model_b") else "tie"


def _both_orders(one: dict[str, Any]) -> str:
    """Return what the panel's logic makes of both orders that the record stands for.

    The record keeps what both came to. One that turned named the same place twice; which of the
    two places is not kept, and makes no difference.
    """
    models = (one["model_a"], one["model_b"])
    said = one["winner"]
    first = Shown(dict(zip("AB", models, strict=True)), _label(said, "AB"))
    second_label = "A" if said == "tie (inconsistent)" else _label(said, "BA")
    second = Shown(dict(zip("AB", models[::-1], strict=True)), second_label)
    return across_orders(first, second).winner


def _label(said: str, names: str) -> str:
    return {"model_a": names[0], "model_b": names[1], "tie": "tie"}.get(said, "A")


def _with_people(what: str, judged: dict[Key, str], people: Votes, *, ties: bool) -> Row:
    pairs = [
        (judged[key], winner)
        for key, votes in people.items()
        if key in judged
        for _, winner in votes
    ]
    # As its authors count: a verdict that turned is a tie.
    pairs = [("tie" if said == "inconsistent" else said, winner) for said, winner in pairs]
    return _agreement(what, pairs, "" if ties else PAPER, ties=ties)


def _between_people(what: str, people: Votes, keys: set[Key] | None, *, ties: bool) -> Row:
    pairs = [
        (one, other)
        for key, votes in people.items()
        if keys is None or key in keys
        for (a, one), (b, other) in combinations(votes, 2)
        if a != b
    ]
    return _agreement(what, pairs, "" if ties else PEOPLE, ties=ties)


def _agreement(what: str, pairs: Iterable[tuple[str, str]], published: str, *, ties: bool) -> Row:
    kept = [pair for pair in pairs if ties or "tie" not in pair]
    return share(what, sum(a == b for a, b in kept), len(kept), published)


def _people_kappa(people: Votes) -> Row:
    """κ of two people, each pair of votes taken both ways: who is first means nothing.

    Its interval leaves out a question at a time.
    """
    pairs = [
        (key[0], _place(key, one), _place(key, other))
        for key, votes in people.items()
        for (a, one), (b, other) in combinations(votes, 2)
        if a != b
    ]
    both = [*pairs, *((question, b, a) for question, a, b in pairs)]
    questions, first, second = zip(*both, strict=True) if both else ((), (), ())
    found = kappa("two people", first, second, "0.47 on all votes", groups=questions)
    return replace(found, of=f"{len(pairs)} pairs")


def _place(key: Key, winner: str) -> str:
    return winner if winner == "tie" else str(key[2].index(winner))
