"""A trial as an importer tells it."""

from typing import Any

from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.losses import Losses
from trajaudit.record.intake import IntakeWriter

TOOL = ToolSpec(name="look", parameters={"type": "object"})


def foreign(task_id: str = "a", prompt: str = "2 + 2?", **fields: Any) -> ForeignTrial:
    """One call with its reply, and an answer."""
    builder = TrialBuilder(Losses())
    builder.prompt("user", prompt, first=True)
    builder.assistant("", calls=[builder.request("look", '{"a":1}', "c1")])
    builder.answer("c1", "4")
    builder.assistant("It is 4.")
    return ForeignTrial(
        task=Task.model_validate({"id": task_id, "prompt": prompt, "target": 4}),
        events=builder.end("replied"),
        origin=Origin(source="log.jsonl:1", format="made", raw=True, agent="coder"),
        **fields,
    )


def added(writer: IntakeWriter, trial: ForeignTrial) -> TrialRecord:
    """Write one trial as an import does, in one process."""
    place = writer.number(writer.trial_writer.claim(trial))
    written = writer.trial_writer.write(trial, place)
    writer.keep(written.task_line, written.toolset_line)
    return written.record
