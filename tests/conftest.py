"""Runs in a temporary folder, from YAML text, with agents that need neither model nor sandbox."""

import signal
from collections.abc import Callable, Iterator
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


@pytest.fixture(autouse=True)
def heard_signals() -> Iterator[None]:
    """Listen to what a background job or nohup ignores; children inherit what is ignored."""
    ignored = [
        number
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is signal.SIG_IGN
    ]
    for number in ignored:
        heard = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, heard)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)
