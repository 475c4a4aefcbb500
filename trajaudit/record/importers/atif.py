"""ATIF trajectories (1.0 to 1.7), alone and in the trees that Harbor writes.

| here | there |
|---|---|
| step | a step of source agent |
| call, arguments | `tool_calls`; their raw text is lost |
| reply of a tool | `observation.results` of the same step, joined by `source_call_id` |
| steps of subagents | between the call that started them and its reply |
| shortened context | `extra.context_management`; continuation files make one trial |
| verdict | `verifier_result` or the reward file of a trial of Harbor |
| end | `exception_info` of such a trial |

A trial with an exception or without a reward was not graded: it has no verdict.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.atif_steps import StepReader
from trajaudit.record.importers.base import (
    ForeignTrial,
    Importer,
    PartOfAnotherError,
    Source,
    Totals,
    mapped,
)
from trajaudit.record.importers.beside import inside, json_beside
from trajaudit.record.importers.harbor import looks_like_job, looks_like_trial, trial_of, trials_in
from trajaudit.record.importers.json_source import document, is_json_file
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_count, as_dict, as_number, as_text, make_task
from trajaudit.record.importers.shapes import task_id as usable_id

NAME = "atif"
_VERSION = re.compile(rb'"schema_version"\s*:\s*"ATIF-v?1')
_CONTINUED = re.compile(r"(.+?)[.-]cont-(\d{1,4})(\.json)")
_MOST_PARTS = 1000
_KNOWN = frozenset(
    {"schema_version", "session_id", "trajectory_id", "agent", "steps", "final_metrics"}
    | {"continued_trajectory_ref", "subagent_trajectories"}
)


def sniff(source: Source) -> bool:
    """The version in a JSON file's head, or the tree of a Harbor job or trial."""
    if source.is_folder:
        return looks_like_trial(source.entries) or looks_like_job(source.path, source.entries)
    return is_json_file(source.path) and _VERSION.search(source.head) is not None


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a trajectory.

    Raises:
        PartOfAnotherError: the file continues one that lies beside it.
    """
    if source.is_folder:
        folders = trials_in(source)
        yield from mapped(folders, lambda one: _harbor(one, losses), losses, "trial")
        return
    continued = _CONTINUED.fullmatch(source.path.name)
    if continued is not None and inside(source.path.parent, continued[1] + continued[3]):
        raise PartOfAnotherError(f"{source.name}: continues {continued[1]}{continued[3]}")

    def make(found: Any) -> ForeignTrial | None:
        return _alone(as_dict(found), source, losses)

    yield from mapped(iter([(source.name, document(source))]), make, losses, "trajectory")


def _alone(found: dict[str, Any], source: Source, losses: Losses) -> ForeignTrial | None:
    reader = StepReader(losses, None)
    _read_whole(reader, found, source.path.parent, source.path.name, losses)
    if not reader.steps:
        losses.malformed("trajectory", "no step of an agent")
        return None
    losses.guessed("end", "the format does not tell how a trial ended; taken for a reply")
    name = as_text(found.get("trajectory_id") or found.get("session_id")) or source.path.stem
    return ForeignTrial(
        task=make_task(usable_id(name), reader.prompt, losses),
        events=reader.builder.end("replied"),
        origin=Origin(source=source.name, format=NAME, source_id=name, **reader.who),
        tools=reader.tools,
        started=reader.started,
        duration_s=reader.clock.seconds,
        totals=_totals(found, reader),
    )


def _harbor(folder: Path, losses: Losses) -> ForeignTrial | None:
    trial = trial_of(folder, losses)
    reader = StepReader(losses, folder / "agent")
    logs = []
    for part in trial.parts or (folder,):
        found = as_dict(json_beside(part, losses, "agent", "trajectory.json"))
        if not found:
            losses.truncated("agent/trajectory.json", f"{part.name} has none: no step is known")
        reader.beside = part / "agent"
        _read_whole(reader, found, part / "agent", "trajectory.json", losses)
        logs.append(found)
    return ForeignTrial(
        task=make_task(
            usable_id(trial.task),
            reader.prompt,
            losses,
            metadata={"task_name": trial.task},
        ),
        events=reader.builder.end(trial.reason, trial.detail),
        origin=Origin(
            source=losses.where,
            format=NAME,
            source_id=trial.name,
            agent=reader.who.get("agent") or trial.agent,
            model_id=reader.who.get("model_id") or trial.model,
            raw=trial.raw,
            raw_score=trial.score,
            raw_detail=trial.told,
            checks=trial.checks,
        ),
        tools=reader.tools,
        started=reader.started or trial.started,
        duration_s=trial.duration_s or reader.clock.seconds,
        totals=_totals(logs[0], reader) if len(logs) == 1 else None,
    )


def _read_whole(
    reader: StepReader, found: dict[str, Any], folder: Path, name: str, losses: Losses
) -> None:
    """Read a trajectory with the files that continue it."""
    before = reader.parts
    losses.unknown("", found, _KNOWN)
    reader.read(found, copied=True)
    stem = name.removesuffix(".json")
    for part in range(1, _MOST_PARTS):
        more = next(
            (
                one
                for mark in (".", "-")
                if (one := json_beside(folder, losses, f"{stem}{mark}cont-{part}.json"))
            ),
            None,
        )
        if not isinstance(more, dict):
            break
        losses.unknown("", more, _KNOWN)
        reader.read(more, copied=False)
    if as_text(found.get("continued_trajectory_ref")) and reader.parts == before + 1:
        losses.truncated("continued_trajectory_ref", found["continued_trajectory_ref"])
        reader.builder.warning("output_cut", "the log goes on in a file that is not there")


def _totals(found: dict[str, Any], reader: StepReader) -> Totals | None:
    """Take the sums of the whole only where its steps tell none."""
    sums = as_dict(found.get("final_metrics"))
    if not sums or reader.metered or reader.parts > 1:
        return None
    return Totals(
        model_calls=reader.steps,
        prompt_tokens=as_count(sums.get("total_prompt_tokens")),
        completion_tokens=as_count(sums.get("total_completion_tokens")),
        cost_usd=as_number(sums.get("total_cost_usd")),
    )


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="ATIF 1.0 to 1.7, alone and in job and trial folders of Harbor",
)
