"""Which run is meant by what was typed."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trajaudit.record.rundir import RunDir


def find_run(name: str, folder: Path | None) -> "RunDir":
    """Return the run of an id, the start of an id, a path, or `latest`."""
    from trajaudit.record.project import runs_dir
    from trajaudit.record.runs import open_run

    return open_run(name, folder or runs_dir(Path.cwd()))
