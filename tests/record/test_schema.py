"""The schema for editors accepts what loads, and rejects typing errors."""

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from trajaudit.record.schema import scenario_schema
from trajaudit.record.yaml_source import parse_yaml

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "scenarios").glob("*/*.yaml"))
VALIDATOR = Draft202012Validator(scenario_schema())

WRITTEN = """\
trajaudit: 1
sandbox: agent-base
agent: {kind: command, command: [x], system: {file: a.md}}
panel: panels/default
tolerances: default
world: {file: w.json}
tools:
  - {file: t.yaml}
  - {sandbox: [bash, read]}
  - {name: t, mock: {table: [{args: {a: "*"}, reply: 1}]}}
faults: [{tool: t, call: 1, fail: timeout}]
user: {kind: scripted}
tasks:
  - {id: a, prompt: {file: p.md}, target: 42.50, golden: g.jsonl}
  - {id: b, prompt: x, target: {money: 42.50, currency: EUR}, golden: [{reply: x}]}
  - id: c
    prompt: x
    user: {replies: [{when: a, say: b}, {say: c}]}
    target: {choice: A, of: {A: x}}
    accept:
      state: [{path: $.a, equals: 1}, {unchanged: [$.b]}]
      paths:
        - name: p
          calls: [t: {a: {approx: 1}, b: {free: [1]}}, {u: {}, optional: true}, v, {w: null}]
          before: [[t, u]]
      forbid: [delete]
"""


def _value(text: str) -> Any:
    return parse_yaml(text, "f.yaml").plain()


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(scenario_schema())


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_every_shipped_scenario_fits(path: Path) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(_value(path.read_text()))] == []


def test_there_are_shipped_scenarios() -> None:
    assert ROOT / "scenarios" / "capitals" / "capitals.yaml" in SHIPPED


def test_every_shorthand_fits() -> None:
    assert [error.message for error in VALIDATOR.iter_errors(_value(WRITTEN))] == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("sandbox:", "sandbx:"),
        ("trajaudit: 1", "trajaudit: 2"),
        ("kind: command", "kind: comand"),
        ("prompt: x", "promt: x"),
        ("target: {money:", "target: {mony:"),
        ("currency:", "curency:"),
        ("[bash, read]", "[bsh]"),
        ("fail: timeout", "fail: time-out"),
        ("mock: {table:", "mock: {tabel:"),
        ("optional: true", "optional: maybe"),
        ("unchanged:", "unchangd:"),
        ("say: b", "says: b"),
        ("before: [[t, u]]", "befor: [[t, u]]"),
        ("[{reply: x}]", "[{repy: x}]"),
    ],
)
def test_a_typing_error_is_rejected(right: str, wrong: str) -> None:
    assert right in WRITTEN
    assert not VALIDATOR.is_valid(_value(WRITTEN.replace(right, wrong, 1)))
