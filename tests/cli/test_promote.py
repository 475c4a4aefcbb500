"""`promote` shows the change, makes it when told to, and prints what it cannot place."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.run.started import Place
from trajaudit.cli.main import main

LINES = """\
trajaudit: 1
tools:
  - {name: fix, mock: {static: ok}}
  - name: ask
    parameters: {type: object, properties: {what: {type: string}}}
    mock: {static: ok}
agent: {kind: scripted, tasks: {"*": [{call: {ask: {what: help}}}, {reply: done}]}}
tasks:
  - id: a
    prompt: Do it.
    accept:
      paths:
        - {name: fix it, calls: [fix]}
"""
BRACKETS = LINES.partition("    accept:")[0] + (
    "    accept: {paths: [{name: fix it, calls: [fix]}]}\n"
)
WORDS = ("promote", "latest", "a", "--name", "ask", "--by", "Ana")
Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.chdir(tmp_path)
    return Place(tmp_path)


@pytest.fixture
def typed(place: Place, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Type a command in the folder; returns its exit code and what it printed."""

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(words)
        assert isinstance(left.value.code, int)
        return left.value.code, *capsys.readouterr()

    return typed


@pytest.fixture
def ran(place: Place, typed: Typed) -> Callable[[str], Path]:
    def run(text: str) -> Path:
        place.write(text)
        assert typed("run", str(place.scenario))[0] == 0
        return place.scenario

    return run


def test_the_change_is_shown_and_not_made(ran: Callable[[str], Path], typed: Typed) -> None:
    scenario = ran(LINES)

    code, out, err = typed(*WORDS)

    assert code == 0
    assert "+        - name: ask" in out.splitlines()
    assert "+            - ask: {what: help}" in out.splitlines()
    assert "nothing was written" in err
    assert scenario.read_text() == LINES


def test_write_makes_the_change(ran: Callable[[str], Path], typed: Typed) -> None:
    scenario = ran(LINES)

    code, _, _ = typed(*WORDS, "--reason", "it is faster", "--write")

    assert code == 0
    assert scenario.read_text().startswith(LINES)
    assert "accepted by Ana on" in scenario.read_text()
    assert typed("check", str(scenario), "--lint-only")[0] == 0


def test_json_is_all_that_is_printed(ran: Callable[[str], Path], typed: Typed) -> None:
    ran(LINES)

    code, out, _ = typed(*WORDS, "--json")

    told = json.loads(out)
    assert code == 0
    assert told["entry"].startswith("- name: ask\n")
    assert told["written"] is False


def test_lines_that_cannot_be_placed_are_printed_to_paste(
    ran: Callable[[str], Path], typed: Typed
) -> None:
    scenario = ran(BRACKETS)

    code, out, err = typed(*WORDS, "--write")

    assert code == 2
    assert out.startswith("- name: ask\n  calls:\n    - ask: {what: help}\n")
    assert "paste it by hand" in err
    assert scenario.read_text() == BRACKETS


def test_a_call_that_the_scenario_could_not_list_is_told(
    ran: Callable[[str], Path], typed: Typed
) -> None:
    ran(LINES.replace("properties: {what: {type: string}}", "properties: {}"))

    code, out, err = typed(*WORDS)

    assert code == 2
    assert out.startswith("- name: ask\n")
    assert "unknown argument; got 'what'" in err


def test_nobody_accepts_nothing(ran: Callable[[str], Path], typed: Typed) -> None:
    ran(LINES)

    code, _, err = typed("promote", "latest", "a", "--name", "ask", "--by", " ")

    assert code == 2
    assert "--by" in err
