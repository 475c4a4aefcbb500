"""Runs plug-ins and programs as they run in a container: with nothing of ours near."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from trajaudit.audit.verifying.beyond_tree import source


def run_pytest(
    folder: Path, plugin: str, settings: str, *arguments: str
) -> subprocess.CompletedProcess[bytes]:
    """Run pytest in `folder/project` with a plug-in whose home is `folder/home`."""
    home = prepared(folder, {f"{plugin}.py": source(plugin), "settings": settings.encode()})
    ours = {"BEYOND_HOME": str(home), "PYTHONPATH": str(home)}
    environment = {**os.environ, **ours, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", plugin, "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=folder / "project", env=environment, capture_output=True, check=False
    )


def run_program(folder: Path, name: str, *arguments: str) -> None:
    """Run a program whose home is `folder/home`, in `folder/project`."""
    programs = ("probe_program", "inputs_program")
    home = prepared(folder, {f"{one}.py": source(one) for one in programs})
    command = [sys.executable, str(home / f"{name}.py"), str(home), *arguments]
    subprocess.run(command, cwd=folder / "project", capture_output=True, check=True)


def prepared(folder: Path, contents: Mapping[str, bytes]) -> Path:
    """Write files into the home, and return it."""
    home = folder / "home"
    for place in (home, folder / "project"):
        place.mkdir(exist_ok=True)
    for name, content in contents.items():
        (home / name).write_bytes(content)
    return home
