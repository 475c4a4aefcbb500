"""How far do people agree with each other, judges with people, and judges among themselves?

People's labels are the first that each gave, before anybody adjudicated; labels on known items
(gold) tell of the reviewer alone and are left out. Labels of judges are what a family says where
all its votes on a trial agree, and of the panel what it settles without a person.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.judging import PanelDecision, Vote
from trajaudit.datamodel.review import (
    HumanDecision,
    LedgerRecord,
    QueueName,
    Review,
    ReviewVerdict,
    Round,
)
from trajaudit.judge.certify import PANEL, said_by, said_together
from trajaudit.record.reviews import standing
from trajaudit.stats import Interval
from trajaudit.stats.exact import exact_interval
from trajaudit.stats.reliability import reliability
from trajaudit.stats.tallied import FigureName, Ratings

Key = tuple[str, int]
Kind = Literal["people", "two_people", "panel_people", "judge_people", "judges", "two_judges"]
Rows = Mapping[str, Sequence[Ratings]]
"""Task → items; an item is a row of ratings."""
_PASS, _FAIL = ReviewVerdict.PASS.value, ReviewVerdict.FAIL.value
_OF_PAIRS = (ReviewVerdict.A.value, ReviewVerdict.B.value, ReviewVerdict.TIE.value)


class FigureRow(Record):
    """One figure of agreement; None where there is none, and `why` says so."""

    value: float | None
    interval: Interval | None
    why: str = ""


class ExactShare(Record):
    """Hits of so many, with exact two-sided limits (Clopper and Pearson 1934)."""

    hits: int
    of: int
    value: float
    interval: Interval


class AgreementTable(Record):
    """How far some raters agree on what they rated in common."""

    kind: Kind
    who: tuple[str, ...]
    """Names of people, families of judges, or `panel` and `people`."""
    round: Round | None = None
    """Of people: only labels of this round. None: of all."""
    pairs: bool = False
    """The items are pairs of trials."""
    items: int
    """With two ratings at least."""
    tasks: int
    figures: dict[FigureName, FigureRow]
    passes_found: ExactShare | None = None
    """Of the trials that people pass, those that the judge passes (TPR)."""
    fails_found: ExactShare | None = None
    """Of the trials that people fail, those that the judge fails (TNR)."""
    open: int = 0
    """Trials with a word of people on which the judge had no verdict."""


@dataclass(frozen=True)
class Said:
    """Everything that was said of the trials of one run, or of several."""

    records: Sequence[LedgerRecord] = ()
    human: Mapping[Key, HumanDecision] | None = None
    """The settled word of people on each trial."""
    decisions: Sequence[PanelDecision] = ()
    """Of the rubric that decides."""
    votes: Sequence[Vote] = ()


def agreement_tables(said: Said, *, confidence: float = 0.95) -> tuple[AgreementTable, ...]:
    """Return people among themselves (all, by round, two by two), panel and judges with people,
    and judges among themselves; only tables that hold an item with two ratings.
    """
    found = [*_people(said.records, confidence), *_with_people(said, confidence)]
    found += _judges(said.votes, confidence)
    return tuple(one for one in found if one.items)


def people_agreement(
    records: Iterable[LedgerRecord], *, confidence: float = 0.95
) -> AgreementTable:
    """Return how far people agree on trials, all rounds together; figures may have no value."""
    labels = first_labels(records)
    names = tuple(sorted({one.reviewer for one in labels}))
    return _table("people", names, people_rows(labels), confidence)


def first_labels(records: Iterable[LedgerRecord], *, pairs: bool = False) -> list[Review]:
    """Return the first label of each person on each item, oldest first; none that was withdrawn."""
    found: dict[tuple[str, str], Review] = {}
    kept = (one for one in standing(records) if one.queue is not QueueName.GOLD)
    for one in sorted(kept, key=lambda one: (one.saved, one.review_id)):
        if one.is_pair is pairs:
            found.setdefault((one.item_id, one.reviewer), one)
    return list(found.values())


def people_rows(labels: Iterable[Review]) -> dict[str, list[list[str | None]]]:
    """Return the labels of each item in the columns of their reviewers, by task."""
    held = list(labels)
    names = sorted({one.reviewer for one in held})
    items: dict[str, dict[str, str]] = defaultdict(dict)
    tasks: dict[str, str] = {}
    for one in held:
        items[one.item_id][one.reviewer] = one.verdict.value
        tasks.setdefault(one.item_id, one.places[0].task_id)
    rows: dict[str, list[list[str | None]]] = defaultdict(list)
    for item, by_name in items.items():
        rows[tasks[item]].append([by_name.get(name) for name in names])
    return dict(rows)


def _people(records: Sequence[LedgerRecord], confidence: float) -> Iterable[AgreementTable]:
    for pairs in (False, True):
        labels = first_labels(records, pairs=pairs)
        names = tuple(sorted({one.reviewer for one in labels}))
        rounds = [one for one in Round if any(label.round is one for label in labels)]
        for each in (None, *(rounds if len(rounds) > 1 else ())):
            mine = [one for one in labels if each is None or one.round is each]
            table = _table("people", names, people_rows(mine), confidence, pairs=pairs)
            yield table.model_copy(update={"round": each})
        for two in combinations(names, 2) if len(names) > 2 else ():
            rows = people_rows(one for one in labels if one.reviewer in two)
            yield _table("two_people", two, rows, confidence, pairs=pairs)


def _with_people(said: Said, confidence: float) -> Iterable[AgreementTable]:
    human = {
        key: _PASS if one.passed else _FAIL
        for key, one in (said.human or {}).items()
        if one.passed is not None
    }
    decided = {(one.task_id, one.trial): said_together(one).verdict for one in said.decisions}
    if decided:
        yield _beside("panel_people", PANEL, decided, human, confidence)
    for family, labels in _families(said.votes).items():
        yield _beside("judge_people", family, labels, human, confidence)


def _beside(
    kind: Kind,
    name: str,
    judge: Mapping[Key, str | None],
    human: Mapping[Key, str],
    confidence: float,
) -> AgreementTable:
    asked = [key for key in human if key in judge]
    both = [(key[0], judge[key], human[key]) for key in asked if judge[key] is not None]
    rows: dict[str, list[Ratings]] = defaultdict(list)
    for task, one, other in both:
        rows[task].append((one, other))
    table = _table(kind, (name, "people"), rows, confidence)
    return table.model_copy(
        update={
            "passes_found": _share(both, _PASS, confidence),
            "fails_found": _share(both, _FAIL, confidence),
            "open": len(asked) - len(both),
        }
    )


def _share(
    both: Sequence[tuple[str, str | None, str]], label: str, confidence: float
) -> ExactShare | None:
    said = [one for _, one, human in both if human == label]
    if not said:
        return None
    hits, of = said.count(label), len(said)
    interval = exact_interval(hits, of, confidence=confidence)
    return ExactShare(hits=hits, of=of, value=hits / of, interval=interval)


def _judges(votes: Sequence[Vote], confidence: float) -> Iterable[AgreementTable]:
    families = _families(votes)
    names = tuple(families)
    if len(names) < 2:
        return
    yield _table("judges", names, _judge_rows(families, names), confidence)
    for two in combinations(names, 2) if len(names) > 2 else ():
        yield _table("two_judges", two, _judge_rows(families, two), confidence)


def _judge_rows(
    families: Mapping[str, Mapping[Key, str | None]], names: Sequence[str]
) -> dict[str, list[Ratings]]:
    rows: dict[str, list[Ratings]] = defaultdict(list)
    for key in sorted({key for name in names for key in families[name]}):
        rows[key[0]].append([families[name].get(key) for name in names])
    return rows


def _families(votes: Sequence[Vote]) -> dict[str, dict[Key, str | None]]:
    """Return what each family says of each trial; None where its votes do not agree."""
    found: dict[str, dict[Key, list[Vote]]] = defaultdict(lambda: defaultdict(list))
    for vote in votes:
        found[vote.family][vote.task_id, vote.trial].append(vote)
    return {
        family: {key: said_by(each).verdict for key, each in trials.items()}
        for family, trials in sorted(found.items())
    }


def _table(
    kind: Kind, who: tuple[str, ...], rows: Rows, confidence: float, *, pairs: bool = False
) -> AgreementTable:
    used = dict.fromkeys(
        x for items in rows.values() for row in items for x in row if x is not None
    )
    # Both sides of the question belong to the scale, whether or not anybody took them.
    scale = tuple(dict.fromkeys([*(_OF_PAIRS if pairs else (_PASS, _FAIL)), *used]))
    found = reliability(
        list(rows.values()),
        labels=scale,
        positive=None if pairs else _PASS,
        confidence=confidence,
    )
    figures = {
        name: FigureRow(value=one.value, interval=one.interval, why=one.why)
        for name, one in found.figures.items()
    }
    return AgreementTable(
        kind=kind, who=who, pairs=pairs, items=found.items, tasks=found.groups, figures=figures
    )
