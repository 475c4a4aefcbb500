"""Failed runs of several agents: every entry is a step, code and its output a call."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.record.importers.fuzzing import as_bytes, assert_survives, fuzzed, mangled, mutated
from trajaudit.datamodel.event import MessageEvent, ObservationEvent, ToolCallEvent
from trajaudit.record.importers import IMPORTERS, who_and_when
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise

RUN: dict[str, Any] = {
    "is_correct": False,
    "question": "How many legs has a spider?",
    "question_ID": "q-1",
    "ground_truth": "8",
    "history": [
        {"role": "assistant", "name": "Planner", "content": "Count them."},
        {"role": "user", "name": "Coder", "content": "```python\nprint(6)\n```"},
        {"role": "user", "name": "Computer_terminal", "content": "exitcode: 1 (failed)\n6"},
        {"role": "user", "name": "Computer_terminal", "content": "There is no code."},
        {"role": "user", "name": "Coder", "content": "The answer is 6."},
    ],
    "mistake_agent": "Coder",
    "mistake_step": "1",
    "mistake_reason": "It printed\na constant.",
}


def _trial(tmp_path: Path, run: Any) -> ForeignTrial:
    (tmp_path / "1.json").write_bytes(as_bytes(run))
    source = open_source(tmp_path / "1.json", tmp_path)
    assert recognise(source, IMPORTERS) is who_and_when.IMPORTER
    [trial] = who_and_when.read(source, Losses())
    return trial


def test_code_and_its_output_are_a_call_and_the_rest_are_steps(tmp_path: Path) -> None:
    trial = _trial(tmp_path, RUN)

    said = [e.content.split(":")[0] for e in trial.events if isinstance(e, MessageEvent)]
    assert said == [RUN["question"], "Planner", "Coder", "There is no code.", "Coder"]
    assert [e.arguments for e in trial.events if isinstance(e, ToolCallEvent)] == [
        {"code": "print(6)\n"}
    ]
    assert [e.is_error for e in trial.events if isinstance(e, ObservationEvent)] == [True]


def test_what_people_found_is_kept_beside_the_verdict(tmp_path: Path) -> None:
    origin = _trial(tmp_path, RUN).origin

    assert (origin.raw, origin.raw_detail) == (
        False,
        "mistake of Coder at step 1: It printed a constant.",
    )


@pytest.mark.parametrize(
    ("truth", "key"), [("8", "number"), ("-1.5", "number"), ("eight", "text"), ("3.1.2", "text")]
)
def test_a_true_answer_is_a_number_or_a_text(tmp_path: Path, truth: str, key: str) -> None:
    target = _trial(tmp_path, {**RUN, "ground_truth": truth}).task.target

    assert target is not None
    assert target.key == key


def test_logs_made_by_hand_name_who_speaks_in_the_role(tmp_path: Path) -> None:
    history = [
        {"role": "human", "content": "How many legs has a spider?"},
        {"role": "Orchestrator (thought)", "content": "Let us count."},
        {"role": "Assistant", "content": "```python\nprint(6)\n```"},
        {"role": "Orchestrator (thought)", "content": "It must be run."},
        {"role": "Orchestrator (-> ComputerTerminal)", "content": "Run it."},
        {"role": "ComputerTerminal", "content": "exitcode: 0\n6"},
        {"role": "Orchestrator (final answer)", "content": "FINAL ANSWER: 6"},
    ]

    trial = _trial(tmp_path, {**RUN, "history": history})

    said = [e for e in trial.events if isinstance(e, MessageEvent)]
    assert [e.source for e in said[:3]] == ["task", "user", "agent"]
    assert [e.arguments for e in trial.events if isinstance(e, ToolCallEvent)] == [
        {"code": "print(6)\n"}
    ]
    assert [e.content for e in trial.events if isinstance(e, ObservationEvent)] == [
        "exitcode: 0\n6"
    ]


def test_code_that_another_agent_answers_is_no_call(tmp_path: Path) -> None:
    history = [RUN["history"][1], RUN["history"][0], RUN["history"][2]]

    trial = _trial(tmp_path, {**RUN, "history": history})

    assert not [e for e in trial.events if isinstance(e, ToolCallEvent)]


@fuzzed
@given(mutated(RUN))
def test_broken_runs_survive(broken: Any) -> None:
    assert_survives(who_and_when.IMPORTER, {"1.json": as_bytes(broken)})


@fuzzed
@given(mangled(as_bytes(RUN)))
def test_broken_bytes_survive(broken: bytes) -> None:
    assert_survives(who_and_when.IMPORTER, {"1.json": broken})
