"""Whatever is typed wrong: one clear message, the documented exit code, nothing half-written."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.run.started import Place
from trajaudit.cli.main import main
from trajaudit.record.rundir import RunDir

GOOD = """
trajaudit: 1
agent: {kind: scripted, tasks: {"*": [{reply: hello}]}}
trials: 2
tasks:
  - {id: a, prompt: Hello?, target: hello}
  - {id: b, prompt: Hello?, target: bye}
"""
ASKING = "trajaudit: 1\nmodel: MODEL\ntasks: [{id: a, prompt: Hello?, target: hello}]\n"
CYCLE = "trajaudit: 1\ntags: &a [*a]\ntasks: [{id: a, prompt: Hello?, target: hello}]\n"
TWICE = GOOD.replace("id: b", "id: a")
DEAD = {"DOCKER_HOST": "unix:///nowhere/engine.sock"}
FOREIGN = """
trajaudit: 1
model: openai/x
base_url: http://127.0.0.1:9/v1
agent: {kind: command, command: [program]}
tasks: [{id: a, prompt: Hello?, target: hello}]
"""
CHATTY = f"""
trajaudit: 1
agent:
  kind: scripted
  tasks: {{a: [{", ".join(["{call: {look: {}}}"] * 30)}, {{reply: hello}}]}}
tools: [{{name: look, description: Look., mock: {{static: {"x" * 3000}}}}}]
trials: 3
tasks: [{{id: a, prompt: Hello?, target: hello}}]
"""
Says = Callable[..., tuple[int, str]]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.chdir(tmp_path)
    made = Place(tmp_path)
    made.write(GOOD)
    return made


@pytest.fixture
def says(place: Place, capsys: pytest.CaptureFixture[str]) -> Says:
    """Type a command in the folder; returns its exit code and what stood on stderr."""

    def typed(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([word.replace("SCENARIO", str(place.scenario)) for word in words])
        assert isinstance(left.value.code, int)
        err = capsys.readouterr().err
        assert "Traceback" not in err
        assert "a bug in trajaudit" not in err
        return left.value.code, err

    return typed


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (GOOD.replace("trials", "trails"), "4: trails"),
        (GOOD.replace("trials: 2", "trials: many"), "4: trials"),
        (GOOD.replace("{kind: scripted", "{kind: scripped"), "3: agent"),
        (TWICE, "7: tasks[1].id"),
        (CYCLE, "2: "),
        (GOOD.replace("prompt: Hello?", "prompt: {file: gone.md}"), "6: "),
        ("trajaudit: 1\ntasks: [", "3: "),
        ("", "1: "),
        ("- 1\n", "1: "),
    ],
)
def test_a_wrong_scenario_is_refused_with_its_line(
    says: Says, place: Place, text: str, wanted: str
) -> None:
    place.write(text)

    code, err = says("run", "SCENARIO", "--out", str(place.runs))

    assert code == 2, err
    assert f"made.yaml:{wanted}" in err
    assert not place.runs.exists()


def test_a_hundred_megabytes_of_yaml_are_refused_at_once(says: Says, place: Place) -> None:
    with place.scenario.open("ab") as file:
        file.truncate(100_000_000)

    code, err = says("check", "SCENARIO")

    assert code == 2
    assert "made.yaml:1: " in err


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["run", "gone.yaml"], "gone.yaml"),
        (["run"], "SCENARIO"),
        (["run", "SCENARIO", "--trials", "0"], "--trials"),
        (["run", "SCENARIO", "--trials", "x"], "--trials"),
        (["run", "SCENARIO", "--concurrency", "0"], "--concurrency"),
        (["run", "SCENARIO", "--tasks", "c"], "unknown task; got 'c'"),
        (["run", "SCENARIO", "--tags", "c"], "no task has a tag"),
        (["run", "SCENARIO", "--agent", "nobody"], "nobody"),
        (["run", "SCENARIO", "--agent", "scripted:gone.yaml"], "gone.yaml"),
        (["run", "SCENARIO", "--agent", "replay:gone"], "gone"),
        (["run", "SCENARIO", "--fail-on", "strict=1"], "--fail-on"),
        (["run", "SCENARIO", "--no-such-option"], "--no-such-option"),
        (["no-such-command"], "no-such-command"),
        (["resume", "gone"], "gone"),
        (["score", "gone"], "gone"),
        (["report", "gone"], "gone"),
        (["show", "gone", "a"], "gone"),
        (["check", "gone"], "gone"),
        (["check"], "SCENARIO"),
        (["ls", "--limit", "0"], "--limit"),
        (["init", "../x/y"], "suite/scenario"),
        (["sandbox", "nothing"], "nothing"),
    ],
)
def test_a_wrong_command_is_refused(
    says: Says, place: Place, words: list[str], wanted: str
) -> None:
    code, err = says(*words)

    assert code == 2, err
    assert wanted in err
    assert not place.runs.exists()


@pytest.mark.parametrize("model", ["openai", "local/nobody", "nobody/x", "openai/x"])
def test_an_unknown_model_is_refused(
    says: Says, place: Place, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    place.write(ASKING.replace("MODEL", model))

    code, err = says("run", "SCENARIO", "--sandbox", "process", "--out", str(place.runs))

    assert code == 2
    assert model.partition("/")[0] in err
    assert not place.runs.exists()


@pytest.mark.parametrize("text", [GOOD, ASKING.replace("MODEL", "local/smollm2")])
def test_an_unknown_sandbox_is_refused(says: Says, place: Place, text: str) -> None:
    place.write(text)

    code, err = says("run", "SCENARIO", "--sandbox", "moon", "--out", str(place.runs))

    assert code == 2
    assert "unknown sandbox 'moon'; known: docker" in err
    assert not place.runs.exists()


def test_a_foreign_program_without_an_engine_says_how_to_get_one(
    says: Says, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", DEAD["DOCKER_HOST"])
    place.write(FOREIGN)

    code, err = says("run", "SCENARIO", "--out", str(place.runs))

    assert code == 3
    assert "apt-get install docker.io" in err
    assert "foreign program" in err
    assert not place.runs.exists()


def test_a_folder_that_cannot_be_written_is_said(says: Says, place: Place) -> None:
    place.runs.write_text("a file")

    code, err = says("run", "SCENARIO", "--out", str(place.runs))

    assert code == 3
    assert f"{place.runs}" in err


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: [lines[0], lines[1].replace(b'"t":', b'"t":1', 1), *lines[2:]],
        lambda lines: lines[:-1],
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        lambda lines: [*lines[:2], lines[1], *lines[2:]],
        lambda lines: [*lines[:-1], lines[-1][:-9]],
    ],
    ids=["edited", "cut", "reordered", "inserted", "half a line"],
)
def test_a_damaged_journal_is_told_with_its_line(
    says: Says, place: Place, damage: Callable[[list[bytes]], list[bytes]]
) -> None:
    assert says("run", "SCENARIO", "--out", str(place.runs))[0] == 0
    run = place.run_dir()
    assert says("check", str(run.path))[0] == 0
    journal = run.journal_path("a", 1)
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(damage(lines)))
    assert journal.read_bytes() != b"".join(lines)

    code, err = says("check", str(run.path))

    assert code == 2
    assert f"{journal}:" in err
    assert err.partition(f"{journal}:")[2][0].isdecimal()


@pytest.mark.parametrize("command", ["show", "score", "report", "resume", "check"])
def test_a_run_that_cannot_be_read_is_said(says: Says, place: Place, command: str) -> None:
    assert says("run", "SCENARIO", "--out", str(place.runs))[0] == 0
    run = place.run_dir()
    (run.path / "run.json").write_text("{")

    code, err = says(command, str(run.path), *(["a"] if command == "show" else []))

    assert code == 2
    assert "run.json:1: " in err


def test_a_full_disk_stops_the_run_and_resume_completes_it(place: Place) -> None:
    place.write(CHATTY)

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    full = subprocess.run(
        [sys.executable, "-m", "trajaudit", "run", str(place.scenario), "--out", str(place.runs)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=small,
    )

    assert full.returncode == 3, full.stderr
    assert "cannot be written" in full.stderr
    assert "trajaudit resume" in full.stderr
    assert "Traceback" not in full.stderr
    run = RunDir(place.run_dir().path)
    code, _, err = place.done("resume", str(run.path))
    assert code == 0, err
    assert run.missing() == []
    assert [one.final for one in run.read_outcomes()] == [True] * 3


def test_a_reader_that_goes_away_is_no_failure(place: Place) -> None:
    place.write(GOOD.replace("trials: 2", "trials: 1"))
    for _ in range(2):
        assert place.done("run", str(place.scenario), "--out", str(place.runs))[0] == 0
    read, write = os.pipe()
    os.close(read)

    listed = subprocess.run(
        [sys.executable, "-m", "trajaudit", "ls", "--runs", str(place.runs)],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)

    assert (listed.returncode, listed.stderr) == (0, b"")
