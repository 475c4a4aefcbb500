"""Results of tau2-bench: bases of the reward, checks, ends, and references that were corrected."""

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.record.importers.fuzzing import as_bytes, assert_survives, fuzzed, mangled, mutated
from trajaudit.audit.imports import import_logs
from trajaudit.audit.intake import ImportOptions
from trajaudit.audit.score import score_run
from trajaudit.record.importers import IMPORTERS, tau2_bench
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise

GOLD = {"action_id": "0", "requestor": "assistant", "name": "cancel_room"}


def _task(*basis: str, **criteria: Any) -> dict[str, Any]:
    return {
        "id": "7",
        "user_scenario": {"instructions": {"reason_for_call": "Cancel room R1 for me."}},
        "evaluation_criteria": {
            "actions": [{**GOLD, "arguments": {"room_id": "R1"}}],
            "communicate_info": ["42"],
            "reward_basis": list(basis),
            **criteria,
        },
    }


def _simulation(name: str, reward: float, room: str = "R1", **fields: Any) -> dict[str, Any]:
    call = {"id": "c1", "name": "cancel_room", "arguments": {"room_id": room}}
    raw = {
        "function": {"name": "cancel_room", "arguments": f'{{"room_id":  "{room}"}}'},
        "id": "c1",
    }
    return {
        "id": name,
        "task_id": "7",
        "start_time": "2026-01-01T10:00:00",
        "end_time": "2026-01-01T10:00:09",
        "termination_reason": "user_stop",
        "reward_info": {
            "reward": reward,
            "db_check": {"db_match": reward == 1, "db_reward": reward},
            "communicate_checks": [{"info": "42", "met": True}],
            "nl_assertions": [{"nl_assertion": "kind", "met": False}],
            "reward_basis": ["DB", "COMMUNICATE"],
            "reward_breakdown": {"DB": reward},
        },
        "messages": [
            {"role": "assistant", "content": "Hello!"},
            {"role": "user", "content": "Cancel R1.", "timestamp": "2026-01-01T10:00:02"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call],
                "usage": {"prompt_tokens": 9, "completion_tokens": 2},
                "cost": 0.5,
                "raw_data": {"finish_reason": "tool_calls", "message": {"tool_calls": [raw]}},
            },
            {"role": "tool", "id": "c1", "content": "ok", "error": False},
            {"role": "user", "tool_calls": [{"id": "u1", "name": "ring", "arguments": {}}]},
            {"role": "tool", "id": "u1", "requestor": "user", "content": "rings"},
            {"role": "assistant", "content": "Cancelled, 42 back."},
        ],
        **fields,
    }


def _log(tasks: list[Any], simulations: list[Any], model: str = "m1") -> dict[str, Any]:
    return {
        "timestamp": "2026-01-01T10:00:00",
        "info": {
            "agent_info": {"implementation": "llm_agent", "llm": model},
            "user_info": {"llm": "u"},
            "environment_info": {"domain_name": "hotel"},
        },
        "tasks": tasks,
        "simulations": simulations,
    }


TASK = _task("DB", "COMMUNICATE")
LOG = _log([TASK], [_simulation("s1", 1.0), _simulation("s2", 0.0, "R2")])


def _trials(tmp_path: Path, log: Any) -> list[ForeignTrial]:
    path = tmp_path / "results.json"
    path.write_bytes(as_bytes(log))
    source = open_source(path, tmp_path)
    assert recognise(source, IMPORTERS) is tau2_bench.IMPORTER
    return list(tau2_bench.read(source, Losses()))


def test_a_simulation_is_told_with_its_checks_and_their_basis(tmp_path: Path) -> None:
    first, second = _trials(tmp_path, LOG)

    assert first.task.id == "hotel.7"
    assert first.origin.raw is True
    assert second.origin.raw is False
    assert first.origin.checks == {"db": True, "communicate": True, "nl_assertions": False}
    assert first.origin.basis == ("db", "communicate")
    assert (first.origin.agent, first.origin.model_id) == ("llm_agent", "m1")
    assert (first.started, first.duration_s) == ("2026-01-01T10:00:00", 9.0)


def test_the_text_that_the_model_wrote_is_kept(tmp_path: Path) -> None:
    [first, _] = _trials(tmp_path, LOG)

    texts = [text for e in first.events if (text := getattr(e, "arguments_text", None))]
    assert texts == ['{"room_id":  "R1"}']


@pytest.mark.parametrize(
    ("task", "paths", "told", "extra"),
    [
        (_task("DB", "COMMUNICATE"), 1, ("42",), "read_only"),
        (_task("DB"), 1, (), "read_only"),
        (_task("ACTION"), 1, (), "any"),
        (_task("ENV_ASSERTION", "COMMUNICATE"), 0, ("42",), "read_only"),
        (_task("ENV_ASSERTION", "ACTION"), None, (), None),
        (_task("ENV_ASSERTION"), None, (), None),
        (_task("DB", actions=[{**GOLD, "requestor": "user"}]), None, (), None),
    ],
)
def test_what_the_reward_is_based_on_is_what_is_accepted(
    tmp_path: Path, task: Any, paths: int | None, told: tuple[str, ...], extra: str | None
) -> None:
    [trial] = _trials(tmp_path, _log([task], [_simulation("s", 1.0)]))

    accept = trial.task.accept
    assert (accept is None) is (paths is None)
    if accept is not None:
        assert (len(accept.paths), accept.communicate, accept.extra_calls) == (paths, told, extra)


@pytest.mark.parametrize(
    ("reason", "end", "raw"),
    [
        ("user_stop", "replied", False),
        ("max_steps", "step_limit", False),
        ("too_many_errors", "agent_error", False),
        ("infrastructure_error", "infra_error", None),
    ],
)
def test_a_reason_to_end_is_kept(tmp_path: Path, reason: str, end: str, raw: bool | None) -> None:
    cut = _simulation("s", 0.0, termination_reason=reason)

    [trial] = _trials(tmp_path, _log([TASK], [cut]))

    assert (getattr(trial.events[-1], "reason", None), trial.origin.raw) == (end, raw)


def test_a_later_log_with_a_corrected_reference_puts_the_earlier_verdict_in_doubt(
    tmp_path: Path,
) -> None:
    corrected = _task("DB", "COMMUNICATE", actions=[{**GOLD, "arguments": {"room_id": "R2"}}])
    later = _simulation("s3", 1.0, "R2", start_time="2026-06-01T10:00:00")
    read = {"id": "c0", "name": "get_room", "arguments": {"room_id": "R1"}}
    old = copy.deepcopy(LOG)
    for one in old["simulations"]:
        one["messages"][2:2] = [
            {"role": "assistant", "content": None, "tool_calls": [read]},
            {"role": "tool", "id": "c0", "content": "{}"},
        ]
    (tmp_path / "old.json").write_bytes(as_bytes(old))
    (tmp_path / "new.json").write_bytes(as_bytes(_log([corrected], [later], "m2")))

    run = import_logs(
        [tmp_path / "old.json", tmp_path / "new.json"], ImportOptions(runs_dir=tmp_path / "runs")
    ).run
    score_run(run)

    doubted = {
        (one.task_id, one.trial): one.reason.rsplit(" ", 1)[1]
        for one in run.read_findings()
        if one.kind.value == "reference_suspect"
    }
    assert doubted == {("hotel.7", 1): "fails", ("hotel.7", 2): "passes"}


@fuzzed
@given(mutated(LOG))
def test_broken_results_survive(broken: Any) -> None:
    assert_survives(tau2_bench.IMPORTER, {"results.json": as_bytes(broken)})


@fuzzed
@given(mangled(as_bytes(LOG)))
def test_broken_bytes_survive(broken: bytes) -> None:
    assert_survives(tau2_bench.IMPORTER, {"results.json": broken})
