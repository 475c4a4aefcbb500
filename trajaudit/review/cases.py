"""What the rules got wrong in the eyes of people, as test cases: the smallest that still show it.

A false denial is a trial that people pass and a rule fails, a false credit the other way round;
what no rule could read and people could is `unread`. Each becomes one case which the rules of today
get wrong, and a mended rule gets right.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.review import HumanDecision, Review
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.datamodel.verdict import GradeStatus, Mode, Verdict
from trajaudit.review.case_replay import case_input, replay
from trajaudit.review.case_shape import form_of, shape
from trajaudit.score.criteria import (
    ANSWER,
    COMMUNICATED,
    EFFECTS,
    GUARDS,
    PATCH,
    PATHS,
    RECORDED,
    STATE,
)

Sort = Literal["false_credit", "false_denial", "unread"]
_ORDER = (ANSWER, PATCH, COMMUNICATED, *GUARDS, STATE, PATHS, EFFECTS, RECORDED)
"""Criteria in the order in which they are blamed: what must hold before what may."""
_OF_CALLS = frozenset({PATHS, STATE, EFFECTS, *GUARDS})
"""Criteria that look at calls and at what they changed, and at no words."""
_SORTS: tuple[Sort, ...] = ("false_credit", "false_denial", "unread")


class Case(Record):
    """One trial on which people and rules differ."""

    sort: Sort
    mode: Mode
    """The most careful mode that is wrong; `strict` of a denial: the lenient one is right."""
    scorer: str
    """Whose verdict decided."""
    reason: str
    """The rule's."""
    form: str
    """Shape of what was read, beside that of the reference."""
    run_id: str
    task_id: str
    trial: int
    item_id: str
    why: str
    """What reviewers wrote."""
    case: dict[str, Any]
    """A line for a file of cases."""
    reproduces: bool
    """The case alone brings about the rule's verdict; else it rests on more than a case holds."""


class CaseGroup(Record):
    """Cases that look as if they had one cause."""

    sort: Sort
    mode: Mode
    scorer: str
    shape: str
    """Of the rule's reason."""
    form: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, kw_only=True)
class Settled:
    """A trial that people passed or failed, with all that rules said of it."""

    run_id: str
    task: Task
    scenario: Scenario
    trajectory: Trajectory
    outcome: Outcome
    verdicts: Sequence[Verdict]
    decision: HumanDecision
    reviews: Sequence[Review]


def case_of(one: Settled) -> Case | None:
    """Return the case that a trial makes; None where people and rules agree, or people do not say.

    A strict denial that the lenient reading makes good is a case as well, of mode `strict`.
    """
    found = _sort(one.outcome, one.decision.passed)
    if found is None:
        return None
    sort, mode = found
    verdict = _decider(one.verdicts, sort, mode)
    scorer = verdict.scorer if verdict else "none"
    given, again = _smallest(one, scorer)
    reason = verdict.reason if verdict else again.status_detail
    why = "; ".join(dict.fromkeys(each.reason for each in one.reviews if each.reason))
    reproduces = _same(again, one.outcome)
    said = "pass" if one.decision.passed else "fail"
    op = given.pop("op")
    line = {
        "id": f"rev-{one.decision.item_id[:12]}-{one.outcome.trial}",
        "category": sort,
        "op": op,
        "origin": "review",
        "symptom": f"people say {said}; {scorer} ({mode}): {reason}",
        "input": given,
        "expected": _expected(bool(one.decision.passed), op, sort, mode),
        "why": why,
        "reproduces": reproduces,
    }
    about = {"sort": sort, "mode": mode, "scorer": scorer, "reason": reason, "why": why}
    where = {"run_id": one.run_id, "task_id": one.task.id, "trial": one.outcome.trial}
    where |= {"item_id": one.decision.item_id, "form": _form(one.task, verdict)}
    return Case.model_validate({**about, **where, "case": line, "reproduces": reproduces})


def grouped(cases: Iterable[Case]) -> list[CaseGroup]:
    """Return the cases by likely cause: false credit first, then the larger groups."""
    found: dict[tuple[Sort, Mode, str, str, str], list[Case]] = defaultdict(list)
    for one in cases:
        found[one.sort, one.mode, one.scorer, shape(one.reason), one.form].append(one)
    groups = [
        CaseGroup(sort=key[0], mode=key[1], scorer=key[2], shape=key[3], form=key[4], cases=each)
        for key, each in ((key, tuple(each)) for key, each in found.items())
    ]
    lenient_first = ("lenient", "strict")
    return sorted(
        groups,
        key=lambda one: (
            _SORTS.index(one.sort),
            lenient_first.index(one.mode),
            -len(one.cases),
            one.scorer,
        ),
    )


def _sort(outcome: Outcome, passed: bool | None) -> tuple[Sort, Mode] | None:
    match passed, outcome.strict, outcome.lenient:
        case True, _, False:
            return "false_denial", "lenient"
        case True, False, True:
            return "false_denial", "strict"
        case False, True, _:
            return "false_credit", "strict"
        case False, _, True:
            return "false_credit", "lenient"
        case True | False, _, None:
            return "unread", "lenient"
        case _:
            return None


def _decider(verdicts: Sequence[Verdict], sort: Sort, mode: Mode) -> Verdict | None:
    """Return the verdict to blame; what was not asked is to blame for nothing."""
    wanted = {"false_denial": False, "false_credit": True, "unread": None}[sort]
    asked = {
        one.scorer: one
        for one in verdicts
        if one.mode == mode and one.passed is wanted and one.status != GradeStatus.NOT_APPLICABLE
    }
    return next((asked[name] for name in _ORDER if name in asked), None)


def _form(task: Task, verdict: Verdict | None) -> str:
    if verdict is None or verdict.scorer != ANSWER or task.target is None:
        return ""
    value = task.target.model_dump(mode="json")[task.target.key]
    wanted = value if isinstance(value, str) else str(value)
    return f"{form_of(verdict.reading)} for {form_of(wanted)}"


def _expected(passed: bool, op: str, sort: Sort, mode: Mode) -> dict[str, Any]:
    # Rules that wrongly deny strictly are right leniently: the case is about the strict one.
    about = {"mode": mode} if (sort, mode) == ("false_denial", "strict") else {}
    if op == "score_trial":
        return {"passed": passed, **about}
    word = "correct" if passed else "incorrect"
    return {"verdict": word, "accept": [word], **about}


def _smallest(one: Settled, scorer: str) -> tuple[dict[str, Any], Outcome]:
    """Return the least of a trial that brings about the same outcome, and what it does bring."""
    for trajectory in _lessened(one, scorer):
        case = case_input(one.scenario, one.task, trajectory)
        again = replay(case)
        if _same(again, one.outcome):
            return case, again
    case = case_input(one.scenario, one.task, _nameless(one.trajectory))
    return case, replay(case)


def _same(one: Outcome, other: Outcome) -> bool:
    return (one.strict, one.lenient) == (other.strict, other.lenient)


def _lessened(one: Settled, scorer: str) -> Iterator[Trajectory]:
    """Yield less than the trial, which still holds all that a mended rule would look at."""
    whole = _nameless(one.trajectory)
    bare: dict[str, Any] = {"after": (), "notes": (), "warnings": (), "world_changes": ()}
    bare |= {"final_step": None, "final_seq": None}
    if scorer == ANSWER and one.task.accept is None and one.scenario.accept is None:
        reply = {"steps": (), "world_start": None, "world_end": None}
        yield whole.model_copy(update={**bare, **reply})
    if scorer in _OF_CALLS:
        calls = tuple(_silent(step) for step in whole.steps if step.tool_calls)
        yield whole.model_copy(update={**bare, "steps": calls})


def _nameless(whole: Trajectory) -> Trajectory:
    return whole.model_copy(update={"agent": "", "model_id": "", "task_id": "case"})


def _silent(step: Step) -> Step:
    """Return a step without words, times and places in a journal."""
    message = step.message.model_copy(update={"content": "", "reasoning": None, "seq": None})
    update = {"seq": None, "duration_s": 0.0}
    calls = tuple(one.model_copy(update={"seq": None}) for one in step.tool_calls)
    seen = tuple(one.model_copy(update=update) for one in step.observations)
    rest = {"before": (), "usage": None, "notes": ()}
    return step.model_copy(
        update={**rest, "message": message, "tool_calls": calls, "observations": seen}
    )
