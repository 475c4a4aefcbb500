"""Run exports of LangSmith."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.record.importers.fuzzing import as_lines, assert_survives, fuzzed, mutated
from tests.record.importers.test_langchain import FORMS
from trajaudit.datamodel.event import MessageEvent, ObservationEvent
from trajaudit.record.importers import IMPORTERS, langsmith
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise

MESSAGES: list[Any] = json.loads(json.dumps(FORMS["serialised"]))


def _run(name: str, kind: str, order: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": name,
        "trace_id": "t1",
        "run_type": kind,
        "name": name,
        "dotted_order": order,
        "parent_run_id": "root" if name != "root" else None,
        **fields,
    }


RUNS = [
    _run(
        "model",
        "llm",
        "20260101T000000Zroot.20260101T000001Zmodel",
        inputs={"messages": [MESSAGES[:-1]]},
        outputs={"generations": [[{"text": "It is 4.", "message": MESSAGES[-1]}]]},
        extra={"metadata": {"ls_model_name": "m1"}},
    ),
    _run(
        "root",
        "chain",
        "20260101T000000Zroot",
        inputs={"input": "2 + 2?"},
        outputs={"output": "It is 4."},
        feedback_stats={"correctness": {"n": 1, "avg": 0}},
        reference_outputs={"answer": "4"},
    ),
]
BARE = [
    _run("root", "chain", "a", inputs={"input": "2 + 2?"}, outputs={"output": "It is 4."}),
    _run("add", "tool", "a.b", inputs={"a": 2}, outputs={"output": "4"}),
    _run("sub", "tool", "a.c", inputs={"a": 2}, error="out of order"),
]


def _read(folder: Path, runs: list[dict[str, Any]], losses: Losses | None = None) -> ForeignTrial:
    path = folder / "runs.jsonl"
    path.write_bytes(as_lines(runs))
    source = open_source(path, folder)
    assert recognise(source, IMPORTERS) is langsmith.IMPORTER
    (trial,) = langsmith.read(source, losses or Losses())
    return trial


def test_a_trace_is_a_trial_with_the_fullest_history_once(tmp_path: Path) -> None:
    trial = _read(tmp_path, RUNS)

    told = [(e.role, e.content) for e in trial.events if isinstance(e, MessageEvent)]
    assert told == [
        ("system", "be kind"),
        ("user", "2 + 2?"),
        ("assistant", ""),
        ("assistant", "It is 4."),
    ]
    assert trial.origin.model_id == "m1"


def test_feedback_is_the_verdict_and_reference_outputs_are_the_target(tmp_path: Path) -> None:
    trial = _read(tmp_path, RUNS)

    assert (trial.origin.raw, trial.origin.raw_detail) == (False, "correctness 0.0")
    assert trial.task.target is not None
    assert trial.task.target.key == "number"


@pytest.mark.parametrize("stats", [{"quality": {"avg": 0.4}}, {"quality": {"n": 3}}, {}])
def test_feedback_that_says_neither_is_no_verdict(tmp_path: Path, stats: dict[str, Any]) -> None:
    runs = [{**RUNS[1], "feedback_stats": stats}]

    assert _read(tmp_path, runs).origin.raw is None


def test_a_trace_without_messages_is_told_by_its_tools(tmp_path: Path) -> None:
    trial = _read(tmp_path, BARE)

    replies = [event for event in trial.events if isinstance(event, ObservationEvent)]
    assert [(one.tool, one.content, one.is_error) for one in replies] == [
        ("add", "4", False),
        ("sub", "out of order", True),
    ]


def test_a_payload_in_an_object_store_is_a_loss(tmp_path: Path) -> None:
    losses = Losses()
    away = {**RUNS[1], "inputs": None, "inputs_s3_urls": {"ROOT": {}}}

    _read(tmp_path, [away], losses)

    assert ("truncated", "run.inputs") in {(one.kind, one.field) for one in losses.report()}


@fuzzed
@given(mutated(RUNS))
def test_broken_runs_survive(broken: Any) -> None:
    assert_survives(langsmith.IMPORTER, {"runs.jsonl": as_lines(broken)})
