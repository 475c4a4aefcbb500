"""What stands in `sandboxes/<name>/`: a Dockerfile, a sandbox.yaml and the files of the image."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import Field, ValidationError

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import ScenarioError

DEBIAN = "debian"
"""The base that is not a definition: see bootstrap.py."""
SKIPPED = {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".DS_Store"}
MAX_YAML = 65536
SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL")


class DefinitionLimits(Record):
    """Limits of the image; what a scenario sets otherwise wins."""

    memory_mb: int | None = Field(default=None, ge=16)
    cpus: float | None = Field(default=None, gt=0)
    pids: int | None = Field(default=None, ge=8)
    disk_mb: int | None = Field(default=None, ge=1)


class SandboxFile(Record):
    """The content of a sandbox.yaml."""

    base: str = DEBIAN
    """`debian`, or another definition, which is built first; the Dockerfile sees it as ARG BASE."""
    limits: DefinitionLimits = DefinitionLimits()
    user: str | None = None
    workdir: str | None = None
    env: tuple[str, ...] = ()
    """Variables of the host that are passed in; names that look like secrets are refused."""


@dataclass(frozen=True, kw_only=True)
class Definition:
    """One image definition."""

    name: str
    folder: Path
    settings: SandboxFile

    def files(self) -> list[Path]:
        """Return the files of the build, sorted, relative to the folder."""
        found = (path.relative_to(self.folder) for path in self.folder.rglob("*") if path.is_file())
        return sorted(
            path for path in found if not SKIPPED & set(path.parts) and path != Path("sandbox.yaml")
        )

    def digest(self, base: str) -> str:
        """Return a hash of everything that goes into the image; `base` is the base's reference."""
        total = hashlib.sha256(base.encode())
        for path in self.files():
            full = self.folder / path
            mode = b"x" if full.stat().st_mode & 0o100 else b"-"
            content = hashlib.sha256(full.read_bytes()).digest()
            total.update(b"\0".join([path.as_posix().encode(), mode, content]))
        return total.hexdigest()[:16]

    def apply(self, spec: SandboxSpec) -> SandboxSpec:
        """Return `spec` with this image's settings where `spec` holds the general default."""
        own = {
            **self.settings.limits.model_dump(exclude_none=True),
            **self.settings.model_dump(include={"user", "workdir"}, exclude_none=True),
        }
        general = SandboxSpec()
        update = {
            name: value
            for name, value in own.items()
            if getattr(spec, name) == getattr(general, name)
        }
        return spec.model_copy(update=update)


def find(name: str, folders: Sequence[Path]) -> Definition | None:
    """Return the first definition of that name, or None.

    Raises:
        ScenarioError: its sandbox.yaml is wrong.
    """
    if "/" in name or name.startswith("."):
        return None
    for folder in folders:
        if (folder / name / "sandbox.yaml").is_file():
            return load(folder / name)
    return None


def names(folders: Sequence[Path]) -> list[str]:
    """Return the names of all definitions."""
    return sorted(
        {path.parent.name for folder in folders for path in folder.glob("*/sandbox.yaml")}
    )


def load(folder: Path) -> Definition:
    """Read one definition.

    Raises:
        ScenarioError: sandbox.yaml is wrong, or there is no Dockerfile.
    """
    path = folder / "sandbox.yaml"
    if not (folder / "Dockerfile").is_file():
        raise ScenarioError([f"{folder / 'Dockerfile'}:1: file is missing"])
    try:
        settings = SandboxFile.model_validate(_parse(path) or {})
    except ValidationError as e:
        raise ScenarioError(
            [f"{path}:1: {'.'.join(map(str, err['loc']))}: {err['msg']}" for err in e.errors()]
        ) from e
    secrets = [n for n in settings.env if any(word in n.upper() for word in SECRET_WORDS)]
    if secrets:
        raise ScenarioError([f"{path}:1: env: secrets never enter a sandbox; got {secrets}"])
    return Definition(name=folder.name, folder=folder, settings=settings)


def _parse(path: Path) -> object:
    with path.open("rb") as file:
        data = file.read(MAX_YAML + 1)
    if len(data) > MAX_YAML:
        raise ScenarioError([f"{path}:1: file is larger than {MAX_YAML} bytes"])
    try:
        for event in yaml.parse(data, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise ScenarioError([f"{path}:{line}: aliases are not allowed here"])
        value: object = yaml.safe_load(data)
    except yaml.YAMLError as e:
        mark = e.problem_mark if isinstance(e, yaml.MarkedYAMLError) else None
        line = 1 if mark is None else mark.line + 1
        raise ScenarioError([f"{path}:{line}: not YAML; got: {e}"]) from e
    return value
