"""The report names the limit that would have sufficed, and what nobody can know."""

from io import StringIO

from rich.console import Console

from tests.report import sample
from trajaudit.datamodel.verdict import Verdict
from trajaudit.report import figures
from trajaudit.report.schema import Lengths, Summary
from trajaudit.report.terminal import print_summary


def made_of(*replies: tuple[str, list[int], list[int]], unmeasured: int = 0) -> Summary:
    """A run whose trials took these tokens: task, ended, cut."""
    run = sample.small(*dict.fromkeys(task for task, _, _ in replies))
    run.outcomes = [sample.outcome(task, final=True) for task, _, _ in replies]
    run.verdicts = [
        Verdict(
            task_id=task,
            trial=1,
            scorer="truncation",
            mode="strict",
            passed=not cut,
            reason="",
            detail={"ended": [*ended], "cut": [*cut], "unmeasured": unmeasured},
        )
        for task, ended, cut in replies
    ]
    return sample.summary(run)


def lengths_of(summary: Summary) -> Lengths:
    assert summary.lengths is not None
    return summary.lengths


def said(summary: Summary) -> str:
    shown = Console(file=StringIO(), width=120)
    print_summary(summary, console=shown)
    assert isinstance(shown.file, StringIO)
    return shown.file.getvalue()


def test_limits_are_named_for_all_and_for_each_task() -> None:
    found = lengths_of(made_of(("a", [10, 20, 30], []), ("b", [40], [64, 64]), unmeasured=1))

    assert (found.replies, found.cut, found.longest_cut, found.unmeasured) == (6, 2, 64, 2)
    assert {one.share: one.of_finished for one in found.sufficient} == {
        0.5: 20,
        0.9: 40,
        0.95: 40,
        0.99: 40,
        1.0: 40,
    }
    assert {one.share: one.of_all for one in found.sufficient}[0.5] == 30
    assert {one.share: one.of_all for one in found.sufficient}[0.9] is None
    assert [(task.task_id, task.replies, task.cut) for task in found.tasks] == [
        ("a", 3, 0),
        ("b", 3, 2),
    ]


def test_each_limit_has_an_estimate_within_what_is_certain() -> None:
    found = lengths_of(made_of(("a", [10, 20, 30, 40], [64, 64])))

    by_limit = {one.limit: one for one in found.limits}
    assert sorted(by_limit) == [8, 16, 32, 64, 128]
    assert by_limit[32].share == 0.5
    assert by_limit[128].share is None
    assert (by_limit[128].low, by_limit[128].high) == (4 / 6, 1.0)


def test_one_line_is_said_when_something_was_cut_and_none_otherwise() -> None:
    line = "2 of 6 replies cut; 95 % of the others took at most 40 tokens, of all more than 64"

    assert line in said(made_of(("a", [10, 20, 30, 40], [64, 64])))
    assert "cut" not in said(made_of(("a", [10, 20], [])))
    assert made_of(("a", [], [])).lengths is None


def test_a_run_in_which_every_reply_was_cut_names_no_limit() -> None:
    text = figures.lengths(lengths_of(made_of(("a", [], [64]))))

    assert text == "1 of 1 reply cut; 95 % of all would take more than 64 tokens"
