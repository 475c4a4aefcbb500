"""The reference of the scenario format lists every field, and none that is not there."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from trajaudit.datamodel.scenario import Scenario
from trajaudit.datamodel.target import TARGETS
from trajaudit.record.scenarios import load_scenario
from trajaudit.record.typed_fields import options_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scenario.md"
NEVER_WRITTEN = {"golden_world"}


def _records(model: type[BaseModel], found: dict[str, type[BaseModel]]) -> None:
    if model.__name__ in found:
        return
    found[model.__name__] = model
    for field in model.model_fields.values():
        for option in _members(field.annotation):
            if isinstance(option, type) and issubclass(option, BaseModel):
                _records(option, found)


def _members(annotation: object) -> list[object]:
    inner = [member for option in options_of(annotation) for member in _arguments(option)]
    return [*options_of(annotation), *inner]


def _arguments(option: object) -> list[object]:
    arguments = getattr(option, "__args__", ())
    return [member for argument in arguments for member in options_of(argument)]


def _sections() -> dict[str, str]:
    parts = re.split(r"^##+ (.+)$", PAGE.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _fields(model: type[BaseModel]) -> set[str]:
    names = {field.alias or name for name, field in model.model_fields.items()}
    return names - NEVER_WRITTEN


RECORDS: dict[str, type[BaseModel]] = {}
_records(Scenario, RECORDS)
OTHERS = sorted(RECORDS.keys() - {target.__name__ for target in TARGETS})


@pytest.mark.parametrize("name", OTHERS)
def test_a_record_is_listed_with_exactly_its_fields(name: str) -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", _sections()[name], flags=re.MULTILINE))

    assert listed == _fields(RECORDS[name])


def test_the_records_are_all_found() -> None:
    assert {"Task", "Matcher", "TableRow", "AgentAction", "ReplayAgent"} <= set(OTHERS)


def test_every_field_of_a_target_is_named() -> None:
    section = _sections()["Target"]
    fields = {field for target in TARGETS for field in _fields(target)}

    assert {field for field in fields if f"`{field}`" not in section} == set()


def test_the_example_loads(tmp_path: Path) -> None:
    example = re.search(r"```yaml\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    assert example is not None
    path = tmp_path / "example.yaml"
    path.write_text(example[1])

    assert [task.id for task in load_scenario(path).scenario.tasks] == ["france"]
