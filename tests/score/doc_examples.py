"""Reads docs/scorers.md: its sections, tables and examples, so that tests can hold it to them.

An example is a fenced `yaml` block with a key `strict`: what differs from the page's shop (the
block with a key `world` and none `strict`), the steps of a trial, and what both modes say.
"""

import json
import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import JsonValue

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import (
    Message,
    Observation,
    Step,
    ToolCall,
    Trajectory,
    WorldChange,
)
from trajaudit.datamodel.verdict import Verdict
from trajaudit.mocks.world import diff
from trajaudit.score.driver import score_trial

Example = dict[str, Any]

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scorers.md"
_OF_SCENARIO = ("tools", "world", "answer_format", "faults", "tolerances")
_STEP_FIELDS = {
    *("say", "user", "thinks", "call", "calls", "saw", "error", "fault", "asked", "skipped"),
    *("world", "cut"),
}


def sections(text: str) -> dict[str, str]:
    """Return the body of each second-level heading."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def blocks(text: str) -> list[Example]:
    """Return the fenced YAML blocks."""
    found = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [yaml.safe_load(block) for block in found]


def table(text: str, head: str) -> list[list[str]]:
    """Return the rows of every table whose first column is called `head`."""
    rows: list[list[str]] = []
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells[0] == head:
            inside = True
        elif inside and not set(line) <= set("|- "):
            rows.append(cells)
    return rows


def unquoted(cell: str) -> str:
    """Return what a cell holds in backticks; ⏎ and ⇥ stand for a line feed and a tab."""
    found = re.fullmatch(r"(`+)(.*?)\1", cell)
    if found is None:
        raise ValueError(f"a cell holds {cell!r}; its value belongs in backticks")
    return found[2].strip().replace("⏎", "\n").replace("⇥", "\t")


def task_of(example: Example, shop: Example) -> tuple[Scenario, Task]:
    """Return the task of an example, and a scenario that holds only that."""
    fields = {name: example.get(name, shop.get(name)) for name in _OF_SCENARIO}
    task = {"id": "late-parcel", "prompt": "Please answer this.", **example.get("task", {})}
    given = {name: value for name, value in fields.items() if value is not None}
    scenario = Scenario.model_validate({"trajaudit": 1, "tasks": [task], **given})
    return scenario, scenario.tasks[0]


def trajectory_of(example: Example, shop: Example) -> Trajectory:
    """Return the trial that an example writes down."""
    start: JsonValue = example.get("world", shop.get("world"))
    world, changes, steps = start, [], []
    for number, entry in enumerate(_entries(example), start=1):
        steps.append(_step(number, entry))
        if "world" in entry:
            changes.append(WorldChange(step=number, patch=diff(world, entry["world"])))
            world = entry["world"]
    return Trajectory(
        task_id="late-parcel",
        steps=tuple(steps),
        final_reply=steps[-1].message.content if steps else None,
        final_step=len(steps) or None,
        finish_reason=steps[-1].finish_reason if steps else None,
        end_reason=example.get("end", "replied"),
        world_start=start,
        world_end=world,
        world_changes=tuple(changes),
        faults_hit=tuple(example.get("faults_hit", ())),
    )


def _entries(example: Example) -> list[Example]:
    """Return the steps; `reply`, and `cut` beside it, are one more: the last message."""
    if "reply" not in example:
        return list(example.get("steps", []))
    return [*example.get("steps", []), {"say": example["reply"], "cut": example.get("cut", False)}]


def _step(number: int, entry: Example) -> Step:
    if unknown := entry.keys() - _STEP_FIELDS:
        raise ValueError(f"a step has no {', '.join(sorted(unknown))}")
    written = entry.get("calls", [entry["call"]] if "call" in entry else [])
    calls = tuple(_call(f"{number}.{place}", one, entry) for place, one in enumerate(written))
    error = entry.get("error")
    seen = tuple(
        Observation(
            call_id=call.call_id,
            tool=call.tool,
            content=str(error if error is not None else entry.get("saw", "ok")),
            is_error=error is not None,
            fault=entry.get("fault"),
        )
        for call in calls
        if call.executed
    )
    told = [entry["user"]] if "user" in entry else []
    return Step(
        number=number,
        before=tuple(Message(role="user", content=text, source="user") for text in told),
        message=Message(
            role="assistant", content=entry.get("say", ""), reasoning=entry.get("thinks")
        ),
        tool_calls=calls,
        observations=seen,
        finish_reason="length" if entry.get("cut") else "stop",
    )


def _call(call_id: str, written: Example, entry: Example) -> ToolCall:
    [(tool, arguments)] = written.items()
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    is_raw = isinstance(arguments, str)
    return ToolCall(
        call_id=call_id,
        tool=tool,
        arguments_text=text,
        arguments=None if is_raw else arguments,
        parse_error="not parsed" if is_raw else None,
        executed=not entry.get("skipped", False),
        requested_text=entry.get("asked"),
        differs=("arguments",) if "asked" in entry else (),
    )


def said(scorer: str, example: Example, shop: Example) -> Example:
    """Return what the scorer and the taxonomy say, in the words of the page."""
    scenario, task = task_of(example, shop)
    scores = score_trial(scenario, task, trajectory_of(example, shop))
    verdicts = {one.mode: one for one in scores.verdicts if one.scorer == scorer}
    lenient = verdicts.get("lenient")
    return {
        "strict": in_words(verdicts.get("strict")),
        "lenient": in_words(lenient),
        "finding": {f"{one.kind.value} of the {one.fault.value}" for one in scores.findings},
        "detail": lenient.detail if lenient else {},
    }


def in_words(verdict: Verdict | None) -> str:
    """Say what a verdict decides: passes (by tolerances), fails, open (why), or nothing."""
    if verdict is None:
        return "says nothing"
    if verdict.passed is None:
        return f"open, {verdict.status.value}"
    if not verdict.passed:
        return "fails"
    return " by ".join(["passes", *([", ".join(verdict.tolerances)] if verdict.tolerances else [])])
