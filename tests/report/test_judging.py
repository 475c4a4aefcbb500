"""What a report says of judges adds up, and shows what they were given without obeying it."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from tests.judge.made import trajectory
from tests.report import sample
from tests.report.judged import HOSTILE, judged
from trajaudit.datamodel.finding import FailureKind
from trajaudit.report.html import Decided, write_html
from trajaudit.report.json import write_json
from trajaudit.report.judging import Judged, with_judging
from trajaudit.report.judging_schema import Judging
from trajaudit.report.schema import Summary
from trajaudit.report.terminal import page


@pytest.fixture
def summary() -> Summary:
    return with_judging(sample.summary(sample.run()), judged())


@pytest.fixture
def found(summary: Summary) -> Judging:
    (one,) = summary.judging
    return one


def test_a_run_without_judges_says_nothing_of_them() -> None:
    made = sample.summary(sample.run())

    assert with_judging(made, Judged()) == made


def test_results_and_queues_add_up_to_what_was_decided(found: Judging) -> None:
    assert (found.passed, found.failed, found.undecided) == (1, 1, 2)
    assert (found.settled, found.audit, found.resolve) == (2, 1, 2)
    assert found.triggers == {"ORDER_FLIP": 1, "INVALID": 1, "UNSUPPORTED": 1}
    assert found.unheard == {"the budget is spent": 1}
    assert found.trials == found.settled + found.resolve + 1


def test_each_judge_is_counted_by_itself(found: Judging) -> None:
    a, b = found.judges

    assert (a.votes, a.passes, a.fails, a.unusable) == (8, 3, 3, {"unsupported": 2})
    assert (a.quotes, a.found) == (8, 6)
    assert (a.turned, a.both_orders) == (1, 3)
    assert (b.votes, b.passes, b.fails, b.turned, b.both_orders) == (8, 6, 2, 0, 4)
    assert a.tokens == 800
    assert a.cost_usd == pytest.approx(0.008)


def test_what_it_took_holds_votes_and_notes(found: Judging) -> None:
    assert (found.replies, found.saved, found.sent, found.from_cache) == (16, 6, 3, 13)
    assert found.tokens == 16 * 100 + 3 * 50
    assert found.cost_usd == pytest.approx(0.019)
    assert (found.notes, found.usable_notes) == (3, 3)


def test_agreement_leaves_out_who_is_of_two_minds(found: Judging) -> None:
    (pair,) = found.agreement

    assert (pair.families, pair.trials, pair.observed, pair.kappa) == (("a", "b"), 2, 1.0, 1.0)


def test_length_and_order_are_told_with_what_they_rest_on(found: Judging) -> None:
    # t01: twice two doublings, from pass to fail; no other task has two lengths.
    assert found.length is not None
    assert found.length.value == pytest.approx(-0.5)
    assert (found.length.low, found.length.tasks) == (None, 1)
    # One of seven pairs of orders differs, by 1; three tasks.
    assert found.order is not None
    assert found.order.value == pytest.approx(1 / 7)
    assert (found.order.n, found.order.tasks) == (7, 3)


def test_what_people_found_in_the_sample_stands_beside_its_kind(found: Judging) -> None:
    fails, passes = found.strata

    assert (fails.name, fails.drawn, fails.looked_at, fails.wrong) == ("fail/ruled", 1, 1, 1)
    assert fails.upper == pytest.approx(1.0)
    assert not fails.claimed
    assert (passes.drawn, passes.looked_at, passes.upper) == (0, 0, None)


def test_a_reference_that_two_judges_deny_alike_is_to_be_looked_at_first(summary: Summary) -> None:
    (one,) = summary.judging
    assert [ref.task_id for ref in one.references] == ["t02", "t03"]

    first = summary.look_first[0]
    assert (first.task_id, first.trial, first.kind) == ("t02", None, FailureKind.REFERENCE_SUSPECT)
    assert "'31'" in first.reason
    assert all(
        pointer.task_id != "t03" or "deny" not in pointer.reason for pointer in summary.look_first
    )


def test_eighty_columns_hold_the_judges(summary: Summary) -> None:
    shown = io.StringIO()
    Console(file=shown, width=80, highlight=False).print(page(summary, width=80))
    lines = shown.getvalue().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Judges"))
    text = "\n".join(lines[at : at + 14])

    assert max(map(len, lines)) <= 80
    assert "never held against labelled trials" in text
    assert "2 settled, 1 drawn for the audit; 2 for people" in text
    assert "a and b agree on 1.00 of 2 trials, kappa 1.00" in text
    assert "3 calls sent, 13 votes kept, 6 calls spared; 1,750 tokens, $0.0190" in text
    assert "1 call of them repeated one that had failed" in text
    assert "2 unsupported" in text


def test_the_page_shows_votes_quotes_and_raw_replies_and_runs_nothing(
    summary: Summary, tmp_path: Path
) -> None:
    made = sample.run()
    said = judged()
    refs = (("t01", 1), ("t01", 2), ("t02", 1), ("t03", 1))
    trajectories = [
        trajectory().model_copy(update={"task_id": task, "trial": trial}) for task, trial in refs
    ]
    told = ((None, one) for one in trajectories)
    decided = Decided(made.verdicts, made.findings, made.outcomes, said.by_trial())
    write_html(tmp_path / "report.html", summary, made.config, told, decided)
    shown = (tmp_path / "report.html").read_text()

    assert "<script>alert" not in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert shown.count("&lt;script&gt;alert") >= 16
    assert shown.count("reply 1 as it came") == 16
    assert shown.count("</span> found</span>") == 14
    assert shown.count("</span> not there</span>") == 2
    assert "turned with the order" in shown
    assert "for people to resolve in stage C" in shown


def test_the_report_for_machines_holds_every_vote(summary: Summary, tmp_path: Path) -> None:
    said = judged()
    write_json(
        tmp_path / "report.json",
        summary,
        outcomes=[],
        findings=[],
        verdicts=[],
        decisions=said.decisions,
        votes=said.votes,
    )
    read = json.loads((tmp_path / "report.json").read_text())

    assert len(read["votes"]) == 16
    assert read["votes"][0]["raw"] == list(said.votes[0].raw)
    assert HOSTILE in read["votes"][0]["raw"][0]
    assert read["summary"]["judging"][0]["triggers"]["ORDER_FLIP"] == 1
    assert {one["queue"] for one in read["decisions"]} == {"none", "audit", "resolve"}
