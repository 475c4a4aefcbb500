"""Logs that Inspect itself wrote, in several versions' layouts: an import finds in them what
Inspect's own reader finds.
"""

import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.inspect_env import LAYOUTS, MORE, inspect_home
from tests.inspect_env import require_inspect
from tests.record.importers.test_inspect import trajectory_of
from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.imported import Loss
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.record.importers import inspect
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
PROGRAMS = ["inspect_scripts", "inspect_writer", "inspect_facts"]
ROOT = HERE.parents[2]
FINISH = {"max_tokens": "length", "model_length": "length", "unknown": None}
ENDS: dict[str, EndReason] = {
    "message": "step_limit",
    "token": "token_limit",
    "time": "time_limit",
}
LETTERS = {"C": True, "I": False}
Logs = dict[str, dict[str, Any]]


@pytest.fixture(scope="module", params=[*LAYOUTS, *MORE])
def folder(request: pytest.FixtureRequest) -> Path:
    """Logs of one version, and `facts.json` beside them; kept below the cache for the next time."""
    version: str = request.param
    python = require_inspect(version)
    text = b"".join((HERE / f"{name}.py").read_bytes() for name in PROGRAMS)
    kept = inspect_home(version) / f"logs-{hashlib.sha256(text).hexdigest()[:12]}"
    if not kept.is_dir():
        inspect_home(version).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=inspect_home(version)) as place:
            made = Path(place) / "logs"
            _write(python, made)
            made.rename(kept)
        for old in inspect_home(version).glob("logs-*"):
            if old != kept:
                shutil.rmtree(old)
    return kept


def _write(python: Path, place: Path) -> None:
    place.mkdir()
    _told(python, "inspect_writer", place)
    # Inspect's own reader takes only whole samples.
    logs = [path for path in sorted(place.iterdir()) if path.is_file() and path.stem != "chunked"]
    facts = json.loads(_told(python, "inspect_facts", *logs))
    if (place / "chunked.eval").exists():
        facts["chunked.eval"] = facts["loop.eval"]
    (place / "facts.json").write_text(json.dumps(facts))


def _told(python: Path, program: str, *arguments: Path) -> bytes:
    """Run a program of this folder under the Python that has Inspect; return what it prints."""
    command: list[str | Path] = [python, "-m", f"tests.record.importers.{program}", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, timeout=400, cwd=ROOT)
    return done.stdout


def _facts(folder: Path) -> Logs:
    found: Logs = json.loads((folder / "facts.json").read_text())
    return found


def _imported(path: Path) -> tuple[dict[tuple[str, int], ForeignTrial], tuple[Loss, ...]]:
    losses = Losses()
    trials: dict[tuple[str, int], ForeignTrial] = {}
    for trial in inspect.read(open_source(path, path.parent), losses):
        epoch = 1 + sum(name == trial.task.id for name, _ in trials)
        trials[trial.task.id, epoch] = trial
    return trials, losses.report()


def _pairs(folder: Path) -> Iterator[tuple[str, dict[str, Any], ForeignTrial, Trajectory]]:
    """Yield (place, what Inspect tells, what was imported, its trajectory) of every sample."""
    for name, told in _facts(folder).items():
        trials, _ = _imported(folder / name)
        known = {(str(one["id"]), one["epoch"]): one for one in told["samples"]}
        assert trials.keys() == known.keys(), name
        for key, trial in trials.items():
            yield f"{name} {key}", known[key], trial, trajectory_of(trial)


def _without_suffix(call_id: str) -> str:
    """Ids that a provider gives twice are told apart by a suffix."""
    return call_id.partition("~")[0]


def test_steps_are_the_models_replies_with_their_calls_and_tokens(folder: Path) -> None:
    for place, told, _, trajectory in _pairs(folder):
        ours = [
            {
                "text": step.message.content,
                "reasoning": step.message.reasoning or "",
                "calls": [[_without_suffix(c.call_id), c.tool] for c in step.tool_calls],
                "stop": step.finish_reason,
                "tokens": step.usage and [step.usage.prompt_tokens, step.usage.completion_tokens],
            }
            for step in trajectory.steps
        ]

        assert ours == [
            {
                **step,
                "calls": [call[:2] for call in step["calls"]],
                "stop": FINISH.get(step["stop"], step["stop"]),
            }
            for step in told["steps"]
        ], place


def test_arguments_are_what_the_model_wrote(folder: Path) -> None:
    for place, told, _, trajectory in _pairs(folder):
        ours = [call.arguments for step in trajectory.steps for call in step.tool_calls]
        theirs = [call[2] for step in told["steps"] for call in step["calls"]]

        # Inspect puts an empty object where a text could not be parsed.
        assert [one or {} for one in ours] == theirs, place


def test_observations_are_what_the_tools_gave_back(folder: Path) -> None:
    for place, told, _, trajectory in _pairs(folder):
        ours = [
            [_without_suffix(seen.call_id), seen.tool, seen.content, seen.is_error]
            for step in trajectory.steps
            for seen in step.observations
        ]

        assert ours == told["observations"], place


def test_the_reply_and_the_question_are_whole(folder: Path) -> None:
    for place, told, trial, trajectory in _pairs(folder):
        said = trajectory.final_reply or ""
        # A submitted answer stands behind what was said with it.
        assert told["completion"].endswith(said), place
        assert bool(said.strip()) == bool(told["completion"].strip()), place
        assert told["asked"] in trial.task.prompt or trial.task.id == "choices", place
        assert trial.task.target is not None, place


def test_the_end_is_the_logs(folder: Path) -> None:
    for place, told, _, trajectory in _pairs(folder):
        wanted = ENDS.get(told["limit"], "infra_error" if told["error"] else "replied")
        if place.startswith("scorer_breaks"):
            # The agent was done when the scorer raised.
            wanted = "replied"

        assert trajectory.end_reason == wanted, place


def test_verdicts_are_the_logs(folder: Path) -> None:
    for place, told, trial, _ in _pairs(folder):
        scores = list(told["scores"].items())
        name, first = scores[0] if scores else ("", None)
        if isinstance(first, str):
            assert trial.origin.raw is LETTERS.get(first), place
            assert trial.origin.raw_detail.startswith(f"{name}={first}"), place
        else:
            assert trial.origin.raw is None, place
        if len(scores) > 1:
            parts = {"parts_scorer.form": True, "parts_scorer.content": None}
            letters = {key: LETTERS[one] for key, one in scores if isinstance(one, str)}
            assert trial.origin.checks == letters | parts, place


def test_what_is_lost_is_little_and_said(folder: Path) -> None:
    known = {
        ("dropped", "sample.metadata.kind"),
        ("dropped", "events.logger"),
        ("dropped", "events.info"),
        ("dropped", "events.span_begin"),
        # Providers' replies are kept only where the log was told to, or of the last calls.
        ("guessed", "tool_call.arguments_text"),
        # One script gives an id twice.
        ("malformed", "tool_call.id"),
        ("guessed", "tool_reply.call_id"),
    }
    for name in _facts(folder):
        _, losses = _imported(folder / name)
        found = {(one.kind, one.field) for one in losses}

        if name in ("killed.eval", "cancelled.eval"):
            found -= {("truncated", "samples"), ("truncated", "log")}
        assert found <= known, name
        assert ("dropped", "sample.metadata.kind") in found or name == "choice.eval", name


def test_a_killed_evaluation_names_what_it_did_not_come_to(folder: Path) -> None:
    trials, losses = _imported(folder / "killed.eval")

    assert [task for task, _ in trials] == ["plain", "tools"]
    told = {(one.kind, one.field): one.example for one in losses}
    assert "the evaluation did not end" in told["truncated", "log"]
    assert "hangs_epoch_1 was to be run" in told["truncated", "samples"]


def test_every_kind_of_log_was_written(folder: Path) -> None:
    names = {Path(name).stem for name in _facts(folder)}

    assert names >= {"loop", "json", "talk", "scorer_breaks", "choice", "basic_agent"}
    assert names >= {"message_limit", "token_limit", "time_limit", "killed", "cancelled"}
    if inspect_home("0.3.285").name == folder.parent.name:
        assert names >= {"chunked", "edited", "compaction", "handoff", "as_tool", "react", "unsure"}
