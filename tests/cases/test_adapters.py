"""Each adapter accepts what is right, and denies what is not."""

from typing import Any

import pytest

from tests.cases.__main__ import run

HARNESS = {
    "agent": {"state": "completed", "seconds": 4, "budget_seconds": 30},
    "verifier": {"state": "completed", "reward_file": "1"},
    "exception": None,
}
SCORED = {"status": "scored", "accept": ["scored"], "score": 1.0, "in_denominator": True}
FAILED = {
    "status": "infra_error",
    "accept": ["infra_error"],
    "score": None,
    "in_denominator": False,
}
DONE = {"sample": "b", "epoch": 1, "status": "done", "config": "h"}
ASKED = {"model": "m", "messages": [{"role": "user", "content": "q"}], "epoch": 1}

CASES: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("stats", {"fn": "pass_at_k", "n": 4, "c": 2, "k": 2}, {"value": 5 / 6}, {"value": 0.5}),
    ("stats", {"fn": "pass_at_k", "n": 1, "c": 1, "k": 2}, {"value": None}, {"value": 1.0}),
    ("run_outcome", HARNESS, SCORED, FAILED),
    (
        "report_counts",
        {"submitted": ["a", "b"], "graded": {"a": "resolved"}, "errors": {}},
        {"resolved": 1, "missing": ["b"], "total": 2},
        {"resolved": 1, "missing": [], "total": 1},
    ),
    (
        "cost_total",
        {"calls": [{"cost": 1, "cached": True}, {"cost": None}]},
        {"spent": 0.0, "unknown_calls": 1},
        {"spent": 1.0, "unknown_calls": 0},
    ),
    (
        "resume_plan",
        {"samples": ["a", "b"], "epochs": 1, "config": "h", "records": [DONE]},
        {"run": [["a", 1]], "keep": [["b", 1]]},
        {"run": [], "keep": [["a", 1], ["b", 1]]},
    ),
    (
        "read_jsonl",
        {"text": '{"id":"a"}\n{"id":'},
        {"ids": ["a"], "bad_lines": [2]},
        {"ids": ["a"], "bad_lines": []},
    ),
    ("decode_output", {"chunks_hex": ["c3", "a9"]}, {"text": "é"}, {"text": "e"}),
    ("cache_key", {"a": ASKED, "b": {**ASKED, "epoch": 2}}, {"same": False}, {"same": True}),
    ("cache_write", {"result": {"error": "429"}}, {"store": False}, {"store": True}),
    (
        "container_names",
        {"runs": [{"run": "r", "sample": s, "epoch": 1} for s in ("a/b", "a_b")]},
        {"distinct": True, "pattern": "^[a-z0-9-]+$"},
        {"distinct": False, "pattern": "^[a-z0-9-]+$"},
    ),
    (
        "log_names",
        {"starts": [{"task": "t", "time": "2026-01-01T00:00:00Z"}] * 2},
        {"distinct": True},
        {"distinct": False},
    ),
    (
        "redact",
        {"secret_env": {"A_KEY": "abcdefgh-1"}, "text": "x abcdefgh-1"},
        {"must_not_contain": ["abcdefgh-1"], "must_contain": ["x "]},
        {"must_not_contain": ["x "], "must_contain": ["abcdefgh-1"]},
    ),
    (
        "run_policy",
        {
            "tasks": [{"id": "a", "start": "broken"}, {"id": "b", "start": "ok"}],
            "fail_on_error": True,
        },
        {"a": "infra_error", "b": "not_started"},
        {"a": "infra_error", "b": "runs"},
    ),
    (
        "sandbox_pool",
        {"samples": 3, "max_networks": 1, "needs_network": False},
        {"max_parallel_networks": 0, "all_samples_run": True},
        {"max_parallel_networks": 1, "all_samples_run": True},
    ),
    (
        "isolated_state",
        {"initial": {"n": 1}, "samples": [[{"op": "dec", "key": "n"}], []]},
        {"final": [{"n": 0}, {"n": 1}], "initial_after": {"n": 1}},
        {"final": [{"n": 0}, {"n": 0}], "initial_after": {"n": 0}},
    ),
    (
        "reward_basis",
        {"basis": ["db"], "checks": {"db": True}, "required_actions": ["x"], "actual_tools": []},
        {"reward": 1.0, "shown_failed_checks": ["action"]},
        {"reward": 1.0, "shown_failed_checks": []},
    ),
]


@pytest.mark.parametrize(("op", "given", "right", "wrong"), CASES)
def test_what_is_right_is_accepted_and_what_is_wrong_is_not(
    op: str, given: dict[str, Any], right: dict[str, Any], wrong: dict[str, Any]
) -> None:
    said = [run({"op": op, "input": given, "expected": expected})[1] for expected in (right, wrong)]

    assert [one is not None and one.accepted for one in said] == [True, False], said


def test_a_forbidden_value_is_false_credit() -> None:
    given = {"fn": "pass_at_k", "n": 2, "c": 2, "k": 2}
    expected = {"value": None, "accept": [None], "must_not": [1.0]}

    _, outcome = run({"op": "stats", "input": given, "expected": expected})

    assert outcome is not None
    assert outcome.false_credit
