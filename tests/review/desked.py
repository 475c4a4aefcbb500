"""Runs with journals, people and a desk over them, for the tests of the desk."""

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.report.sample import config
from trajaudit.datamodel.event import End, MessageEvent, Start
from trajaudit.datamodel.judging import PanelDecision
from trajaudit.datamodel.pairwise import PairDecision, PairFigures, PairShare, PairSummary
from trajaudit.datamodel.review import Review, Reviewer, ReviewPolicy, Role, SamplePlan
from trajaudit.datamodel.run import Outcome, TrialRecord
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.record.bulk_journal import write_journal
from trajaudit.record.pairs import finish_pairs, pairs_dir
from trajaudit.record.redaction import Redactor
from trajaudit.record.reviews import read_reviews
from trajaudit.record.rundir import RunDir
from trajaudit.review.desk import Desk
from trajaudit.review.desk_records import DeskError, FormVerdict, Opened, ReviewForm
from trajaudit.review.people import People
from trajaudit.review.policy import store_plan, store_policy

START = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
ANN, BEN, CLEO, DAN = (Reviewer(name=name) for name in ("ann", "ben", "cleo", "dan"))
JUDGE = Reviewer(name="judy", role=Role.ADJUDICATOR)
LEAD = Reviewer(name="lea", role=Role.LEAD)
SINGLE = ReviewPolicy(double=0.0, gold=0.0, batch=5)
TWICE = ReviewPolicy(double=1.0, gold=0.0, batch=5)


class Clock:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **time: float) -> None:
        self.now += timedelta(**time)


def a_run(
    runs: Path,
    name: str = "r1",
    *,
    tasks: int = 6,
    replies: Mapping[str, str] | None = None,
    outcomes: Mapping[str, tuple[bool, bool]] | None = None,
    decisions: Sequence[PanelDecision] = (),
    plan: SamplePlan | None = None,
) -> RunDir:
    """A scored run of one trial a task, `t0`, `t1`, …; people look at every one of them.

    `replies`: what the agent said, by task; all different by default. `outcomes`: strict and
    lenient, by task; by default every second one passes.
    """
    ids = tuple(f"t{number}" for number in range(tasks))
    asked = tuple(Task(id=one, prompt=f"Question {one}: what is it?") for one in ids)
    made = config(tasks=ids, trials=1).model_copy(
        update={
            "run_id": name,
            "scenario": Scenario(trajaudit=1, name="made", tasks=asked),
            "isolation": "none",
            "agent": "careful bot",
        }
    )
    run = RunDir.create(runs, made)
    for task in ids:
        a_trial(run, task, (replies or {}).get(task, f"It is {name} {task}."))
    run.write_records("outcomes", [_outcome(one, outcomes or {}) for one in ids])
    if decisions:
        run.write_records("decisions", decisions)
    store_plan(run, plan or SamplePlan(everything=True))
    return run


def a_trial(run: RunDir, task: str, reply: str, trial: int = 1) -> None:
    folder = run.trial_dir(task, trial)
    folder.mkdir(parents=True)
    events = [
        Start(
            run_id=run.run_id,
            task_id=task,
            trial=trial,
            agent="careful bot",
            model_id="openai/gpt-9-mini",
            prompt=f"Question {task}: what is it?",
        ),
        MessageEvent(role="user", content=f"Question {task}: what is it?", source="task"),
        MessageEvent(role="assistant", content=reply, source="model"),
        End(reason="replied"),
    ]
    written = write_journal(folder, events, Redactor([]))
    run.write_trial(
        TrialRecord(
            run_id=run.run_id,
            task_id=task,
            trial=trial,
            end_reason="replied",
            events=written.events,
            head=written.head,
        )
    )


def compared(first: RunDir, second: RunDir, results: Mapping[str, str]) -> None:
    """Judges compared two runs: task → result; what they did not settle is to be resolved."""
    folder = pairs_dir(first, second.run_id)
    folder.mkdir(parents=True)
    decisions = [
        PairDecision.model_validate(
            {
                "task_id": task,
                "trial": 1,
                "run_a": first.run_id,
                "run_b": second.run_id,
                "panel": "default",
                "rubric": "pair_outcome",
                "result": result,
                "stage": "A",
                "queue": "resolve" if result in {"undecided", "inconsistent"} else "audit",
                "stratum": result,
            }
        )
        for task, result in results.items()
    ]
    nobody = PairShare(holds=0, of=0, value=None)
    figures = PairFigures(
        pairs=len(decisions), results={}, longer_wins=nobody, resolve=len(decisions), audit=0
    )
    summary = PairSummary(
        run_a=first.run_id,
        run_b=second.run_id,
        panel="default",
        rubric="pair_outcome",
        figures=figures,
        calls_sent=0,
        calls_saved=0,
        tokens=0,
        cost_usd=0.0,
    )
    finish_pairs(folder, decisions, (), summary)


def a_desk(
    runs: Path,
    policy: ReviewPolicy = SINGLE,
    *,
    clock: Clock | None = None,
    alone: bool = False,
    seed: int = 1,
) -> Desk:
    """A desk over all runs of a folder, everything put up."""
    store_policy(runs, policy)
    desk = reopened(runs, clock=clock, alone=alone, seed=seed)
    desk.enqueue([RunDir(path.parent) for path in sorted(runs.glob("*/run.json"))])
    return desk


def reopened(runs: Path, *, clock: Clock | None = None, alone: bool = False, seed: int = 2) -> Desk:
    return Desk.open_at(
        runs,
        start=Path(),
        clock=clock or Clock(),
        alone=alone,
        rng=random.Random(seed),
        patience=60,
    )


def people(runs: Path, *known: Reviewer) -> None:
    """Let people log in."""
    for one in known:
        People(runs).add(one.name, one.role, now=START)


def filled(opened: Opened, verdict: str = "pass", **more: object) -> ReviewForm:
    """A page that somebody filled in."""
    fields = {"item_id": opened.item_id, "lease": opened.lease, "verdict": FormVerdict(verdict)}
    return ReviewForm.model_validate({**fields, "seconds": 30, **more})


def _outcome(task: str, outcomes: Mapping[str, tuple[bool, bool]]) -> Outcome:
    even = int(task[1:]) % 2 == 0
    strict, lenient = outcomes.get(task, (even, even))
    return Outcome(task_id=task, trial=1, strict=strict, lenient=lenient, final=lenient)


def refused(work: Callable[..., object], *args: object) -> DeskError:
    """Why the desk does not do it."""
    with pytest.raises(DeskError) as error:
        work(*args)
    return error.value


def labels(runs: Path, run: str = "r1") -> list[Review]:
    return [one for one in read_reviews(RunDir(runs / run)) if isinstance(one, Review)]


def label_all(desk: Desk, who: Reviewer, verdict: str = "pass") -> int:
    count = 0
    while (opened := desk.next(who)) is not None:
        chosen = "tie" if opened.is_pair else verdict
        desk.save(who, filled(opened, chosen))
        count += 1
    return count


def in_conflict(desk: Desk) -> str:
    """Ann and Ben differ on one item; return it."""
    opened = desk.next(ANN)
    assert opened is not None
    desk.save(ANN, filled(opened, "pass", reason="it is right", steps=(1,)))
    label_all(desk, BEN, "fail")
    return opened.item_id
