"""ReAct transcripts as text."""

from pathlib import Path

from trajaudit.datamodel.event import ObservationEvent, Submit, ToolCallEvent
from trajaudit.record.importers import IMPORTERS, react_text
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise

TEXT = """
BEGIN TRIAL 1
------- BEGIN CORRECT AGENTS -------

Question: Which river runs through Bonn?
Thought 1: I have to look the town up.
Action 1: Search[Bonn]
Observation 1: Bonn is a town
on the Rhine.
Thought 2: So it is the Rhine.
Action 2: Finish[Rhine]
Observation 2: Answer is CORRECT
Correct answer: Rhine

------- BEGIN HALTED AGENTS -------

Question: Who wrote Emma?
Thought 1: I search.
Action 1: Search Emma
Observation 1: Invalid Action.

Correct answer: Jane Austen
"""


def _read(folder: Path, losses: Losses) -> list[ForeignTrial]:
    path = folder / "runs.txt"
    path.write_text(TEXT)
    source = open_source(path, folder)
    assert recognise(source, IMPORTERS) is react_text.IMPORTER
    return list(react_text.read(source, losses))


def test_a_transcript_is_a_trial_with_its_calls_answer_and_verdict(tmp_path: Path) -> None:
    trial, _ = _read(tmp_path, Losses())

    calls = [event for event in trial.events if isinstance(event, ToolCallEvent)]
    assert [(call.tool, call.arguments) for call in calls] == [("Search", {"text": "Bonn"})]
    replies = [event.content for event in trial.events if isinstance(event, ObservationEvent)]
    assert replies == ["Bonn is a town\non the Rhine."]
    assert [event.content for event in trial.events if isinstance(event, Submit)] == ["Rhine"]
    assert trial.origin.raw is True
    assert trial.task.target is not None
    assert trial.task.target.model_dump()["text"] == "Rhine"


def test_a_halted_transcript_has_no_verdict_and_an_unreadable_action_is_counted(
    tmp_path: Path,
) -> None:
    losses = Losses()

    _, trial = _read(tmp_path, losses)

    assert trial.origin.raw is None
    assert trial.events[-1].model_dump()["reason"] == "step_limit"
    assert "action" in {loss.field for loss in losses.report() if loss.kind == "malformed"}
