"""The report counts how trials fared with their faults, and beside their control."""

from tests.report import sample
from tests.report.test_lengths import said
from trajaudit.datamodel.verdict import Verdict
from trajaudit.report.schema import Summary

Fared = tuple[str, str | None, str | None]


def made_of(*fared: Fared, has_control: bool = True, missing: int = 0) -> Summary:
    """A run whose trials fared like this: task, state, comparison."""
    tasks = list(dict.fromkeys(task for task, _, _ in fared))
    per_task = max(sum(task == one for one, _, _ in fared) for task in tasks) + missing
    run = sample.small(*tasks, trials=per_task)
    numbers = dict.fromkeys(tasks, 0)
    for task, state, comparison in fared:
        numbers[task] += 1
        detail = {"state": state, "has_control": has_control, "comparison": comparison}
        run.verdicts.append(
            Verdict(
                task_id=task,
                trial=numbers[task],
                scorer="recovery",
                mode="strict",
                passed=True,
                reason="",
                detail=dict(detail),
            )
        )
    return sample.summary(run)


def test_trials_are_counted_by_how_they_fared_beside_their_control() -> None:
    summary = made_of(
        ("a", "recovered", "passed_both"),
        ("a", "unrecovered", "failed_with_only"),
        ("b", "unrecovered", "failed_both"),
        ("b", None, None),
    )

    assert summary.recovery is not None
    rows = {row.state: row for row in summary.recovery.rows}
    assert list(rows) == ["recovered", "unrecovered", "not_graded"]
    assert [str(one) for one in rows["unrecovered"].trials] == ["a/2", "b/1"]
    assert rows["unrecovered"].comparisons["failed_with_only"] == 1
    assert rows["unrecovered"].comparisons["failed_both"] == 1
    assert rows["not_graded"].comparisons["not_compared"] == 1


def test_a_trial_that_was_not_scored_is_not_graded() -> None:
    summary = made_of(("a", "recovered", "passed_both"), missing=1)

    assert summary.recovery is not None
    assert [(row.state, len(row.trials)) for row in summary.recovery.rows] == [
        ("recovered", 1),
        ("not_graded", 1),
    ]


def test_the_terminal_shows_the_table_and_no_comparison_where_there_is_none() -> None:
    with_control = said(made_of(("a", "contained", "passed_with_only")))
    without = said(made_of(("a", "contained", None), has_control=False))

    assert "passes only with it" in with_control
    assert "contained" in without
    assert "passes only" not in without
    assert "not compared" not in without


def test_a_run_without_faults_says_nothing_of_them() -> None:
    run = sample.small("a")

    assert sample.summary(run).recovery is None
    assert "Injected faults" not in said(sample.summary(run))
