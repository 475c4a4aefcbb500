"""ATIF trajectories and the trees of Harbor."""

from pathlib import Path
from typing import Any

import pytest

from tests.record.importers.coder_logs import COMMANDS, PROMPT, commands, read_all, seen, written
from tests.record.importers.coder_sessions import atif
from trajaudit.audit.imports import import_logs
from trajaudit.audit.intake import ImportOptions
from trajaudit.audit.score import score_run
from trajaudit.record.importers import atif as importer
from trajaudit.record.importers.base import ForeignTrial, PartOfAnotherError
from trajaudit.record.importers.losses import Losses
from trajaudit.record.rundir import RunDir


def _read(path: Path, losses: Losses | None = None) -> ForeignTrial:
    (trial,) = read_all(importer.IMPORTER, path, losses)
    return trial


def _result(**more: Any) -> dict[str, Any]:
    return {
        "task_name": "sums/two",
        "trial_name": "two__x1",
        "agent_info": {"name": "coder", "version": "1", "model_info": {"name": "model"}},
        "started_at": "2026-01-01T00:00:00Z",
        "finished_at": "2026-01-01T00:01:00Z",
        "exception_info": None,
        **more,
    }


def _trial(job: Path, name: str, reward: str | None = "1", **more: Any) -> Path:
    written(job / name, "config.json", {"task": {"path": "tasks/two"}})
    written(job / name, "result.json", _result(trial_name=name, **more))
    written(job / name / "agent", "trajectory.json", atif())
    (job / name / "verifier").mkdir()
    if reward is not None:
        (job / name / "verifier" / "reward.txt").write_text(reward)
    return job / name


@pytest.mark.parametrize("version", [f"ATIF-v1.{minor}" for minor in range(8)])
def test_every_version_is_read(version: str, tmp_path: Path) -> None:
    log = {**atif(), "schema_version": version}

    trial = _read(written(tmp_path, "t.json", log))

    assert commands(trial) == list(COMMANDS)
    assert trial.origin.agent == "coder 1.0"
    assert trial.origin.model_id == "vendor/model"


def test_raw_text_that_is_lost_and_an_end_that_is_not_told_are_counted(tmp_path: Path) -> None:
    losses = Losses()

    _read(written(tmp_path, "t.json", atif()), losses)

    assert {(one.kind, one.field, one.count) for one in losses.report()} == {
        ("guessed", "tool_call.arguments_text", 3),
        ("guessed", "end", 1),
    }


def test_a_continuation_is_one_trial_with_what_it_continues(tmp_path: Path) -> None:
    more = atif()
    more["steps"][1]["is_copied_context"] = True
    more["steps"][2]["is_copied_context"] = True
    written(tmp_path, "t.json", atif())
    part = written(tmp_path, "t.cont-1.json", more)

    trial = _read(tmp_path / "t.json")

    assert commands(trial) == [*COMMANDS, *COMMANDS[1:]]
    with pytest.raises(PartOfAnotherError):
        read_all(importer.IMPORTER, part)


def test_a_folder_with_a_continuation_is_imported_without_an_error(tmp_path: Path) -> None:
    written(tmp_path / "logs", "t.json", atif())
    written(tmp_path / "logs", "t.cont-1.json", atif())

    imported = import_logs([tmp_path / "logs"], ImportOptions(runs_dir=tmp_path / "runs"))

    assert [(one.trials, one.error) for one in imported.report.sources] == [(0, None), (1, None)]


def test_a_continuation_that_is_missing_is_told(tmp_path: Path) -> None:
    losses = Losses()
    log = {**atif(), "continued_trajectory_ref": "t.cont-1.json"}

    trajectory = seen(_read(written(tmp_path, "t.json", log), losses))

    assert "truncated" in {one.kind for one in losses.report()}
    assert any("output_cut" in warning for warning in trajectory.warnings)


def test_steps_of_a_subagent_stand_before_the_reply_it_gave(tmp_path: Path) -> None:
    log = {**atif(), "schema_version": "ATIF-v1.7"}
    inner = {**atif(), "trajectory_id": "sub", "steps": atif()["steps"][1:3]}
    inner["steps"][1]["tool_calls"][0]["tool_call_id"] = "inner"
    inner["steps"][1]["observation"]["results"][0]["source_call_id"] = "inner"
    log["subagent_trajectories"] = [inner]
    result = log["steps"][3]["observation"]["results"][0]
    result["subagent_trajectory_ref"] = [{"trajectory_id": "sub"}]

    trial = _read(written(tmp_path, "t.json", log))

    assert [step.message.content for step in seen(trial).steps][-1] == "It is repaired."
    assert commands(trial) == [COMMANDS[0], COMMANDS[1], COMMANDS[0], COMMANDS[2]]
    assert trial.task.prompt == PROMPT


def test_a_reference_leads_to_no_file_elsewhere(tmp_path: Path) -> None:
    losses = Losses()
    job = tmp_path / "job"
    written(tmp_path, "secret.json", atif())
    log = atif()
    result = log["steps"][2]["observation"]["results"][0]
    result["subagent_trajectory_ref"] = [
        {"trajectory_path": "../../../secret.json"},
        {"trajectory_path": str(tmp_path / "secret.json")},
        {"trajectory_path": "link.json"},
    ]
    folder = _trial(job, "two__x1")
    written(folder / "agent", "trajectory.json", log)
    (folder / "agent" / "link.json").symlink_to(tmp_path / "secret.json")

    trial = _read(folder, losses)

    assert commands(trial) == list(COMMANDS)
    dropped = {one.field: one.count for one in losses.report() if one.kind == "dropped"}
    assert dropped["subagent_trajectory_ref"] == 3


@pytest.mark.parametrize(
    "message",
    [
        "<function=bash>\n<parameter=command>git log --all --oneline</parameter>\n</function>",
        '{"analysis": "?", "commands": [{"keystrokes": "git log --all --oneline\\n"}]}',
    ],
)
def test_calls_that_a_message_spells_out_are_read_and_counted(message: str, tmp_path: Path) -> None:
    losses = Losses()
    log = atif()
    log["steps"] = log["steps"][:3]
    log["steps"][2] |= {
        "message": message,
        "tool_calls": None,
        "observation": {"results": [{"content": "ok"}]},
    }

    (step,) = seen(_read(written(tmp_path, "t.json", log), losses)).steps

    assert "git log --all --oneline" in step.tool_calls[0].arguments_text
    assert step.observations[0].content == "ok"
    assert ("guessed", "tool_calls") in {(one.kind, one.field) for one in losses.report()}


def test_a_job_of_harbor_is_one_log_with_a_trial_a_folder(tmp_path: Path) -> None:
    job = tmp_path / "job"
    _trial(job, "two__x1", "1.0")
    _trial(job, "two__x2", "0")
    _trial(job, "two__x3", "0.5")
    written(job, "config.json", {})
    written(job, "result.json", {"stats": {}})

    trials = read_all(importer.IMPORTER, job)

    assert [trial.origin.raw for trial in trials] == [True, False, None]
    assert [trial.origin.raw_score for trial in trials] == [1.0, 0.0, 0.5]
    assert {trial.task.id for trial in trials} == {trials[0].task.id}
    assert trials[0].duration_s == 60
    assert trials[0].origin.agent == "coder 1.0"


def test_a_trial_without_a_reward_was_not_graded(tmp_path: Path) -> None:
    trial = _read(_trial(tmp_path / "job", "two__x1", None))

    assert trial.origin.raw is None
    assert "no reward" in trial.origin.raw_detail


def _steps_of(job: Path, *names: str, **more: Any) -> Path:
    """A trial of several steps: what the root held of each was moved below `steps`."""
    results = [
        {"step_name": name, "verifier_result": {"rewards": {"reward": float(number)}}}
        for number, name in enumerate(names)
    ]
    rolled_up = {"verifier_result": {"rewards": {"reward": 0.5}}, "step_results": results}
    written(job / "many__x1", "config.json", {"task": {"path": "tasks/many"}})
    written(job / "many__x1", "result.json", _result(trial_name="many__x1", **(rolled_up | more)))
    for name in names:
        written(job / "many__x1" / "steps" / name / "agent", "trajectory.json", atif())
    return job / "many__x1"


def test_the_steps_of_a_harbor_task_are_one_trial_in_the_order_of_the_result(
    tmp_path: Path,
) -> None:
    folder = _steps_of(tmp_path / "job", "second", "first")
    log = atif()
    log["steps"][-1]["message"] = "Other."
    written(folder / "steps" / "first" / "agent", "trajectory.json", log)

    trial = _read(folder)

    assert commands(trial) == [*COMMANDS, *COMMANDS]
    assert seen(trial).final_reply == "Other."
    assert (trial.origin.raw, trial.origin.raw_score) == (None, 0.5)
    assert trial.origin.checks == {"reward": None, "second/reward": False, "first/reward": True}


def test_what_a_resumed_session_writes_again_is_told_once(tmp_path: Path) -> None:
    folder = _steps_of(tmp_path / "job", "first", "second")
    log = atif()
    log["steps"] += [{"step_id": 99, "source": "agent", "message": "And more."}]
    written(folder / "steps" / "second" / "agent", "trajectory.json", log)

    trial = _read(folder)

    assert commands(trial) == [*COMMANDS]
    assert seen(trial).final_reply == "And more."


def test_an_exception_in_a_step_leaves_the_trial_ungraded(tmp_path: Path) -> None:
    failed = {"exception_type": "DockerDaemonError", "exception_message": "gone"}
    steps = [{"step_name": "first"}, {"step_name": "second", "exception_info": failed}]
    losses = Losses()

    (trial,) = read_all(
        importer.IMPORTER, _steps_of(tmp_path / "job", "first", step_results=steps), losses
    )

    assert (trial.origin.raw, seen(trial).end_reason) == (None, "infra_error")
    assert ("truncated", "steps") in {(one.kind, one.field) for one in losses.report()}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("AgentTimeoutError", "time_limit"),
        ("DockerDaemonError", "infra_error"),
        ("RewardFileNotFoundError", "infra_error"),
    ],
)
def test_a_trial_with_an_exception_was_not_graded_whatever_its_reward(
    kind: str, reason: str, tmp_path: Path
) -> None:
    problem = {"exception_type": kind, "exception_message": "it broke"}

    trial = _read(_trial(tmp_path / "job", "two__x1", "0", exception_info=problem))

    assert trial.origin.raw is None
    assert kind in trial.origin.raw_detail
    assert (seen(trial).end_reason, seen(trial).end_detail) == (reason, f"{kind}: it broke")


def test_an_agent_that_never_started_is_a_trial_without_steps(tmp_path: Path) -> None:
    problem = {"exception_type": "EnvironmentStartError", "exception_message": "429"}
    folder = _trial(tmp_path / "job", "two__x1", None, exception_info=problem)
    (folder / "agent" / "trajectory.json").unlink()

    run = import_logs([folder], ImportOptions(runs_dir=tmp_path / "runs")).run
    score_run(run)

    (outcome,) = RunDir(run.path).read_outcomes()
    assert outcome.final is None
    assert outcome.raw is None


def test_rewards_by_name_are_checks(tmp_path: Path) -> None:
    told = {"rewards": {"reward": 0.0, "style": 1.0, "speed": 0.5}}

    trial = _read(_trial(tmp_path / "job", "two__x1", None, verifier_result=told))

    assert trial.origin.raw is False
    assert trial.origin.checks == {"reward": False, "speed": None, "style": True}
