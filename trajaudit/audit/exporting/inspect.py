"""A log that Inspect and its viewer read: `.eval`, version 2, our verdicts as scores.

Scores `final`, `lenient` and `strict` (and `raw`, what an imported log had said) of each sample;
findings and verdicts in its metadata. Written sample by sample: memory holds one.
"""

import json
import os
import zipfile
from pathlib import Path
from typing import Any

from trajaudit import __version__
from trajaudit.audit.exporting.base import Exporter, audited_trials
from trajaudit.audit.exporting.inspect_sample import SCORES, sample_of
from trajaudit.datamodel.run import RunConfig
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import storing

_SUMMARY = ("id", "epoch", "input", "target", "scores", "uuid", "model_usage", "total_time")
_LONGEST_INPUT = 5000
"""Characters of an input in the summaries."""
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
"""Of the members: the same run gives the same file."""


def write(run: RunDir, path: Path) -> int:
    """Write the log; return the number of samples."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    with storing(path):
        try:
            with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
                trials = _write(run, archive)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    return trials


def _write(run: RunDir, archive: zipfile.ZipFile) -> int:
    start = {"version": 2, "eval": _eval(run.config), "plan": _plan(run.config)}
    _add(archive, "_journal/start.json", start)
    summaries: list[dict[str, Any]] = []
    for one in audited_trials(run):
        sample = sample_of(one)
        _add(archive, f"samples/{sample['id']}_epoch_{sample['epoch']}.json", sample)
        summaries.append({name: sample[name] for name in _SUMMARY})
        summaries[-1]["input"] = sample["input"][:_LONGEST_INPUT]
        summaries[-1] |= {"metadata": {}, "completed": True}
    _add(archive, "summaries.json", summaries)
    header = {
        **start,
        "status": "success",
        "results": _results(summaries),
        "stats": {"started_at": run.config.created, "completed_at": run.config.created},
    }
    _add(archive, "header.json", header)
    return len(summaries)


def _add(archive: zipfile.ZipFile, name: str, value: Any) -> None:
    info = zipfile.ZipInfo(name, _FIXED_DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, json.dumps(value, separators=(",", ":")))


def _eval(config: RunConfig) -> dict[str, Any]:
    name = config.scenario.name or "run"
    return {
        "eval_id": config.run_id,
        "run_id": config.run_id,
        "created": config.created,
        "task": name,
        "task_id": name,
        "task_version": 0,
        "task_args": {},
        "dataset": {
            "name": name,
            "samples": len(config.task_ids),
            "sample_ids": list(config.task_ids),
            "shuffled": False,
        },
        "model": config.model_id or "none",
        "model_args": {},
        "config": {"epochs": max(config.trials, 1)},
        "packages": {"trajaudit": __version__},
        "scorers": [{"name": name, "options": {}, "metrics": []} for name in SCORES],
    }


def _plan(config: RunConfig) -> dict[str, Any]:
    return {"name": "plan", "steps": [{"solver": config.agent, "params": {}}], "config": {}}


def _results(summaries: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "total_samples": len(summaries),
        "completed_samples": len(summaries),
        "scores": [_rate(name, summaries) for name in SCORES],
    }


def _rate(name: str, summaries: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the share of passes among what was graded; none where nothing was."""
    values = [one["scores"][name]["value"] for one in summaries]
    graded = [value == "C" for value in values if isinstance(value, str)]
    rate = sum(graded) / len(graded) if graded else None
    metric: dict[str, Any] = {"name": "accuracy", "value": rate, "params": {}}
    return {
        "name": name,
        "scorer": name,
        "params": {},
        "scored_samples": len(graded),
        "unscored_samples": len(values) - len(graded),
        "metrics": {} if rate is None else {"accuracy": metric},
    }


EXPORTER = Exporter(
    name="inspect",
    suffix=".eval",
    write=write,
    describes="a log for Inspect: verdicts as scores, findings in the metadata",
)
