import pytest

from tests.report import sample
from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.verdict import GradeStatus, Verdict
from trajaudit.report.schema import RepeatedRate


def test_strict_lenient_and_final_stand_side_by_side() -> None:
    summary = sample.summary(sample.run())

    strict, lenient, final = summary.columns
    assert [column.name for column in summary.columns] == ["strict", "lenient", "final"]
    assert (strict.passes, lenient.passes, final.passes) == (10, 17, 17)
    assert (strict.graded, strict.due) == (29, 30)
    # Task means: t10 has one pass of two graded trials, the others have three graded.
    assert strict.pass_at_1 == pytest.approx((9 / 3 + 1 / 2) / 10)
    assert strict.if_wrong == pytest.approx(10 / 30)
    assert strict.if_right == pytest.approx(11 / 30)
    assert strict.ungraded == {"sandbox_failed": 1}


def test_pass_hat_k_leaves_out_tasks_that_have_too_few_graded_trials() -> None:
    strict = sample.column(sample.summary(sample.run()), "strict")

    assert strict.pass_hat_k == RepeatedRate(k=3, value=2 / 9, tasks=9, of=10)
    assert strict.pass_at_k == RepeatedRate(k=3, value=5 / 9, tasks=9, of=10)


def test_trials_that_never_ran_are_counted_and_never_failures() -> None:
    made = sample.small("a", "b", trials=2)
    made.trials = [TrialRecord(run_id="r", task_id="a", trial=1, end_reason="replied")]
    made.outcomes = [sample.outcome(strict=True, lenient=True, final=True)]

    summary = sample.summary(made)
    final = sample.column(summary, "final")
    assert (final.pass_at_1, final.if_wrong, final.if_right) == (1.0, 0.25, 1.0)
    assert final.ungraded == {"not_run": 3}
    assert any("3 of 4 trials did not run" in banner for banner in summary.banners)


def test_a_trial_that_ran_and_was_not_scored_says_so() -> None:
    made = sample.small("a")
    made.trials = [TrialRecord(run_id="r", task_id="a", trial=1, end_reason="replied")]

    assert sample.column(sample.summary(made), "final").ungraded == {"not_scored": 1}


def test_a_panel_that_saw_some_trials_gets_a_count_and_no_rate() -> None:
    made = sample.small("a", "b")
    made.outcomes = [
        sample.outcome("a", strict=True, lenient=True, final=True),
        sample.outcome("b", strict=False, lenient=True, panel=False, final=False, source="panel"),
    ]

    panel = sample.column(sample.summary(made), "panel")
    assert (panel.passes, panel.graded, panel.pass_at_1, panel.interval) == (0, 1, None, None)
    assert panel.ungraded == {"not_asked": 1}


def test_a_panel_that_saw_every_trial_gets_a_rate() -> None:
    made = sample.small("a")
    made.outcomes = [sample.outcome(strict=False, lenient=True, panel=True, final=True)]

    assert sample.column(sample.summary(made), "panel").pass_at_1 == 1.0


def test_why_strict_did_not_grade_comes_from_its_verdicts() -> None:
    made = sample.small("a")
    made.outcomes = [sample.outcome(human=True, final=True, source="human")]
    made.verdicts = [
        Verdict(
            task_id="a",
            trial=1,
            scorer="final_answer",
            mode="strict",
            passed=None,
            status=GradeStatus.NEEDS_JUDGE,
            reason="a rubric",
        )
    ]

    summary = sample.summary(made)
    assert sample.column(summary, "strict").ungraded == {"needs_judge": 1}
    assert sample.column(summary, "lenient").ungraded == {"not_applicable": 1}
