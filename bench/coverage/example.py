"""The made-up runs that docs/statistics.md works with: judged, labelled in part, and compared.

    python -m bench.coverage.example RUNS

`monday` and `friday` are two agents on the same 80 tasks, five trials each; 'ann' labelled what
their panel could not settle and a sample of the rest, 'ben' a third of it, and 'cleo' decided where
they differ. Nobody labelled `sunday`.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.coverage.made import JUDGES, Made, World, chances, made
from trajaudit.datamodel.judging import Audit, PanelDecision
from trajaudit.datamodel.review import Adjudication, Place, Review, ReviewPolicy, ReviewVerdict
from trajaudit.datamodel.run import Outcome, RunConfig
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.judge.audit import with_audit
from trajaudit.record.reviews import ReviewLedger
from trajaudit.record.rundir import RunDir
from trajaudit.review.policy import store_policy

WORLD = World("example", tasks=80, labels=120)
AUDIT = Audit(least=100, share=0, floor=15)
_SEED = 4
_WHEN = "2026-11-29T12:00:00Z"


def write(runs: Path) -> list[RunDir]:
    """Make the runs anew, the same ones each time."""
    rng = np.random.default_rng(_SEED)
    found = []
    for name, pool in _pools(rng).items():
        run = RunDir.create(runs, _config(name))
        decisions = with_audit(list(_decisions(pool, rng)), AUDIT, seed=0)
        run.write_records("decisions", decisions)
        run.write_records("outcomes", _outcomes(decisions, rng))
        if name != "sunday":
            ReviewLedger(run).append(*_reviews(run, decisions, pool, rng))
        found.append(run)
    store_policy(runs, ReviewPolicy(double=0.0))
    return found


def truths() -> dict[str, float]:
    """Return the share of trials that pass in each run."""
    pools = _pools(np.random.default_rng(_SEED))
    return {name: float(pool.truth.mean()) for name, pool in pools.items()}


def _pools(rng: np.random.Generator) -> dict[str, Made]:
    by_task, ranks = chances(WORLD, rng), rng.random(WORLD.tasks * WORLD.trials)
    return {
        "monday": made(WORLD, rng, by_task, ranks),
        "friday": made(WORLD, rng, by_task**0.6, ranks),
        "sunday": made(WORLD, rng, by_task, ranks),
    }


def _key(at: int) -> tuple[str, int]:
    return f"task{at // WORLD.trials:02d}", at % WORLD.trials + 1


def _decisions(pool: Made, rng: np.random.Generator) -> Iterator[PanelDecision]:
    for at, passes in enumerate(pool.passes.tolist()):
        task, trial = _key(at)
        result = "pass" if passes == JUDGES else "undecided" if passes else "fail"
        yield PanelDecision.model_validate(
            {
                "task_id": task,
                "trial": trial,
                "panel": "made",
                "rubric": "task_success",
                "decides": True,
                "result": result,
                "stage": "C" if result == "undecided" else "A",
                "score": round(0.25 + 0.4 * bool(pool.truth[at]) + 0.35 * rng.random(), 3),
                "queue": "resolve" if result == "undecided" else "none",
                "stratum": f"{result}/ruled",
            }
        )


def _outcomes(decisions: Sequence[PanelDecision], rng: np.random.Generator) -> Iterator[Outcome]:
    for one in decisions:
        lenient = None if one.result == "undecided" else one.result == "pass"
        strict = None if lenient is None else lenient and bool(rng.random() < 0.8)
        yield Outcome(
            task_id=one.task_id, trial=one.trial, strict=strict, lenient=lenient, panel=lenient
        )


def _reviews(
    run: RunDir, decisions: Sequence[PanelDecision], pool: Made, rng: np.random.Generator
) -> Iterator[Review | Adjudication]:
    for at, one in enumerate(decisions):
        if one.queue == "none":
            continue
        truth = bool(pool.truth[at])
        yield _review(run, one, "ann", passed=truth)
        if at % 3 == 0:
            errs = bool(rng.random() < 0.08)
            second = _review(run, one, "ben", passed=truth is not errs)
            yield second
            if errs:
                yield _adjudication(second, passed=truth)


def _review(run: RunDir, one: PanelDecision, who: str, *, passed: bool) -> Review:
    item = f"{run.run_id}-{one.task_id}-{one.trial}"
    return Review.model_validate(
        {
            "review_id": f"{who}-{item}",
            "item_id": item,
            "places": (Place(run_id=run.run_id, task_id=one.task_id, trial=one.trial),),
            "reviewer": who,
            "queue": one.queue,
            "verdict": "pass" if passed else "fail",
            "opened": _WHEN,
            "saved": _WHEN,
            "seconds": 40,
        }
    )


def _adjudication(differs: Review, *, passed: bool) -> Adjudication:
    return Adjudication(
        adjudication_id=f"cleo-{differs.item_id}",
        item_id=differs.item_id,
        places=differs.places,
        adjudicator="cleo",
        reviews=(differs.review_id,),
        verdict=ReviewVerdict.PASS if passed else ReviewVerdict.FAIL,
        opened=_WHEN,
        saved=_WHEN,
        seconds=60,
    )


def _config(name: str) -> RunConfig:
    ids = (f"task{number:02d}" for number in range(WORLD.tasks))
    tasks = tuple(Task(id=one, prompt="Whatever it is.") for one in ids)
    return RunConfig(
        run_id=name,
        created=_WHEN,
        trajaudit_version="0",
        scoring_checksum="0" * 64,
        scenario=Scenario(trajaudit=1, name="made up", tasks=tasks),
        scenario_path="made.yaml",
        scenario_sha256="0" * 64,
        sandbox_kind="none",
        isolation="none",
        agent="made",
        model_id="made",
        task_ids=tuple(task.id for task in tasks),
        trials=WORLD.trials,
    )


if __name__ == "__main__":
    for made_run in write(Path(sys.argv[1])):
        print(made_run.path)
