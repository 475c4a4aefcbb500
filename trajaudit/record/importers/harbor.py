"""Folders that Harbor writes: a job holds trials, a trial its result, its log and its reward.

```
JOB/config.json, result.json
JOB/TRIAL/config.json, result.json
JOB/TRIAL/agent/trajectory.json
JOB/TRIAL/verifier/reward.txt or reward.json
JOB/TRIAL/steps/STEP/agent, verifier: instead of these two, where a task has several steps
```
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trajaudit.datamodel.event import EndReason
from trajaudit.record.importers.base import Source
from trajaudit.record.importers.beside import inside, json_beside
from trajaudit.record.importers.coding import failed_end, seconds_between
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_list, as_number, as_text, first

_LOOKED_AT = 50
_REWARD_BYTES = 64 * 1024
_MOST_STEPS = 100
_KNOWN = frozenset(
    {"id", "task_name", "trial_name", "trial_uri", "task_id", "source", "task_checksum", "config"}
    | {"agent_info", "agent_result", "verifier_result", "exception_info", "started_at"}
    | {"finished_at", "environment_setup", "agent_setup", "agent_execution", "verifier"}
    | {"schema_version", "step_results", "verifier_environment_mode", "reward_valid"}
)


@dataclass
class HarborTrial:
    """What the files beside the trajectory say of a trial."""

    name: str
    task: str
    agent: str = ""
    model: str = ""
    started: str = ""
    duration_s: float = 0.0
    reason: EndReason = "replied"
    detail: str = ""
    raw: bool | None = None
    score: float | None = None
    told: str = ""
    checks: dict[str, bool | None] = field(default_factory=dict)
    parts: tuple[Path, ...] = ()
    """Folders of its steps, in their order; empty: the task has one."""


def looks_like_trial(entries: tuple[str, ...]) -> bool:
    """Whether a folder is one trial: a result or a configuration beside the agent's log."""
    names = set(entries)
    logged = names & {"agent", "verifier", "steps", "trial.log"}
    return bool(names & {"config.json", "result.json"} and logged)


def looks_like_job(folder: Path, entries: tuple[str, ...]) -> bool:
    """Whether a folder is a job: a configuration or a result beside folders that are trials."""
    if not set(entries) & {"config.json", "result.json"}:
        return False
    return next(_trial_folders(folder, entries[:_LOOKED_AT]), None) is not None


def trials_in(source: Source) -> Iterator[tuple[str, Path]]:
    """Yield (place, folder) of the trials of a job, or the one that a folder is."""
    if looks_like_trial(source.entries):
        yield source.name, source.path
        return
    names = tuple(sorted(entry.name for entry in source.path.iterdir()))
    for folder in _trial_folders(source.path, names):
        yield f"{source.name}/{folder.name}", folder


def _trial_folders(folder: Path, names: tuple[str, ...]) -> Iterator[Path]:
    for name in names:
        inner = folder / name
        if inner.is_dir() and not inner.is_symlink():
            entries = tuple(entry.name for entry in inner.iterdir())
            if looks_like_trial(entries):
                yield inner


def trial_of(folder: Path, losses: Losses) -> HarborTrial:
    """Read what is known of a trial.

    One that has no result was cut off; one with an exception or without a reward was not graded.
    """
    result = as_dict(json_beside(folder, losses, "result.json"))
    config = as_dict(result.get("config") or json_beside(folder, losses, "config.json"))
    losses.unknown("result", result, _KNOWN)
    who = as_dict(result.get("agent_info"))
    model = as_dict(who.get("model_info"))
    start, end = result.get("started_at"), result.get("finished_at")
    trial = HarborTrial(
        name=as_text(result.get("trial_name")) or folder.name,
        task=as_text(result.get("task_name")) or _task_name(config, folder),
        agent=" ".join(filter(None, (as_text(who.get(key)) for key in ("name", "version")))),
        model="/".join(filter(None, (as_text(model.get(key)) for key in ("provider", "name")))),
        started=start[:40] if isinstance(start, str) else "",
        duration_s=seconds_between(start, end),
        parts=_parts(folder, result, losses),
    )
    problem = _problem(result)
    rewards = _rewards(folder, result, losses)
    _grade(trial, rewards)
    trial.checks |= _checks_of_steps(result)
    if problem:
        kind = as_text(problem.get("exception_type"))
        message = as_text(problem.get("exception_message"))
        trial.reason = failed_end(kind)
        trial.detail = f"{kind}: {message}"[:2000]
        trial.raw = None
        trial.told = f"not graded: {kind}" + (f"; {trial.told}" if rewards else "")
    elif not result:
        trial.reason, trial.detail = "infra_error", "the trial has no result.json"
        trial.raw, trial.told = None, "not graded: no result"
    return trial


def _problem(result: dict[str, Any]) -> dict[str, Any]:
    """Return the exception of a trial, else the first one of its steps."""
    steps = map(as_dict, as_list(result.get("step_results")))
    found = [result, *steps]
    return next(filter(None, (as_dict(one.get("exception_info")) for one in found)), {})


def _parts(folder: Path, result: dict[str, Any], losses: Losses) -> tuple[Path, ...]:
    """Return the folders of the steps: those that the result names first, in its order."""
    steps = folder / "steps"
    if steps.is_symlink() or not steps.is_dir():
        return ()
    there = {one.name: one for one in steps.iterdir() if one.is_dir() and not one.is_symlink()}
    told = map(as_dict, as_list(result.get("step_results")))
    named = list(dict.fromkeys(as_text(one.get("step_name")) for one in told))
    for name in named:
        if name not in there:
            losses.truncated("steps", f"{name[:100]!r} has a result and no folder")
    order = [name for name in named if name in there]
    return tuple(there[name] for name in [*order, *sorted(there.keys() - set(order))])


def _checks_of_steps(result: dict[str, Any]) -> dict[str, bool | None]:
    found: dict[str, bool | None] = {}
    for step in map(as_dict, as_list(result.get("step_results"))[:_MOST_STEPS]):
        rewards = as_dict(as_dict(step.get("verifier_result")).get("rewards"))
        for name, value in sorted(rewards.items())[:_MOST_STEPS]:
            found[f"{as_text(step.get('step_name'))}/{name}"[:200]] = _passed(as_number(value))
    return found


def _task_name(config: dict[str, Any], folder: Path) -> str:
    path = as_text(as_dict(config.get("task")).get("path")).rstrip("/")
    return path.rsplit("/", 1)[-1] or folder.name.rsplit("__", 1)[0]


def _grade(trial: HarborTrial, rewards: dict[str, Any]) -> None:
    if not rewards:
        trial.told = "not graded: no reward"
        return
    numbers = {name: as_number(value) for name, value in rewards.items()}
    trial.checks = {name: _passed(number) for name, number in sorted(numbers.items())[:100]}
    trial.score = numbers.get("reward", next(iter(numbers.values())) if len(numbers) == 1 else None)
    trial.raw = _passed(trial.score)
    trial.told = ", ".join(f"{name} {rewards[name]}" for name in sorted(rewards)[:10])[:500]


def _passed(score: float | None) -> bool | None:
    """Full reward is a pass and none a fail; anything between is neither."""
    return {1.0: True, 0.0: False}.get(score) if score is not None else None


def _rewards(folder: Path, result: dict[str, Any], losses: Losses) -> dict[str, Any]:
    told = as_dict(result.get("verifier_result"))
    rewards = first(told, "rewards", "reward")
    if rewards is None:
        rewards = told.get("reward")
    if rewards is None:
        rewards = json_beside(folder, losses, "verifier", "reward.json")
    if rewards is None:
        rewards = _reward_text(folder, losses)
    if isinstance(rewards, dict):
        return rewards
    return {} if as_number(rewards) is None else {"reward": rewards}


def _reward_text(folder: Path, losses: Losses) -> float | None:
    path = inside(folder, "verifier", "reward.txt")
    if path is None:
        return None
    try:
        with path.open("rb") as stream:
            return as_number(float(stream.read(_REWARD_BYTES).strip()))
    except (ValueError, OSError) as error:
        losses.malformed("verifier/reward.txt", str(error))
        return None
