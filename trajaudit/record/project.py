"""Where is the project, and what do its names mean?"""

import hashlib
import os
import subprocess
from pathlib import Path

from trajaudit.errors import ScenarioError, UsageError
from trajaudit.record.fault import nearest

_MARKS = ("scenarios", "sandboxes", "judges")


def find_project(start: Path) -> Path | None:
    """Return the nearest folder from `start` upwards with scenarios/, sandboxes/ or judges/."""
    folder = start.resolve()
    for candidate in (folder, *folder.parents):
        if any((candidate / mark).is_dir() for mark in _MARKS):
            return candidate
    return None


def data_root() -> Path:
    """Return the folder with what trajaudit itself ships."""
    package = Path(__file__).resolve().parents[1]
    packaged = package / "data"
    return packaged if packaged.is_dir() else package.parent


def project_roots(start: Path) -> list[Path]:
    """Return where names are looked up: the project of `start` first, then what is shipped."""
    roots = [find_project(start), data_root()]
    return list(dict.fromkeys(root for root in roots if root is not None))


def sandbox_folders(start: Path) -> list[Path]:
    """Return the `sandboxes/` folders, the project's own first."""
    folders = [root / "sandboxes" for root in project_roots(start)]
    return [folder for folder in folders if folder.is_dir()]


def judge_folders(start: Path) -> list[Path]:
    """Return the `judges/` folders, the project's own first."""
    folders = [root / "judges" for root in project_roots(start)]
    return [folder for folder in folders if folder.is_dir()]


def runs_dir(start: Path, env: dict[str, str] | None = None) -> Path:
    """Return where runs are kept: $TRAJAUDIT_RUNS, or `runs/` of the project or of `start`."""
    chosen = (os.environ if env is None else env).get("TRAJAUDIT_RUNS")
    return Path(chosen) if chosen else (find_project(start) or start) / "runs"


def resolve_scenario(name: str | Path, start: Path | None = None) -> list[Path]:
    """Return the scenario files that a path, `suite/scenario`, or a suite names.

    Raises:
        ScenarioError: there is none; the text names the nearest.
    """
    path = Path(name)
    if path.is_file():
        return [path]
    if str(name) and path.is_dir():
        return _suite(path, str(name))
    roots = [root / "scenarios" for root in project_roots(start or Path.cwd())]
    for folder in roots:
        found = _below(folder, str(name))
        if found:
            return found
    known = {scenario_name(file) for folder in roots for file in folder.glob("*/*.yaml")}
    raise ScenarioError([f"there is no scenario {str(name)!r}; {nearest(str(name), known)}"])


def _below(folder: Path, name: str) -> list[Path]:
    plain = Path(name)
    if plain.is_absolute() or ".." in plain.parts or "\0" in name or not name:
        return []
    file = folder / (name if name.endswith(".yaml") else f"{name}.yaml")
    if file.is_file():
        return [file]
    return _suite(folder / name, name) if (folder / name).is_dir() else []


def _suite(folder: Path, name: str) -> list[Path]:
    files = sorted(file for file in folder.glob("*.yaml") if file.is_file())
    if not files:
        raise ScenarioError([f"{name}:1: no scenario in this folder; got no *.yaml; name another"])
    return files


def scenario_name(path: Path) -> str:
    """Return `suite/scenario` for a scenario's path: what follows `scenarios/`, without suffix."""
    full = Path(os.path.abspath(path)).with_suffix("")  # noqa: PTH100 (a link keeps its own name)
    parents = full.parts[:-1]
    if "scenarios" in parents:
        after = len(parents) - parents[::-1].index("scenarios")
        return "/".join(full.parts[after:])
    return "/".join(full.parts[-2:]).lstrip("/")


def sha256_tree(folder: Path, pattern: str = "*.py") -> str:
    """Return one SHA-256 over the names and contents of the files below a folder.

    Raises:
        UsageError: a file cannot be read.
    """
    digest = hashlib.sha256()
    try:
        for file in sorted(folder.rglob(pattern)):
            content = file.read_bytes()
            digest.update(f"{file.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be read; {error.strerror}") from error
    return digest.hexdigest()


def git_commit(folder: Path) -> str | None:
    """Return the commit that is checked out, or None without git or a repository.

    Deliberate: nothing but rev-parse is asked; other commands run hooks of a foreign repository.
    """
    command = ["git", "-C", str(folder), "rev-parse", "--verify", "HEAD"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)  # noqa: S603 (fixed words and a path)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return run.stdout.strip() or None if run.returncode == 0 else None
