"""Every field of every record is either allowed or hidden by name: a new one fails here."""

import typing
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import JsonValue

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.accept import AcceptedPath
from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.patch_trial import PatchSpec, TakenPatch
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import (
    Message,
    Observation,
    Step,
    ToolCall,
    Trajectory,
    WorldChange,
)
from trajaudit.review.blind import blinded
from trajaudit.review.shown import SHOWN, Hider

HIDDEN: dict[type[Record], set[str]] = {
    Task: {"id", "user", "world", "faults", "control", "limits", "golden"}
    | {"tags", "files", "metadata"},
    ToolSpec: {"aliases", "mock", "sandbox"},
    Trajectory: {"task_id", "trial", "agent", "model_id", "final_seq", "end_detail", "faults_hit"}
    | {"warnings"},
    Step: {"usage"},
    Message: {"seq", "rewrites"},
    ToolCall: {"seq"},
    Observation: {"fault", "duration_s", "seq"},
    WorldChange: {"seq"},
    AcceptedPath: {"provenance"},
    TakenPatch: {"artifact", "detail", "seq"},
    PatchSpec: {"repository", "gold", "tests", "command", "image", "timeout_s"},
}
"""What nobody sees, said once more here: all fields of other records are allowed."""


def parts(annotation: Any) -> Iterator[Any]:
    yield annotation
    for one in typing.get_args(annotation):
        yield from parts(one)


def records_in(kind: type[Record]) -> Iterator[type[Record]]:
    for name in SHOWN.get(kind, {}):
        for one in parts(kind.model_fields[name].annotation):
            if isinstance(one, type) and issubclass(one, Record):
                yield one


def reachable() -> set[type[Record]]:
    found: set[type[Record]] = set()
    left: list[type[Record]] = [Task, ToolSpec, Trajectory]
    while left:
        kind = left.pop()
        if kind not in found:
            found.add(kind)
            left += records_in(kind)
    return found


def test_every_record_that_can_be_shown_is_in_the_list_and_no_other() -> None:
    assert reachable() == set(SHOWN)


@pytest.mark.parametrize("kind", sorted(reachable(), key=str))
def test_every_field_is_allowed_or_hidden_by_name(kind: type[Record]) -> None:
    hidden = HIDDEN.get(kind, set())

    assert set(SHOWN[kind]) | hidden == set(kind.model_fields)
    assert not set(SHOWN[kind]) & hidden


def test_a_record_of_a_new_kind_is_refused() -> None:
    with pytest.raises(TypeError, match="Usage: no field of it is allowed"):
        Hider(()).record(Usage())


class Filler:
    """Builds records whose every text is a mark of its own that tells record and field."""

    def __init__(self) -> None:
        self.marks: dict[str, tuple[type[Record], str]] = {}

    def record(self, kind: type[Record]) -> Any:
        values = {
            name: self.value(field.annotation, kind, name)
            for name, field in kind.model_fields.items()
        }
        return kind.model_construct(set(values), **values)

    def value(self, annotation: Any, kind: type[Record], name: str) -> Any:
        found = next(self._values(annotation, kind, name), None)
        return self.mark(kind, name) if found is None else found

    def mark(self, kind: type[Record], name: str) -> str:
        mark = f"mark{len(self.marks)}x{kind.__name__}x{name}"
        self.marks[mark] = (kind, name)
        return mark

    def _values(self, annotation: Any, kind: type[Record], name: str) -> Iterator[Any]:
        args = typing.get_args(annotation)
        if isinstance(annotation, type) and issubclass(annotation, Record):
            yield self.record(annotation)
        elif annotation in (int, float, bool):
            yield annotation(3)
        elif annotation is not JsonValue and args:
            yield from self._parts(typing.get_origin(annotation), args, kind, name)

    def _parts(
        self, origin: Any, args: tuple[Any, ...], kind: type[Record], name: str
    ) -> Iterator[Any]:
        kept = [one for one in args if one not in (Ellipsis, type(None))]
        if origin is typing.Literal:
            yield args[-1]
        elif origin is tuple:
            yield tuple(self.value(one, kind, name) for one in kept)
        elif origin is dict:
            yield {self.mark(kind, name): self.value(args[1], kind, name)}
        else:
            # Of a union, or what is annotated, the first part.
            yield self.value(kept[0], kind, name)


def test_of_a_trial_with_all_fields_filled_only_what_is_allowed_reaches_a_reviewer() -> None:
    filler = Filler()
    task, trajectory, tool = (filler.record(kind) for kind in (Task, Trajectory, ToolSpec))
    task = task.model_copy(update={"tools": None})
    scenario = Scenario(trajaudit=1, tasks=()).model_copy(update={"tools": (tool,)})

    shown = blinded(Hider(()), task, scenario, trajectory).model_dump_json()

    allowed = {mark for mark, (kind, name) in filler.marks.items() if name in SHOWN.get(kind, {})}
    seen = {mark for mark in filler.marks if f'"{mark}"' in shown}
    # What only an end that was cut, or an id of a call, may tell has a form of its own.
    own_form = {
        mark
        for mark, (kind, name) in filler.marks.items()
        if name in {"finish_reason", "call_id"} or (kind, name) == (Task, "tools")
    }
    assert len(filler.marks) > 80
    assert seen <= allowed
    assert allowed - seen <= own_form
