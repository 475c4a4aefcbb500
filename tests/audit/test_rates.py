"""Labels in a run's files become the corrected rate, and the report shows it."""

from pathlib import Path

import pytest

from tests.review.desked import ANN, BEN, a_run, people
from tests.review.made import review
from trajaudit.audit.rates import RateOptions, pool_of, rates
from trajaudit.audit.report import summary_of
from trajaudit.datamodel.gold import Bounded, Certificate, Standing
from trajaudit.datamodel.review import Place, ReviewPolicy, SamplePlan
from trajaudit.errors import RunDirError, UsageError
from trajaudit.record.reviews import ReviewLedger
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped
from trajaudit.review.policy import store_policy

TASKS = 12
ALONE = ReviewPolicy(double=0.0)


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    """Twelve trials; every second one passes by the rules, and strict and lenient differ on t5."""
    store_policy(tmp_path, ALONE)
    return a_run(tmp_path, tasks=TASKS, outcomes={"t5": (False, True)})


def label(run: RunDir, who: str, verdicts: dict[int, str]) -> None:
    ledger = ReviewLedger(run)
    for task, verdict in verdicts.items():
        ledger.append(
            review(
                who,
                verdict,
                item=f"{task:064d}",
                review_id=f"{who}-{run.run_id}-{task}",
                places=(Place(run_id=run.run_id, task_id=f"t{task}", trial=1),),
            )
        )


def everything(run: RunDir, who: str = "ann") -> None:
    """The rules are right but for t0, which fails, and t5, on which they differ, passes."""
    label(run, who, {n: "pass" if n in {2, 4, 5, 6, 8, 10} else "fail" for n in range(TASKS)})


def test_labels_of_all_trials_are_the_rate_itself(run: RunDir) -> None:
    everything(run)

    (found,) = rates([run], RateOptions())
    one = found.estimates[0]

    assert (one.value, one.interval) == (6 / 12, (6 / 12, 6 / 12))
    assert [each.name for each in found.strata] == [
        "resolve/differ", "rules/fail/none", "rules/pass",
    ]  # fmt: skip
    columns = {each.name: each.value for each in found.columns}
    assert columns["strict"] == pytest.approx(6 / 12)
    assert columns["lenient"] == pytest.approx(7 / 12)
    assert columns["corrected"] == pytest.approx(6 / 12)


def test_a_label_that_waits_for_another_is_pending(run: RunDir, tmp_path: Path) -> None:
    everything(run)
    store_policy(tmp_path, ReviewPolicy(double=1.0))
    people(tmp_path, ANN, BEN)

    (found,) = rates([run], RateOptions())

    assert (found.labelled, found.pending) == (0, 12)
    assert "no trial of the sample has a settled label" in found.estimates[0].refused


def test_how_far_people_agree_is_beside_it(run: RunDir) -> None:
    everything(run)
    everything(run, "ben")

    (found,) = rates([run], RateOptions())

    assert found.human_alpha == 1
    assert found.human_alpha_interval is not None
    assert found.human_alpha_interval.low < 1


def test_only_what_was_drawn_counts(tmp_path: Path) -> None:
    store_policy(tmp_path, ALONE)
    plan = SamplePlan(least=0, floor=2, failures=0, passes=0)
    run = a_run(tmp_path, tasks=TASKS, plan=plan)
    everything(run)

    (found,) = rates([run], RateOptions())

    assert [(one.size, one.labelled) for one in found.strata] == [(6, 2), (6, 2)]
    assert (found.labelled, found.beside) == (4, 8)


def test_two_runs_are_held_against_each_other(run: RunDir, tmp_path: Path) -> None:
    everything(run)
    other = a_run(tmp_path, "r2", tasks=TASKS)
    label(other, "ann", {n: "pass" if n % 2 == 0 else "fail" for n in range(TASKS)})

    (found,) = rates([run], RateOptions(against=other))

    assert found.against == "r2"
    # 6 of 12 against 6 of 12, t0 lost and t5 won.
    assert found.estimates[0].value == pytest.approx(0)
    assert found.estimates[0].detectable is not None


def test_labels_of_another_run_or_a_certificate_serve_a_run_without_any(
    run: RunDir, tmp_path: Path
) -> None:
    everything(run)
    bare = a_run(tmp_path, "r2", tasks=TASKS)

    (found,) = rates([bare], RateOptions(gold=run))
    # Rules found 6 of 6 passes there, and 5 of 6 failures.
    assert found.estimates[0].value == pytest.approx((0.5 + 5 / 6 - 1) / (5 / 6))
    assert "labels of r1" in found.estimates[0].method

    path = tmp_path / "certificate.json"
    path.write_bytes(dumped(_certificate()))
    (other,) = rates([bare], RateOptions(gold=path))
    assert "no trial has a verdict in the panel column" in other.estimates[0].refused


def _certificate() -> Certificate:
    standing = Standing(
        judge="panel",
        passes=Bounded(hits=45, of=50),
        fails=Bounded(hits=40, of=48),
        due=100,
        admitted=True,
    )
    return Certificate(
        panel="default",
        rubric="task_success",
        identity="i",
        gold="shipped",
        gold_sha256="s",
        sha256={},
        version="0",
        made="2026-11-29",
        least=0.8,
        confidence=0.95,
        certified=True,
        panel_standing=standing,
        judges=(),
    )


def test_a_damaged_certificate_is_named(run: RunDir, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text("{")

    with pytest.raises(RunDirError, match=r"c\.json"):
        rates([run], RateOptions(gold=path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"guarantee": True, "of": "watched"}, "--of these without --soft"),
        ({"guarantee": True, "soft": True}, "--of these without --soft"),
        ({"soft": True, "of": "watched"}, "take no soft scores"),
        ({"gold": Path("x"), "soft": True}, "--gold is an estimate of its own"),
        ({"confidence": 1.0}, "confidence lies between"),
    ],
)
def test_options_that_exclude_each_other_are_refused(
    run: RunDir, options: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        rates([run], RateOptions(**options))  # type: ignore[arg-type]


def test_a_run_is_not_held_against_itself(run: RunDir) -> None:
    for options in (RateOptions(against=run), RateOptions(gold=run)):
        with pytest.raises(UsageError, match="r1 cannot be held against itself"):
            rates([run], options)
    with pytest.raises(UsageError, match="leave out --against or --gold"):
        rates([run], RateOptions(against=run, gold=run))


def test_the_report_has_it_only_where_people_said_something(run: RunDir) -> None:
    assert summary_of(run).corrected is None

    label(run, "ann", {0: "fail", 1: "fail", 5: "pass"})
    found = summary_of(run).corrected

    assert found is not None
    assert [one.of for one in found.estimates] == ["these", "new_tasks"]
    assert found.labelled == 3


def test_the_pool_holds_every_trial_of_the_frame(run: RunDir) -> None:
    everything(run)

    pool = pool_of(run)

    assert len(pool.framed) == len(pool.human) == TASKS
    assert pool.scores == {}
    assert set(pool.outcomes) == {(f"t{n}", 1) for n in range(TASKS)}
