"""Adapters from cases about numbers, counts and what a verifier left behind."""

from collections.abc import Callable
from typing import Any

from tests.cases.answers import target_of
from tests.cases.judging import Case, adapted
from tests.cases.made import run_config
from tests.cases.outcome import Adapter, Outcome
from trajaudit.datamodel.run import Outcome as Columns
from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.report.board import Board
from trajaudit.report.columns import column_of
from trajaudit.report.summary import summarise
from trajaudit.score.extract.reader import reader_for
from trajaudit.score.reward import AgentEnd, VerifierEnd, grade_reward
from trajaudit.stats import Attempted, Tally, pass_at_k, pass_hat_k, pass_rate, wilson
from trajaudit.stats.agreement import (
    Agreement,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
)
from trajaudit.stats.paired import holm, mcnemar
from trajaudit.stats.repeated import most_given, over_tasks


def stats(case: Case) -> Case:
    """Ask for one figure; one that cannot be had has no value."""
    try:
        return _FIGURES[case["fn"]](case)
    except ValueError as error:
        return {"value": None, "interval": None, "reason": str(error)}


def _over_items(case: Case) -> Case:
    tasks = [Tally(passes, n) for n, passes in case["per_item"]]
    found = over_tasks(pass_at_k, tasks, case["k"])
    return {"value": found.value if found.tasks == len(tasks) else None}


def _agreement(found: Agreement) -> Case:
    return {"value": found.value, "observed_agreement": found.observed}


def _majority(case: Case) -> Case:
    kind, options = case.get("answer_type", "text"), case.get("options", {})
    answers = [None if one is None else str(one) for one in case["answers"]]

    def reads_as(one: str, other: str) -> bool:
        try:
            reader = reader_for(target_of({"answer_type": kind, "options": options}, one), "")
        except ValueError:
            return False  # no reference in plain form; the other way round may be one
        read = reader.marked(other) if reader else None
        if reader is None or read is None or read.value is None:
            return one == other
        return reader.matches(read.value, other)[0] is True

    def same(one: str, other: str) -> bool:
        return one == other or reads_as(one, other) or reads_as(other, one)

    value = most_given(answers, same)
    label = None if value is not None else "tie" if any(answers) else "no_answer"
    return {"value": value, "label": label}


def _accuracy(case: Case) -> Case:
    decided = {"correct": True, "incorrect": False}
    outcomes = [decided.get(one) for one in case["outcomes"]]
    rate = pass_rate([Attempted(one is True, one is not None, 1) for one in outcomes])
    return {
        "scored": rate.value,
        "errors_as_wrong": rate.if_wrong,
        "errors_as_right": rate.if_right,
        "coverage": rate.graded / rate.due,
    }


_FIGURES: dict[str, Callable[[Case], Case]] = {
    "pass_at_k": lambda c: {"value": pass_at_k(c["n"], c["c"], c["k"])},
    "pass_hat_k": lambda c: {"value": pass_hat_k(c["n"], c["c"], c["k"])},
    "pass_at_k_dataset": _over_items,
    "wilson_interval": lambda c: {
        "interval": wilson(c["successes"], c["n"], confidence=c.get("level", 0.95))
    },
    "maj_at_k": _majority,
    "cohen_kappa": lambda c: _agreement(cohen_kappa(c["a"], c["b"])),
    "gwet_ac1": lambda c: _agreement(gwet_ac1(c["a"], c["b"])),
    "fleiss_kappa": lambda c: _agreement(fleiss_kappa(c["ratings"])),
    "krippendorff_alpha_nominal": lambda c: {"value": krippendorff_alpha(c["ratings"])},
    "accuracy_with_errors": _accuracy,
    "mcnemar": lambda c: mcnemar(c["a"], c["b"])._asdict(),
    "holm": lambda c: {"value": holm(c["p_values"])},
}


def report_counts(case: Case) -> Case:
    """Put every trial that was due onto the board of a report and count it once."""
    due = tuple(dict.fromkeys(case["submitted"]))
    failed = [
        Columns(task_id=one, trial=1, status=GradeStatus.INFRA_ERROR) for one in case["errors"]
    ]
    graded = [
        Columns(task_id=one, trial=1, final=verdict == "resolved", source="strict")
        for one, verdict in case["graded"].items()
        if one not in case["errors"]
    ]
    board = Board.of(run_config(due), [], [*graded, *failed], [], [])
    column = column_of(board, "final", 1)
    missing = [one.task_id for one in board.entries() if one.why_ungraded("final") == "not_run"]
    missing = [one for one in missing if one not in {*case["graded"], *case["errors"]}]
    return {
        "resolved": column.passes,
        "unresolved": column.graded - column.passes,
        "error": sum(count for why, count in column.ungraded.items() if why != "not_run"),
        "missing": missing,
        "total": column.due,
    }


def cost_total(case: Case) -> Case:
    """Sum the calls as a report does; an answer that was kept costs nothing again."""
    records = [
        TrialRecord(
            run_id="r",
            task_id="a",
            trial=number,
            end_reason="replied",
            model_calls=1,
            cost_usd=0.0 if call.get("cached") else call.get("cost"),
        )
        for number, call in enumerate(case["calls"], start=1)
    ]
    effort = summarise(run_config(("a",), trials=max(1, len(records))), records, [], [], []).effort
    # Where every price is unknown nothing is known to be spent; the report says "cost unknown".
    return {"spent": effort.cost_usd or 0.0, "unknown_calls": effort.unpriced_trials}


def run_outcome(given: Case, expected: Case) -> Outcome:
    """Read one trial of a harness: what its agent, its verifier and its reward file say."""
    agent, verifier = given["agent"], given["verifier"]
    found = grade_reward(
        AgentEnd(agent["state"], agent["seconds"], agent["budget_seconds"]),
        VerifierEnd(verifier["state"], verifier["reward_file"]),
        given.get("exception"),
    )
    said = _STATUS.get(found.status, "infra_error")
    label = expected.get("label")
    return Outcome(
        said,
        accepted=said in expected["accept"]
        and found.score == expected["score"]
        and found.in_denominator is expected["in_denominator"]
        and label in (None, found.label),
        credited=bool(found.score),
        credit_allowed=bool(expected["score"]),
        shown=found._asdict(),
    )


_STATUS: dict[GradeStatus, Any] = {
    GradeStatus.GRADED: "scored",
    GradeStatus.SCORER_ERROR: "invalid_result",
    GradeStatus.MISSING_ARTIFACT: "infra_error",
}


ADAPTERS: dict[str, Adapter] = {
    "stats": adapted(stats),
    "report_counts": adapted(report_counts),
    "cost_total": adapted(cost_total),
    "run_outcome": run_outcome,
}
