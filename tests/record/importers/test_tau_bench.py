"""Runs of tau-bench: gold actions become a path, the reward is taken apart."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.record.importers.fuzzing import as_bytes, assert_survives, fuzzed, mangled, mutated
from trajaudit.audit.imports import import_logs
from trajaudit.audit.intake import ImportOptions
from trajaudit.audit.score import score_run
from trajaudit.record.importers import IMPORTERS, tau_bench
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise
from trajaudit.record.rundir import RunDir


def _call(name: str, call_id: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def _saw(call_id: str, name: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "name": name, "content": content}


def _run(trial: int, reward: float, *calls: dict[str, Any], told: str = "Done: 42.") -> Any:
    actions = [
        {"name": "get_booking", "kwargs": {"booking_id": "B1"}},
        {"name": "cancel_booking", "kwargs": {"booking_id": "B1"}},
        {"name": "respond", "kwargs": {"content": "42"}},
    ]
    wanted = {"user_id": "u", "actions": actions, "instruction": "Cancel B1.", "outputs": ["42"]}
    return {
        "task_id": 3,
        "trial": trial,
        "reward": reward,
        "info": {
            "task": wanted,
            "source": "user",
            "user_cost": 0.1,
            "reward_info": {
                "reward": reward,
                "info": {"r_outputs": 1.0, "outputs": {"42": True}},
                "actions": actions,
            },
        },
        "traj": [
            {"role": "system", "content": "# Hotel agent policy\n\nBe kind."},
            {"role": "user", "content": "Please cancel B1."},
            *calls,
            {"role": "assistant", "content": told},
            {"role": "user", "content": "###STOP###"},
        ],
    }


CANCEL = (_call("cancel_booking", "c1", booking_id="B1"), _saw("c1", "cancel_booking", "ok"))
WRONG = (_call("cancel_booking", "c1", booking_id="B2"), _saw("c1", "cancel_booking", "ok"))
FAILED = (_call("cancel_booking", "c1", booking_id="B1"), _saw("c1", "cancel_booking", "Error: no"))
RUNS = [_run(0, 1.0, *CANCEL), _run(1, 0.0, *WRONG), _run(2, 0.0, *FAILED)]


def _trials(tmp_path: Path, runs: Any) -> list[ForeignTrial]:
    path = tmp_path / "agent-x.json"
    path.write_bytes(as_bytes(runs))
    source = open_source(path, tmp_path)
    assert recognise(source, IMPORTERS) is tau_bench.IMPORTER
    return list(tau_bench.read(source, Losses()))


def _audit(tmp_path: Path, runs: Any) -> RunDir:
    path = tmp_path / "agent-x.json"
    path.write_bytes(as_bytes(runs))
    run = import_logs([path], ImportOptions(runs_dir=tmp_path / "runs")).run
    score_run(run)
    return run


def test_a_run_is_told_with_its_task_and_its_verdict(tmp_path: Path) -> None:
    first, second, _ = _trials(tmp_path, RUNS)

    assert first.task.id == "hotel.3"
    assert first.task.prompt == "Cancel B1."
    accept = first.task.accept
    assert accept is not None
    [path] = accept.paths
    assert [(call.tool, call.optional) for call in path.calls] == [
        ("get_booking", True),
        ("cancel_booking", False),
    ]
    assert accept.communicate == ("42",)
    assert (first.origin.raw, first.origin.checks) == (True, {"communicate": True, "db": True})
    assert (second.origin.raw, second.origin.checks) == (False, {"communicate": True, "db": False})
    assert {tool.name: tool.effect for tool in first.tools} == {
        "get_booking": "read",
        "cancel_booking": "write",
    }


def test_the_audit_agrees_where_the_log_is_right(tmp_path: Path) -> None:
    run = _audit(tmp_path, RUNS)

    assert [(one.raw, one.strict, one.lenient) for one in run.read_outcomes()] == [
        (True, True, True),
        (False, False, False),
        (False, False, False),
    ]


def test_a_failed_call_of_a_tool_is_an_error(tmp_path: Path) -> None:
    third = _trials(tmp_path, RUNS)[2]

    seen = [event for event in third.events if event.__class__.__name__ == "ObservationEvent"]
    assert [getattr(event, "is_error", None) for event in seen] == [True]


@pytest.mark.parametrize(
    ("change", "raw", "end"),
    [
        ({"reward_info": None}, False, "step_limit"),
        ({"error": "no key"}, None, "infra_error"),
    ],
)
def test_a_run_that_did_not_end_says_so(
    tmp_path: Path, change: dict[str, Any], raw: bool | None, end: str
) -> None:
    cut = copy.deepcopy(RUNS[1])
    cut["info"] |= change

    [trial] = _trials(tmp_path, [cut])

    assert trial.origin.raw is raw
    assert getattr(trial.events[-1], "reason", None) == end


def test_a_shaped_reward_passes_by_its_success(tmp_path: Path) -> None:
    shaped = copy.deepcopy(RUNS[0])
    shaped["reward"] = 0.8
    unknown = copy.deepcopy(shaped)
    shaped["info"]["reward_info"]["components"] = {"base_success": 1.0}

    trials = _trials(tmp_path, [shaped, unknown])

    assert [one.origin.raw for one in trials] == [True, None]
    assert [one.origin.raw_score for one in trials] == [0.8, 0.8]


@fuzzed
@given(mutated(RUNS))
def test_broken_runs_survive(broken: Any) -> None:
    assert_survives(tau_bench.IMPORTER, {"runs.json": as_bytes(broken)})


@fuzzed
@given(mangled(as_bytes(RUNS)))
def test_broken_bytes_survive(broken: bytes) -> None:
    assert_survives(tau_bench.IMPORTER, {"runs.json": broken})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"\ud800": None}, "\ud800"])
def test_a_reference_that_no_json_holds_is_scored_as_it_is_kept(value: Any) -> None:
    runs = json.loads(json.dumps(RUNS))
    for run in runs:
        for action in run["info"]["task"]["actions"]:
            action["kwargs"] = {"booking_id": value}

    assert_survives(tau_bench.IMPORTER, {"runs.json": as_bytes(runs)})
