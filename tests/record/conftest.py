"""Scenario files in a project of their own, and a run to write to."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trajaudit.datamodel.run import RunConfig
from trajaudit.datamodel.scenario import Scenario
from trajaudit.errors import ScenarioError
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import load_scenario

Write = Callable[[str, str], Path]
FaultsOf = Callable[[str], list[str]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file of the suite `shop` and return its path."""
    suite = tmp_path / "scenarios" / "shop"
    suite.mkdir(parents=True)

    def write_file(name: str, text: str) -> Path:
        path = suite / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write_file


@pytest.fixture
def faults_of(write: Write) -> FaultsOf:
    """Load a scenario text and return its faults, without the folder."""

    def load(text: str) -> list[str]:
        path = write("s.yaml", text)
        try:
            load_scenario(path)
        except ScenarioError as error:
            return [fault.replace(f"{path.parent}/", "") for fault in error.faults]
        return []

    return load


@pytest.fixture
def config() -> RunConfig:
    """A run of two tasks with two trials each."""
    tasks = [{"id": "a", "prompt": "x", "target": 1}, {"id": "b", "prompt": "y"}]
    return RunConfig(
        run_id="20261129-101500-7f3a",
        created="2026-11-29T10:15:00Z",
        trajaudit_version="0.1.0",
        scoring_checksum="0",
        scenario=Scenario.model_validate({"trajaudit": 1, "name": "shop/s", "tasks": tasks}),
        scenario_path="scenarios/shop/s.yaml",
        scenario_sha256="0",
        sandbox_kind="docker",
        isolation="none",
        agent="null",
        model_id="scripted",
        task_ids=("a", "b"),
        trials=2,
    )


@pytest.fixture
def run(tmp_path: Path, config: RunConfig) -> RunDir:
    return RunDir.create(tmp_path / "runs", config)
