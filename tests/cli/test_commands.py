"""Every command does its job, says so to people, and prints JSON for machines."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.run.started import Place
from trajaudit.cli.main import main

SCENARIO = """
trajaudit: 1
agent: {kind: scripted, tasks: {"*": [{reply: It is hello.}]}}
tasks: [{id: a, prompt: Hello?, target: hello, golden: a.jsonl}]
"""
Typed = Callable[..., tuple[int, str]]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.chdir(tmp_path)
    made = Place(tmp_path)
    made.write(SCENARIO)
    (made.scenario.parent / "a.jsonl").write_text('{"reply": "hello"}\n')
    return made


@pytest.fixture
def typed(place: Place, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Type a command in the folder; returns its exit code and stdout."""

    def typed(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([word.replace("SCENARIO", str(place.scenario)) for word in words])
        assert isinstance(left.value.code, int)
        return left.value.code, capsys.readouterr().out

    return typed


@pytest.fixture
def ran(typed: Typed) -> None:
    assert typed("run", "SCENARIO")[0] == 0


@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["run", "SCENARIO"], "report.html"),
        (["resume", "latest"], "report.html"),
        (["score", "latest"], "0 outcomes flipped"),
        (["report", "latest"], "pass@1"),
        (["show", "latest", "a"], "It is hello."),
        (["ls"], "made/made"),
        (["check", "latest"], ": ok (1 journals of 1)"),
        (["check", "SCENARIO"], "ok (1 tasks: golden and null trajectories)"),
        (["check", "SCENARIO", "--lint-only"], "ok (1 tasks read)"),
        (["index", "--rebuild"], "1 runs in "),
        (["doctor"], "engine"),
        (["init", "capitals/europe"], "scenarios/capitals/europe.yaml"),
        (["plugins"], "langgraph"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_command_says_what_it_did(typed: Typed, words: list[str], wanted: str) -> None:
    code, out = typed(*words)

    assert code == 0
    assert wanted in out


@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize(
    "words",
    [
        ["run", "SCENARIO"],
        ["resume", "latest"],
        ["score", "latest"],
        ["report", "latest"],
        ["show", "latest", "a"],
        ["ls"],
        ["check", "latest"],
        ["check", "SCENARIO"],
        ["doctor"],
        ["plugins"],
    ],
    ids=" ".join,
)
def test_json_is_all_that_is_printed(typed: Typed, words: list[str]) -> None:
    code, out = typed(*words, "--json")

    assert code == 0
    assert json.loads(out)


@pytest.mark.docker
def test_sandboxes_are_listed(typed: Typed) -> None:
    code, out = typed("sandbox", "ls", "--json")

    assert code == 0
    assert isinstance(json.loads(out), list)


def test_a_condition_that_holds_exits_with_four_and_keeps_the_run(
    typed: Typed, place: Place
) -> None:
    code, out = typed("run", "SCENARIO", "--fail-on", "strict<1")

    assert code == 4
    assert "pass@1" in out
    assert place.run_dir().missing() == []


def test_a_bug_is_told_with_a_log(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("trajaudit.record.schema.scenario_schema", lambda: broken(place))

    with pytest.raises(SystemExit) as left:
        main(["check", "--schema"])

    err = capsys.readouterr().err
    log = Path(err.rpartition("details: ")[2].strip())
    assert left.value.code == 1
    assert "a bug in trajaudit: ZeroDivisionError: ours" in err
    assert "Traceback" in log.read_text()
    log.unlink()
