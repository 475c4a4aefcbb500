"""What people said reaches outcomes, findings, report, queue and the panel's audit."""

from collections.abc import Iterable
from datetime import UTC, datetime
from io import StringIO

import pytest
from rich.console import Console

from tests.conftest import RunText
from tests.review.made import adjudication, decision, review
from trajaudit.audit.labelled import from_labels
from trajaudit.audit.report import report_run, summary_of
from trajaudit.audit.score import score_run
from trajaudit.audit.sitting import queue_of
from trajaudit.datamodel.judging import PanelDecision
from trajaudit.datamodel.review import LedgerRecord, Place, QueueName
from trajaudit.errors import UsageError
from trajaudit.judge.risk import audited
from trajaudit.record.judged import write_judged
from trajaudit.record.judges import load_panel
from trajaudit.record.reviews import ReviewLedger
from trajaudit.record.rundir import RunDir
from trajaudit.report.schema import Column, Summary
from trajaudit.report.terminal import print_summary
from trajaudit.review.column import passes_of
from trajaudit.review.people import People
from trajaudit.review.settle import human_decisions

SCENARIO = """\
trajaudit: 1
trials: 2
agent:
  kind: scripted
  tasks:
    one: [{reply: "yes"}]
    two: [{reply: "no"}]
    three: [{reply: "yes"}]
tasks:
  - {id: one, prompt: "Is it?", target: "yes"}
  - {id: two, prompt: "Is it now?", target: "yes"}
  - {id: three, prompt: "Is it then?", target: "yes"}
"""


@pytest.fixture
def run(run_text: RunText) -> RunDir:
    return run_text(SCENARIO).run


def label(run: RunDir, task_id: str, trial: int, verdict: str, who: str = "p1") -> LedgerRecord:
    return review(
        who,
        verdict,
        item=f"{task_id}{trial}".ljust(64, "0"),
        review_id=f"{who}-{task_id}-{trial}",
        places=(Place(run_id=run.run_id, task_id=task_id, trial=trial),),
    )


def settled(run: RunDir, task_id: str, trial: int, verdict: str) -> list[LedgerRecord]:
    return [label(run, task_id, trial, verdict, who) for who in ("p1", "p2")]


def say(run: RunDir, records: Iterable[LedgerRecord]) -> None:
    ReviewLedger(run).append(*records)


def column(summary: Summary, name: str) -> Column:
    return next(one for one in summary.columns if one.name == name)


def test_a_settled_label_turns_the_final_outcome_and_is_told_as_a_flip(run: RunDir) -> None:
    say(run, settled(run, "two", 1, "pass"))

    flips = score_run(run)

    assert [(one.task_id, one.trial, one.before, one.after) for one in flips] == [
        ("two", 1, False, True)
    ]
    found = {(one.task_id, one.trial): one for one in run.read_outcomes()}
    assert (found["two", 1].human, found["two", 1].source) == (True, "human")
    assert (found["two", 1].lenient, found["two", 2].human) == (False, None)
    assert score_run(run) == []


def test_a_label_that_waits_for_a_second_one_changes_nothing(run: RunDir) -> None:
    say(run, [label(run, "two", 1, "pass"), label(run, "two", 1, "fail", "p2")])

    assert score_run(run) == []

    say(
        run,
        [
            adjudication(
                "pass",
                item_id="two1".ljust(64, "0"),
                places=(Place(run_id=run.run_id, task_id="two", trial=1),),
            )
        ],
    )
    assert [one.after for one in score_run(run)] == [True]


def test_all_trials_of_a_broken_task_leave_every_rate_and_are_listed(run: RunDir) -> None:
    before = summary_of(run)
    say(run, [*settled(run, "two", 1, "task_broken"), *settled(run, "two", 2, "fail")])

    score_run(run)

    after = summary_of(run)
    assert [(one.task_id, one.trials) for one in after.broken] == [("two", 2)]
    assert [(column(before, name).graded, column(before, name).due) for name in ("final",)] == [
        (6, 6)
    ]
    for name in ("strict", "lenient", "final"):
        found = column(after, name)
        assert (found.passes, found.graded, found.due, found.ungraded) == (4, 4, 4, {})
        assert found.pass_at_1 == 1
    assert "people called 1 task broken: two; 2 trials left every rate" in after.banners
    assert after.tasks == before.tasks - 1
    assert [row.due for row in after.task_rows] == [2, 0, 2]
    assert {row.ungraded for row in after.trial_rows if row.task_id == "two"} == {"task_broken"}
    assert after.failed == ()
    assert [(one.name, str(one.kind)) for one in after.look_first] == [("two", "task_broken")]
    deciding = [one for one in run.read_findings() if one.decided]
    assert {(one.task_id, one.kind.value, one.fault.value) for one in deciding} == {
        ("two", "task_broken", "reference")
    }


def test_the_page_and_the_terminal_name_the_broken_task(run: RunDir) -> None:
    say(run, settled(run, "two", 1, "task_broken"))
    score_run(run)

    summary, page = report_run(run)

    assert "people called 1 task broken: two" in page.read_text()
    written = StringIO()
    print_summary(summary, console=Console(file=written, width=200))
    assert "people called 1 task broken: two" in written.getvalue()


def test_nothing_is_broken_where_nobody_said_so(run: RunDir) -> None:
    found = summary_of(run)

    assert found.broken == ()
    assert not any("broken" in one for one in found.banners)


def decisions() -> list[PanelDecision]:
    return [
        decision(result, queue, task_id=task_id, trial=trial)
        for task_id, trial, result, queue in (
            ("one", 1, "pass", "audit"),
            ("one", 2, "pass", "none"),
            ("two", 1, "undecided", "resolve"),
            ("two", 2, "fail", "audit"),
            ("three", 1, "pass", "audit"),
            ("three", 2, "pass", "resolve"),
        )
    ]


def test_only_trials_that_were_drawn_count_as_audited(run: RunDir) -> None:
    cases = (("one", 1, "fail"), ("one", 2, "fail"), ("two", 1, "fail"), ("three", 2, "fail"))
    for task_id, trial, verdict in cases:
        say(run, settled(run, task_id, trial, verdict))

    found = audited(decisions(), passes_of(human_decisions(run)))

    assert {name: (one.looked_at, one.wrong) for name, one in found.items()} == {
        "pass/rules": (1, 1)
    }


def test_what_people_settled_or_could_not_tell_or_called_broken_is_in_no_queue(
    run: RunDir,
) -> None:
    assert len(queue_of(decisions(), {})) == 5
    say(run, settled(run, "one", 1, "pass"))
    say(run, settled(run, "two", 1, "cannot_tell"))
    say(run, settled(run, "three", 2, "task_broken"))

    left = queue_of(decisions(), human_decisions(run))

    assert [(one.task_id, one.trial) for one in left] == [("two", 2)]


def test_judges_are_held_against_what_people_settled_and_nothing_else(run: RunDir) -> None:
    loaded = load_panel("default", run.path)
    with pytest.raises(UsageError, match="no trial has a person's verdict"):
        from_labels(run, loaded, None)
    say(run, settled(run, "one", 1, "fail"))
    say(run, settled(run, "two", 2, "cannot_tell"))
    say(run, settled(run, "three", 1, "task_broken"))
    say(run, settled(run, "three", 2, "pass"))
    say(run, [label(run, "two", 1, "pass"), label(run, "two", 1, "fail", "p2")])

    found = from_labels(run, loaded, None)

    assert [(one.item.task_id, one.item.trial, one.label) for one in found.trials] == [
        ("one", 1, "fail")
    ]


def test_a_label_against_the_panel_waits_for_a_second_person(run: RunDir) -> None:
    write_judged(run, [], [decision("pass", task_id="one")])
    People(run.path.parent).add("p1", now=datetime(2026, 11, 29, tzinfo=UTC))
    one = label(run, "one", 1, "fail")
    say(run, [one.model_copy(update={"queue": QueueName.AUDIT})])

    assert human_decisions(run) == {}
