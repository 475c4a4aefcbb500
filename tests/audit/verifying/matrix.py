"""Verifies all candidates of some shapes in one go, as the command does."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.audit.verifying.candidates import QUICK, Candidate, contents
from tests.audit.verifying.cheats import cheats
from tests.audit.verifying.forms import forms
from tests.audit.verifying.shape import Shape
from trajaudit.audit.verify import VerifyOptions, verify
from trajaudit.datamodel.patch import Verification

SHORT_S = 6.0
LONG_S = 60.0
Candidates = Mapping[str, Candidate]
Found = Mapping[str, Verification]
"""Candidate → what came of it."""


def candidates(shape: Shape) -> dict[str, Candidate]:
    """Return every candidate of a shape whose repository lies in `/repositories/<its name>`."""
    project = shape.project
    gold = project.patch(project.fix)
    return {
        **forms(gold, f"/repositories/{project.name}"),
        **contents(shape),
        **cheats(shape),
    }


def verified(folder: Path, image: str, shape: Shape, wanted: Candidates) -> Found:
    """Verify candidates two at a time; the name of a candidate is that of its model."""
    name, tasks = shape.project.name, []
    for ending, limit in (("", LONG_S), (QUICK, SHORT_S)):
        instance = shape.project.instance(image, limit)
        named = instance.model_copy(update={"instance_id": name + ending})
        tasks.append(named.model_dump_json())
    predictions = [
        {
            "instance_id": name + QUICK * one.quick,
            "model_name_or_path": title,
            "model_patch": one.patch,
        }
        for title, one in wanted.items()
    ]
    (folder / "tasks.jsonl").write_text("\n".join(tasks))
    (folder / "predictions.json").write_text(json.dumps(predictions))
    options = VerifyOptions(out=folder / "results.jsonl")
    done = verify(folder / "tasks.jsonl", folder / "predictions.json", options)
    return {one.model_name_or_path: one for one in done.verifications}
