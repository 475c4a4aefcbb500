"""A scored run in the format of another tool."""

from pathlib import Path

from trajaudit import plugins
from trajaudit.audit.exporting import EXPORTERS
from trajaudit.errors import UsageError
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import storing


def export_run(run: RunDir, format_name: str, path: Path | None = None) -> tuple[Path, int]:
    """Write a run in a format; return the file and how many trials are in it.

    Args:
        run: a scored run.
        format_name: a key of `EXPORTERS`, or a plug-in.
        path: a file, or a folder that is there; default: in the run's own folder `exports`.

    Raises:
        UsageError: the run was not scored, or there is no such format.
        StorageError: it cannot be written; an earlier file stays as it was.
    """
    exporter = plugins.find("exporter", format_name, EXPORTERS)
    name = f"{run.run_id}{exporter.suffix}"
    target = path or run.path / "exports" / name
    if path is not None and target.is_dir():
        target /= name
    with storing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
    if target.resolve().is_relative_to(run.path.resolve()) and target.parent.name != "exports":
        raise UsageError(f"{target}: lies in the run itself; choose another file")
    return target, exporter.write(run, target)
