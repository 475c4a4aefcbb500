"""Which scenario does a YAML file hold? Every fault of it is told at once."""

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.target import PatchTarget, RubricTarget
from trajaudit.errors import ScenarioError
from trajaudit.record.check import Check
from trajaudit.record.crosscheck import crosscheck
from trajaudit.record.explain import explain
from trajaudit.record.fault import Faults
from trajaudit.record.includes import Includes
from trajaudit.record.partial import readable_part
from trajaudit.record.project import find_project, scenario_name
from trajaudit.record.project_files import ForeignPathError, ProjectFiles
from trajaudit.record.repository import SourceFile, read_repository
from trajaudit.record.written_types import written_faults
from trajaudit.record.yaml_nodes import Node
from trajaudit.record.yaml_source import MAX_BYTES, decode, parse_yaml, read_limited


@dataclass(frozen=True, kw_only=True)
class LoadedScenario:
    """A scenario with all includes resolved, and access to the files that it names."""

    scenario: Scenario
    path: Path
    """As it was given."""
    sha256: str
    """Of the YAML file."""
    files_sha256: dict[str, str] = field(default_factory=dict)
    """Of every file it names; names are relative to its folder."""
    root: Path
    """The scenario's folder, resolved."""
    project: Path
    """The project's root, resolved; nothing outside of it is read."""

    def open_file(self, name: str) -> bytes:
        """Return the bytes of a file beside the scenario.

        Raises:
            ScenarioError: it is missing, too large, or outside of the project.
        """
        try:
            return ProjectFiles(self.root, self.project, str(self.path.parent)).read(name)
        except ForeignPathError as error:
            raise ScenarioError([f"{self.path}:1: {error}"]) from error

    def open_repository(self, name: str) -> dict[str, SourceFile]:
        """Return path → file of a folder beside the scenario; errors as for `open_file`."""
        try:
            return read_repository(
                ProjectFiles(self.root, self.project, str(self.path.parent)), name
            )
        except ForeignPathError as error:
            raise ScenarioError([f"{self.path}:1: {error}"]) from error


def load_scenario(
    path: str | Path, *, project: Path | None = None, content: bytes | None = None
) -> LoadedScenario:
    """Read a scenario; nothing is executed, and nothing outside of the project is read.

    Args:
        path: the YAML file.
        project: the project's root; found upwards from the file by default.
        content: what the file is to hold, to see whether it may; None: what it holds.

    Raises:
        ScenarioError: every fault of the file and of those it names, `path:line:` each.
    """
    shown = os.fspath(path)
    if content is None:
        content = read_limited(Path(path), shown, max_bytes=MAX_BYTES)
    root = parse_yaml(decode(content, shown), shown)
    if root.kind != "map":
        raise ScenarioError([f"{shown}:{root.line}: no scenario; a mapping with tasks is wanted"])
    files = _files(Path(path), project)
    faults = Faults()
    includes = Includes(root, files, faults)
    includes.resolve()
    scenario = _checked(root, files, faults, tools_complete=includes.tools_complete)
    return LoadedScenario(
        scenario=_filled(scenario, Path(path)),
        path=Path(path),
        sha256=hashlib.sha256(content).hexdigest(),
        files_sha256=dict(sorted(files.sha256.items())),
        root=files.folder,
        project=files.project,
    )


def _files(path: Path, project: Path | None) -> ProjectFiles:
    folder = path.parent.resolve()
    inside = project.resolve() if project else find_project(folder) or folder
    if not folder.is_relative_to(inside):
        inside = folder
    return ProjectFiles(folder, inside, str(path.parent))


def _checked(root: Node, files: ProjectFiles, faults: Faults, *, tools_complete: bool) -> Scenario:
    kept: dict[str, list[int]] = {}
    part: Scenario | None
    for loc, text in written_faults(root, Scenario):
        faults.add(root, loc, text)
    try:
        part = whole = Scenario.model_validate(root.plain())
    except ValidationError as error:
        whole = None
        explain(error, Scenario, root, faults)
        part, kept = readable_part(root, [details["loc"] for details in error.errors()])
    if part is not None:
        crosscheck(
            Check(
                scenario=part,
                root=root,
                faults=faults,
                files=files,
                kept=kept,
                tools_complete=tools_complete,
            )
        )
    faults.raise_any()
    if whole is None:
        raise ScenarioError([f"{root.file}:1: no scenario; its fields do not validate"])
    return whole


def _filled(scenario: Scenario, path: Path) -> Scenario:
    """Fill the defaults that a scenario has for its tasks, and its name."""
    update: dict[str, Any] = {
        "name": scenario.name or scenario_name(path),
        "tasks": tuple(_filled_task(task, scenario) for task in scenario.tasks),
    }
    return scenario.model_copy(update=update)


def _filled_task(task: Task, scenario: Scenario) -> Task:
    update: dict[str, Any] = {}
    if task.accept is None and scenario.accept is not None:
        update["accept"] = scenario.accept
    target = task.target
    if (
        target is not None
        and target.answer_format is None
        and scenario.answer_format is not None
        and not isinstance(target, (PatchTarget, RubricTarget))
    ):
        update["target"] = target.model_copy(update={"answer_format": scenario.answer_format})
    return task.model_copy(update=update) if update else task
