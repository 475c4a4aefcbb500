"""Runs in a temporary folder, from YAML text, with agents that need neither model nor sandbox."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trajaudit.audit.options import RunOptions, Show, apply_options
from trajaudit.audit.run import RunResult, run_scenario
from trajaudit.record.scenarios import load_scenario

RunText = Callable[..., RunResult]


@pytest.fixture
def run_text(tmp_path: Path) -> RunText:
    """Run a scenario given as YAML text; keywords are run options."""

    def run(text: str, **options: object) -> RunResult:
        path = tmp_path / "scenarios" / "made" / "made.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        loaded = load_scenario(path)
        chosen = RunOptions(runs_dir=tmp_path / "runs", **options)  # type: ignore[arg-type]
        return run_scenario(loaded, apply_options(loaded, chosen), chosen, Show())

    return run
