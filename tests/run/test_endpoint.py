"""A model endpoint that fails: trials are not graded, finished ones stay, `resume` completes."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.llm.provider import Answer, Provider, error, good, provider
from trajaudit.cli.main import main
from trajaudit.record.rundir import RunDir
from trajaudit.run.executor import GIVE_UP_AFTER

ASKED_BY_USER = """
trajaudit: 1
agent: {kind: scripted, tasks: {"*": [{reply: hello}, {reply: hello}]}}
user: {kind: model, persona: nobody, model: openai/x}
trials: 8
tasks: [{id: a, prompt: Hello?, target: hello}]
"""
ASKED_BY_AGENT = """
trajaudit: 1
model: openai/x
sandbox: {kind: process, image: agent-base}
limits: {time_s: TIME}
trials: 6
tasks: [{id: a, prompt: Hello?, target: hello}]
"""
GARBAGE = Answer(body=b"<html>a proxy says hello</html>")
EMPTY = Answer(body=b"")
CUT = Answer(body=b'{"choices": [{"mess', hang_up=True)


def command(*arguments: str) -> int:
    """Run the command in this process; return its exit code."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert isinstance(left.value.code, int)
    return left.value.code


def run(folder: Path, text: str, url: str) -> int:
    path = folder / "scenarios" / "made" / "made.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    options = ["--retries", "0", "--concurrency", "1", "--out", str(folder / "runs")]
    return command("run", str(path), "--base-url", url, *options)


def run_dir(folder: Path) -> RunDir:
    (found,) = [path.parent for path in (folder / "runs").glob("*/run.json")]
    return RunDir(found)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (error(429, "slow down"), "status 429"),
        (error(500, "broken"), "status 500"),
        (error(401, "who are you"), "status 401"),
        (GARBAGE, "not JSON"),
        (EMPTY, "nothing at all"),
        (CUT, "no connection"),
    ],
)
def test_an_endpoint_that_only_fails_stops_the_run_and_no_trial_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: Answer, said: str
) -> None:
    with provider(answer) as script:
        code = run(tmp_path, ASKED_BY_USER, script.url)
        err = capsys.readouterr().err
        found = run_dir(tmp_path)

        assert code == 3
        assert f"{GIVE_UP_AFTER} trials in a row failed by infrastructure" in err
        assert "provider_failed: openai/x" in err
        assert said in err
        assert f"`trajaudit resume {found.path}`" in err
        assert (found.path / "report.html").exists()
        assert [one.final for one in found.read_outcomes()] == [None] * GIVE_UP_AFTER
        kinds = {one.kind.value for one in found.read_findings()}
        assert kinds == {"provider_failed"}

        script.answers = [good()]
        assert command("resume", str(found.path)) == 0
    assert [one.final for one in found.read_outcomes()] == [True] * 8


@pytest.mark.slow
def test_an_endpoint_that_comes_back_is_asked_for_the_rest_only(tmp_path: Path) -> None:
    with provider(good(), good(), error(503)) as script:
        code = run(tmp_path, ASKED_BY_AGENT.replace("TIME", "60"), script.url)
        found = run_dir(tmp_path)
        before = [found.trial_dir("a", trial) / "trial.json" for trial in (1, 2)]
        kept = [path.read_bytes() for path in before]

        # Four failures are not enough to give up: the run ends, and says what is not graded.
        assert code == 0
        assert [one.final for one in found.read_outcomes()] == [True, True, None, None, None, None]
        assert {one.end_reason for one in found.read_trials()} == {"replied", "infra_error"}

        script.answers = [good()]
        asked = len(script.requests)
        assert command("resume", str(found.path)) == 0
    assert [one.final for one in found.read_outcomes()] == [True] * 6
    assert [path.read_bytes() for path in before] == kept
    assert len(script.requests) == asked + 4


@pytest.mark.slow
def test_an_endpoint_that_hangs_is_no_failure_of_the_agent(tmp_path: Path) -> None:
    text = ASKED_BY_AGENT.replace("TIME", "12").replace("trials: 6", "trials: 2")
    with silent() as url:
        assert run(tmp_path, text, url) == 3
    found = run_dir(tmp_path)

    assert [one.end_reason for one in found.read_trials()] == ["infra_error"] * 2
    assert {one.kind.value for one in found.read_findings()} == {"provider_failed"}
    assert [one.final for one in found.read_outcomes()] == [None, None]


@contextmanager
def silent() -> Iterator[str]:
    """An endpoint that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


def test_nobody_listens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with provider(good()) as script:
        gone: Provider = script

    assert run(tmp_path, ASKED_BY_USER, gone.url) == 3
    assert "no connection" in capsys.readouterr().err
