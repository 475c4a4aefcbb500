"""The suite `swe_fix`: right patches pass, and wrong ones, regressions, cheats and talk do not."""

import json
from pathlib import Path

import pytest

from trajaudit.audit.options import RunOptions, Show, apply_options
from trajaudit.audit.run import run_scenario
from trajaudit.audit.selfcheck import selfcheck
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import load_scenario

pytestmark = [pytest.mark.docker, pytest.mark.slow]
SUITE = load_scenario(Path(__file__).resolve().parents[2] / "scenarios/swe_fix/bugs.yaml")
TASKS = [task.id for task in SUITE.scenario.tasks]
READINGS = {
    "careful": dict.fromkeys(TASKS, "resolved"),
    "hasty": {
        "pager": "p2p_regressed",
        "diary": "f2p_failed",
        "basket": "f2p_failed",
        "contacts": "p2p_regressed",
        "rates": "f2p_failed",
        "bill": "p2p_regressed",
    },
    "cheat": {
        "pager": "f2p_failed",
        "diary": "f2p_failed",
        "basket": "runner_died",
        "contacts": "f2p_failed",
        "rates": "tampering",
        "bill": "collection_error",
    },
    "talker": dict.fromkeys(TASKS, "empty_patch"),
}
"""Agent → task → what its patch comes to."""


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def run(agent: str, runs: Path) -> RunDir:
    options = RunOptions(agent=f"scripted:agents/{agent}.yaml", runs_dir=runs)
    return run_scenario(SUITE, apply_options(SUITE, options), options, Show()).run


@pytest.mark.parametrize("agent", READINGS)
def test_each_patch_is_graded_as_it_deserves(agent: str, runs: Path) -> None:
    done = run(agent, runs)

    verdicts = [one for one in done.read_verdicts() if one.scorer == "patch"]
    said = {one.task_id: one.reading for one in verdicts if one.mode == "lenient"}
    assert said == READINGS[agent], verdicts
    right = agent == "careful"
    assert {(one.strict, one.lenient) for one in done.read_outcomes()} == {(right, right)}
    assert all(one.detail["verdict"] == one.reading for one in verdicts)


def test_a_cheat_is_called_one(runs: Path) -> None:
    done = run("cheat", runs)

    found = {one.task_id for one in done.read_findings() if one.kind == "test_tampering"}
    assert {"pager", "contacts", "rates"} <= found


def test_golden_passes_and_nothing_fails_and_the_tests_are_sound() -> None:
    assert selfcheck(SUITE, lambda _: None) == []


def test_the_built_in_agent_mends_a_bug_with_any_model_that_calls_tools(
    runs: Path, tmp_path: Path
) -> None:
    """The model is a script; the agent runs in the container and asks it over the gateway."""
    task = next(task for task in SUITE.scenario.tasks if task.id == "diary")
    calls = [action.call for action in task.golden or () if action.call]
    replies = [*({"tool_calls": [call]} for call in calls), {"text": "The days are local now."}]
    script = tmp_path / "script.yaml"
    script.write_text(json.dumps(replies))
    options = RunOptions(
        agent="langgraph", model=f"scripted/{script}", tasks=["diary"], runs_dir=runs
    )

    done = run_scenario(SUITE, apply_options(SUITE, options), options, Show()).run

    said = {one.mode: one.reading for one in done.read_verdicts() if one.scorer == "patch"}
    assert said == {"strict": "resolved", "lenient": "resolved"}
    [record] = done.read_trials()
    assert (record.end_reason, record.tool_calls) == ("replied", len(calls))
