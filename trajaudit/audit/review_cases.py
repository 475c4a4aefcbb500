"""What people's labels teach about the rules: cases for them, paths to list, tasks that are broken.

Nothing here changes a verdict.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from trajaudit.audit.promote import Acceptance, ByHandError, Promoted, promote
from trajaudit.audit.score import trajectory_of
from trajaudit.datamodel.review import (
    Adjudication,
    HumanDecision,
    LedgerRecord,
    Review,
    ReviewVerdict,
)
from trajaudit.datamodel.run import Outcome
from trajaudit.errors import RunDirError, UsageError
from trajaudit.record.reviews import read_reviews, standing
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import write_atomic
from trajaudit.record.verdict_places import VerdictPlaces
from trajaudit.review.cases import Case, CaseGroup, Settled, case_of, grouped
from trajaudit.review.settle import human_decisions
from trajaudit.review.suggest import name_for, unlisted

Key = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class BrokenTask:
    """A task that people called broken, and why."""

    run_id: str
    task_id: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Lessons:
    """What people's labels of some runs teach."""

    settled: int
    """Trials that people passed or failed."""
    groups: tuple[CaseGroup, ...]
    broken: tuple[BrokenTask, ...]

    @property
    def cases(self) -> list[Case]:
        """All cases, group by group."""
        return [case for group in self.groups for case in group.cases]


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A path of a passed trial: what listing it changes, or why it cannot be listed."""

    task_id: str
    trial: int
    name: str
    by: str
    promoted: Promoted | None = None
    entry: str = ""
    """To be pasted by hand, where it cannot be added by itself."""
    refused: str = ""


def lessons(runs: Sequence[RunDir]) -> Lessons:
    """Return the cases and the broken tasks of some runs.

    Raises:
        UsageError: a run was not scored.
        RunDirError: a file of a run is damaged.
    """
    cases: list[Case] = []
    broken: list[BrokenTask] = []
    settled = 0
    for run in runs:
        if not (run.path / "outcomes.jsonl").exists():
            raise UsageError(f"{run.run_id} was not scored; run trajaudit score {run.run_id} first")
        decisions = human_decisions(run)
        by_item = _by_item(read_reviews(run))
        broken += _broken(run, decisions, by_item)
        settled += sum(one.passed is not None for one in decisions.values())
        cases += _cases(run, decisions, by_item)
    return Lessons(settled=settled, groups=tuple(grouped(cases)), broken=tuple(broken))


def write_cases(found: Lessons, path: Path) -> int:
    """Write the cases as JSON lines; return how many.

    Raises:
        StorageError: they cannot be written; an earlier file stays.
    """
    lines = [f"{json.dumps(one.case, ensure_ascii=False)}\n" for one in found.cases]
    write_atomic(path, (line.encode("utf-8", "backslashreplace") for line in lines))
    return len(lines)


def paths_to_list(run: RunDir, today: date) -> list[Listed]:
    """Return the paths of trials that people passed and that no listed path accepts, each once.

    Raises:
        RunDirError: the run is damaged, or its scenario changed since.
    """
    found: list[Listed] = []
    records = list(read_reviews(run))
    last: Promoted | None = None
    for one in unlisted(human_decisions(run), run.read_verdicts(), records):
        accept = run.tasks.task(one.task_id).accept
        taken = [path.name for path in accept.paths] if accept else []
        taken += [each.name for each in found if each.task_id == one.task_id and each.promoted]
        name = name_for(trajectory_of(run, one.task_id, one.trial), taken)
        acceptance = Acceptance(name=name, **one._asdict())
        found.append(_listed(run, acceptance, today, last))
        last = found[-1].promoted or last
    return found


def _listed(run: RunDir, wanted: Acceptance, today: date, after: Promoted | None) -> Listed:
    plain = Listed(task_id=wanted.task_id, trial=wanted.trial, name=wanted.name, by=wanted.by)
    try:
        return replace(plain, promoted=promote(run, wanted, today, after=after))
    except ByHandError as error:
        return replace(plain, entry=error.entry, refused=str(error))
    except RunDirError:
        raise
    except UsageError as error:
        return replace(plain, refused=str(error))


def _by_item(records: Iterator[LedgerRecord]) -> dict[str, list[LedgerRecord]]:
    found: dict[str, list[LedgerRecord]] = defaultdict(list)
    for one in records:
        found[one.item_id].append(one)
    return found


def _broken(
    run: RunDir,
    decisions: Mapping[Key, HumanDecision],
    by_item: Mapping[str, list[LedgerRecord]],
) -> Iterator[BrokenTask]:
    reasons: dict[str, list[str]] = defaultdict(list)
    for one in decisions.values():
        if one.task_broken:
            reasons[one.task_id] += _why_broken(by_item[one.item_id])
    for task_id, found in reasons.items():
        yield BrokenTask(run_id=run.run_id, task_id=task_id, reasons=tuple(dict.fromkeys(found)))


def _why_broken(records: Sequence[LedgerRecord]) -> list[str]:
    settled = [one for one in records if isinstance(one, Adjudication)]
    said: list[Review | Adjudication] = [*standing(records), *settled]
    return [each.reason for each in said if each.verdict == "task_broken" and each.reason]


def _cases(
    run: RunDir,
    decisions: Mapping[Key, HumanDecision],
    by_item: Mapping[str, list[LedgerRecord]],
) -> Iterator[Case]:
    places = VerdictPlaces(run)
    for _ in places.read():
        pass
    for outcome in run.read_outcomes():
        key = (outcome.task_id, outcome.trial)
        decision = decisions.get(key)
        if decision is not None and decision.passed is not None:
            case = _case(run, outcome, decision, places, by_item)
            if case is not None:
                yield case


def _case(
    run: RunDir,
    outcome: Outcome,
    decision: HumanDecision,
    places: VerdictPlaces,
    by_item: Mapping[str, list[LedgerRecord]],
) -> Case | None:
    key = (outcome.task_id, outcome.trial)
    record = run.read_trial(*key)
    if record is None:
        return None
    verdict = ReviewVerdict.PASS if decision.passed else ReviewVerdict.FAIL
    said: list[Review] = standing(by_item[decision.item_id])
    return case_of(
        Settled(
            run_id=run.run_id,
            task=run.tasks.task(key[0]),
            scenario=run.tasks.scenario(record),
            trajectory=trajectory_of(run, *key),
            outcome=outcome,
            verdicts=places.of(key),
            decision=decision,
            reviews=[one for one in said if one.verdict is verdict],
        )
    )
