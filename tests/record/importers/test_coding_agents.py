"""What holds for the logs of every coding agent."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.record.importers import coder_logs as logs
from tests.record.importers import coder_sessions as sessions
from tests.record.importers.coder_logs import PROMPT, read_all, seen, written
from trajaudit.audit.imports import import_logs
from trajaudit.audit.intake import ImportOptions
from trajaudit.audit.score import score_run
from trajaudit.record.importers import IMPORTERS
from trajaudit.record.importers.coding import Clock, failed_end, instance_metadata
from trajaudit.record.importers.shapes import as_list
from trajaudit.record.importers.sources import open_source, recognise

ALL: dict[str, tuple[str, str, Callable[[], Any]]] = {
    "swe_agent as text": ("swe_agent", "a__b-1.traj", logs.swe_agent_text),
    "swe_agent as functions": ("swe_agent", "a__b-1.traj", logs.swe_agent_functions),
    "mini-swe-agent 0": ("mini_swe_agent", "a__b-1.traj.json", logs.mini_v0),
    "mini-swe-agent 2": ("mini_swe_agent", "a__b-1.traj.json", logs.mini_v2),
    "openhands V0": ("openhands", "events.json", logs.openhands_v0),
    "openhands SDK": ("openhands", "events.jsonl", sessions.openhands_sdk),
    "atif": ("atif", "trajectory.json", sessions.atif),
    "claude code": ("claude_code", "s1.jsonl", sessions.claude_code),
    "codex": ("codex_cli", "rollout-s1.jsonl", sessions.codex),
}
every = pytest.mark.parametrize(("name", "file", "log"), ALL.values(), ids=ALL)


@every
def test_its_own_importer_takes_the_file_and_no_other_before_it(
    name: str, file: str, log: Callable[[], Any], tmp_path: Path
) -> None:
    found = recognise(open_source(written(tmp_path, file, log()), tmp_path), IMPORTERS)

    assert found is not None
    assert found.name == name


@every
def test_prompt_calls_replies_and_end_are_those_of_the_log(
    name: str, file: str, log: Callable[[], Any], tmp_path: Path
) -> None:
    (trial,) = read_all(IMPORTERS[name], written(tmp_path, file, log()))

    trajectory = seen(trial)
    done = [call for step in trajectory.steps for call in step.tool_calls if call.executed]
    assert trial.task.prompt == PROMPT
    assert trajectory.end_reason == "replied"
    assert len(done) >= len(logs.COMMANDS)
    for command, call in zip(logs.COMMANDS, done, strict=False):
        assert json.dumps(command)[1:-1] in call.arguments_text
    assert all(len(step.observations) == 1 for step in trajectory.steps[: len(logs.COMMANDS)])
    assert trial.task.target is None
    assert trial.origin.raw is None


@every
def test_integrity_sees_what_the_agent_must_not_do(
    name: str, file: str, log: Callable[[], Any], tmp_path: Path
) -> None:
    path = written(tmp_path / "logs", file, log())
    run = import_logs([path], ImportOptions(format=name, runs_dir=tmp_path / "runs")).run

    score_run(run)

    flags = {
        flag
        for verdict in run.read_verdicts()
        if verdict.scorer == "integrity"
        for flag in as_list(verdict.detail["flags"])
    }
    assert {"history_mining", "test_tampering", "external_fetch"} <= flags


def test_an_instance_id_names_its_repository() -> None:
    assert instance_metadata("astropy__astropy-12907") == {
        "instance_id": "astropy__astropy-12907",
        "repo": "astropy/astropy",
    }
    assert instance_metadata("my task") == {"instance_id": "my task"}
    assert instance_metadata("a__b-1", repo="c/d")["repo"] == "c/d"


def test_a_clock_never_runs_backwards_and_stands_where_time_cannot_be_read() -> None:
    clock = Clock()

    read = [
        clock.at(one)
        for one in ("2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z", "yesterday", None, True)
    ]

    assert read == [0, 5, 5, 5, 5]
    assert clock.at("2026-01-01T00:00:01Z") == 5
    assert clock.at(1767225609.5) == 9.5
    assert clock.at(1e300) == 9.5


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("ContextWindowExceededError", "context_overflow"),
        ("AgentTimeoutError", "time_limit"),
        ("NonZeroAgentExitCodeError", "agent_error"),
        ("DockerError", "infra_error"),
        ("VerifierTimeoutError", "infra_error"),
    ],
)
def test_an_exception_is_the_machinerys_unless_its_name_says_otherwise(
    error: str, reason: str
) -> None:
    assert failed_end(error) == reason
