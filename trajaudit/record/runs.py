"""Which runs are there, and which one is meant?"""

import os
from pathlib import Path

from trajaudit.errors import RunDirError
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import storing


def list_run_dirs(runs_dir: Path) -> list[RunDir]:
    """Return the runs of a folder, oldest id first; a folder that is not there has none."""
    try:
        names = sorted(entry.name for entry in os.scandir(runs_dir) if entry.is_dir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RunDirError(f"{runs_dir}: cannot be read; {error.strerror}") from error
    paths = [runs_dir / name for name in names if not name.startswith(".")]
    return [RunDir(path) for path in paths if (path / "run.json").is_file()]


def open_run(name: str | Path, runs_dir: Path) -> RunDir:
    """Return the run that a path, an id, the start of an id, or `latest` names.

    Raises:
        RunDirError: there is none, or a start fits several.
    """
    runs = list_run_dirs(runs_dir)
    text = str(name)
    if text == "latest" and runs:
        return max(runs, key=lambda run: (run.config.created, run.run_id))
    exact = [run for run in runs if run.run_id == text]
    if exact:
        return exact[0]
    path = Path(name)
    if text and (path / "run.json").is_file():
        return RunDir(path.resolve())
    return _by_prefix(text, runs, runs_dir)


def _by_prefix(text: str, runs: list[RunDir], runs_dir: Path) -> RunDir:
    found = [run for run in runs if text and run.run_id.startswith(text)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(run.run_id for run in found[:5])
        raise RunDirError(
            f"more than one run starts with {text!r}; got {ids}; write more of the id"
        )
    if text and Path(text).is_dir():
        raise RunDirError(f"{text}: no run directory; got a folder without run.json; name a run")
    newest = ", ".join(run.run_id for run in runs[-3:]) or "none"
    raise RunDirError(f"there is no run {text!r} in {runs_dir}; got {newest}; name one of them")


def reopen_infra_failures(run: RunDir) -> int:
    """Let the trials that infrastructure failed be done again; return how many there are.

    Their record becomes `failed.json`, kept with the journal when the trial is abandoned.

    Raises:
        StorageError: a record cannot be moved.
    """
    failed = [one for one in run.read_trials() if one.end_reason == "infra_error"]
    for record in failed:
        folder = run.trial_dir(record.task_id, record.trial)
        with storing(folder):
            (folder / "trial.json").rename(folder / "failed.json")
    return len(failed)
