"""A task that accepts the golden end state accepts any path that leaves it, and no other end."""

from pathlib import Path

import pytest

from tests.conftest import RunText

COUNTER = """
trajaudit: 1
world: {lamp: off, log: []}
tools:
  - name: switch
    parameters: {type: object, required: [to], properties: {to: {type: string}}}
    mock: {python: mocks/lamp.py}
  - name: toggle
    mock: {python: mocks/lamp.py}
agent:
  kind: scripted
  tasks: {a: [ACTIONS, {reply: done}]}
tasks:
  - id: a
    prompt: Switch the lamp on.
    accept: {golden_state: true, ignore_state: [$.log]}
    golden: [{call: {switch: {to: "on"}}}, {reply: done}]
"""
LAMP = """
def switch(world, to):
    world["lamp"] = to
    world["log"].append("switch")


def toggle(world):
    world["lamp"] = "off" if world["lamp"] == "on" else "on"
    world["log"].append("toggle")
"""


@pytest.mark.docker
@pytest.mark.parametrize(
    ("actions", "passed"),
    [
        ('{call: {switch: {to: "on"}}}', True),
        ("{call: {toggle: {}}}", True),
        ("{call: {toggle: {}}}, {call: {toggle: {}}}", False),
        ("{note: nothing}", False),
    ],
)
def test_the_end_state_decides(
    run_text: RunText, write_beside: None, actions: str, passed: bool
) -> None:
    run = run_text(COUNTER.replace("ACTIONS", actions)).run

    outcome = next(run.read_outcomes())
    assert outcome.lenient is passed, outcome.status_detail


@pytest.fixture
def write_beside(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios" / "made" / "mocks"
    folder.mkdir(parents=True)
    (folder / "lamp.py").write_text(LAMP)
