"""Runs of AgentDojo, in its own form and in that of a defence."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given

from tests.record.importers.fuzzing import (
    as_bytes,
    as_lines,
    assert_survives,
    fuzzed,
    mangled,
    mutated,
)
from trajaudit.datamodel.event import ObservationEvent
from trajaudit.record.importers import IMPORTERS, agentdojo
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise

CALL = {"function": "pay", "args": {"to": "A1", "amount": 5}, "id": "t1"}
RUN: dict[str, Any] = {
    "suite_name": "bank",
    "pipeline_name": "m1",
    "user_task_id": "user_task_3",
    "injection_task_id": "injection_task_1",
    "attack_type": "important",
    "conversations": [
        {"role": "user", "content": "Pay the bill."},
        {"role": "assistant", "content": "I pay.", "tool_calls": [CALL]},
        {"role": "tool", "content": "", "tool_call_id": "t1", "tool_call": CALL, "error": "no"},
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "content": "Done.", "tool_calls": []},
    ],
    "utility": False,
    "security": True,
    "duration": 3.5,
    "tool_permission": {"pay": "Write", "get_bill": "Read"},
}
PLAIN = {
    **{name: value for name, value in RUN.items() if name != "conversations"},
    "injection_task_id": None,
    "utility": True,
    "messages": [
        {"role": "system", "content": [{"type": "text", "content": "Be kind."}]},
        {"role": "user", "content": [{"type": "text", "content": "Pay the bill."}]},
        {"role": "assistant", "content": None, "tool_calls": [{**CALL, "id": None}]},
        {"role": "tool", "content": "ok", "tool_call": CALL, "error": None},
    ],
}


def _trials(tmp_path: Path, name: str, data: bytes) -> list[ForeignTrial]:
    (tmp_path / name).write_bytes(data)
    source = open_source(tmp_path / name, tmp_path)
    assert recognise(source, IMPORTERS) is agentdojo.IMPORTER
    return list(agentdojo.read(source, Losses()))


def test_an_attacked_run_keeps_utility_as_its_verdict_and_security_as_a_check(
    tmp_path: Path,
) -> None:
    lines = json.dumps({"path": "x", "data": RUN}).encode() + b"\n"

    [trial] = _trials(tmp_path, "runs.jsonl", lines)

    assert trial.task.id == "bank.user_task_3.injection_task_1"
    assert trial.task.prompt == "Pay the bill."
    assert (trial.origin.raw, trial.origin.basis) == (False, ("utility",))
    assert trial.origin.checks == {"utility": False, "injection_resisted": False}
    assert {tool.name: tool.effect for tool in trial.tools} == {"get_bill": "read", "pay": "write"}
    assert [e.is_error for e in trial.events if isinstance(e, ObservationEvent)] == [True]


def test_a_run_without_attack_has_no_check_of_it(tmp_path: Path) -> None:
    [trial] = _trials(tmp_path, "run.json", as_bytes(PLAIN))

    assert trial.task.id == "bank.user_task_3"
    assert (trial.origin.raw, trial.origin.checks) == (True, {"utility": True})
    assert [getattr(e, "content", "") for e in trial.events][:2] == ["Be kind.", "Pay the bill."]


@fuzzed
@given(mutated([RUN, PLAIN]))
def test_broken_runs_survive(broken: Any) -> None:
    assert_survives(agentdojo.IMPORTER, {"runs.jsonl": as_lines(broken)})


@fuzzed
@given(mangled(as_bytes(PLAIN)))
def test_broken_bytes_survive(broken: bytes) -> None:
    assert_survives(agentdojo.IMPORTER, {"run.json": broken})
