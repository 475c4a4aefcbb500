"""Labelled trials on the disk: sets that are shipped, files of one's own, labels of a run."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.gold import GoldLabel, GoldStep, GoldTrial
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import (
    Message,
    Observation,
    Step,
    ToolCall,
    Trajectory,
    WorldChange,
)
from trajaudit.errors import ScenarioError
from trajaudit.record.fault import nearest
from trajaudit.record.meaning import meaning_of
from trajaudit.record.project import judge_folders
from trajaudit.record.yaml_source import MAX_BYTES, decode, read_limited

MOST_FAULTS = 20
R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class GoldSet:
    """Labelled trials of one rubric."""

    name: str
    trials: tuple[GoldTrial, ...]
    sha256: str


def load_gold(name: str | None, rubric: str, start: Path) -> GoldSet:
    """Return the labelled trials for a rubric.

    Args:
        name: a shipped set, or a path to a JSONL file; None: the set that bears the rubric's name.
        rubric: trials of others are left out.
        start: where names are looked up from.

    Raises:
        ScenarioError: no such set, a line is wrong, or none is for the rubric.
    """
    path = _find(name or rubric, start)
    content = read_limited(path, str(path), max_bytes=MAX_BYTES)
    every = _records(decode(content, str(path)), str(path), GoldTrial)
    faults = [f"{path}:{line}: {text}" for line, text in _strays(every)]
    if faults:
        raise ScenarioError(faults[:MOST_FAULTS])
    trials = tuple(one for _, one in every if one.rubric == rubric)
    if not trials:
        known = ", ".join(sorted({one.rubric for _, one in every})) or "nothing"
        raise ScenarioError([f"{path}:1: holds no trial for rubric {rubric!r}; got {known}"])
    return GoldSet(path.stem, trials, hashlib.sha256(content).hexdigest())


def load_labels(path: Path) -> tuple[list[GoldLabel], str]:
    """Return people's verdicts on the trials of a run, and the file's SHA-256.

    Raises:
        ScenarioError: a line is wrong, or two label the same trial.
    """
    content = read_limited(path, str(path), max_bytes=MAX_BYTES)
    labels = [one for _, one in _records(decode(content, str(path)), str(path), GoldLabel)]
    keys = [(one.task_id, one.trial) for one in labels]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise ScenarioError(
            [f"{path}:1: labelled twice; got {task_id!r}/{trial}" for task_id, trial in twice]
        )
    return labels, hashlib.sha256(content).hexdigest()


def gold_names(start: Path) -> list[str]:
    """Return the names of all sets that can be used."""
    folders = [folder / "gold" for folder in judge_folders(start)]
    return sorted({file.stem for folder in folders for file in folder.glob("*.jsonl")})


def _find(name: str, start: Path) -> Path:
    given = Path(name)
    if given.suffix == ".jsonl" and given.is_file():
        return given
    plain = name.removeprefix("gold/").removesuffix(".jsonl")
    for folder in judge_folders(start):
        path = folder / "gold" / f"{plain}.jsonl"
        if "/" not in plain and path.is_file():
            return path
    known = gold_names(start)
    raise ScenarioError([f"there is no labelled set {name!r}; {nearest(plain, known)}"])


def _records(text: str, shown: str, model: type[R]) -> list[tuple[int, R]]:
    found: list[tuple[int, R]] = []
    faults: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append((number, model.model_validate(_plain(json.loads(line)))))
        except (ValueError, RecursionError) as error:
            faults += [f"{shown}:{number}: {text}" for text in _said(error)]
    if faults:
        raise ScenarioError(faults[:MOST_FAULTS])
    return found


def _plain(fields: Any) -> Any:
    """Return the fields with the label as it is meant, where it stands in other words."""
    if isinstance(fields, dict) and "label" in fields:
        return {**fields, "label": meaning_of(fields["label"]) or fields["label"]}
    return fields


def _said(error: Exception) -> list[str]:
    if not isinstance(error, ValidationError):
        return [f"no JSON object; {error}"]
    return [
        f"{'.'.join(map(str, one['loc'])) or 'line'}: {one['msg']}; got {_short(one['input'])}"
        for one in error.errors(include_url=False)
    ]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _strays(trials: list[tuple[int, GoldTrial]]) -> Iterator[tuple[int, str]]:
    """Yield ids that stand twice and twins of nobody, each with its line."""
    ids = [one.id for _, one in trials]
    for at, (line, one) in enumerate(trials):
        if one.id in ids[:at]:
            yield line, f"id: stands twice; got {one.id!r}"
        if one.of is not None and one.of not in ids:
            yield line, f"of: there is no such trial; got {one.of!r}; {nearest(one.of, ids)}"


def trial_of(gold: GoldTrial) -> tuple[Task, Trajectory]:
    """Return a labelled trial as judges' views are made of it."""
    task = Task(id=gold.id, prompt=gold.task, target=gold.reference)
    steps: list[Step] = []
    before: list[Message] = []
    if gold.rules:
        before.append(Message(role="system", content=gold.rules, source="task"))
    for one in gold.steps:
        if one.user is not None:
            before.append(Message(role="user", content=one.user, source="user"))
            continue
        steps.append(_step(len(steps) + 1, one, before))
        before = []
    if gold.answer is not None:
        said = Message(role="assistant", content=gold.answer)
        steps.append(Step(number=len(steps) + 1, before=tuple(before), message=said))
    return task, Trajectory(
        task_id=gold.id,
        steps=tuple(steps),
        final_reply=gold.answer,
        final_step=len(steps) or None,
        world_changes=tuple(_changes(gold)),
    )


def _step(number: int, one: GoldStep, before: list[Message]) -> Step:
    said = Message(role="assistant", content=one.say)
    if not one.call:
        return Step(number=number, before=tuple(before), message=said)
    ((tool, arguments),) = one.call.items()
    call_id = f"call_{number}"
    call = ToolCall(
        call_id=call_id, tool=tool, arguments_text=_json(arguments), arguments=arguments
    )
    gave = one.gave if isinstance(one.gave, str) else _json(one.gave)
    seen = Observation(call_id=call_id, tool=tool, content=gave, is_error=one.error)
    return Step(
        number=number,
        before=tuple(before),
        message=said,
        tool_calls=(call,),
        observations=(seen,),
    )


def _changes(gold: GoldTrial) -> Iterator[WorldChange]:
    steps = [one for one in gold.steps if one.user is None]
    for number, one in enumerate(steps, 1):
        if one.changed:
            yield WorldChange(step=number, patch=one.changed)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
