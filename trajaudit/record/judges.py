"""Which panel, rubric and prompt does a name mean? Every fault of them is told at once."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.judging import Panel, Rubric
from trajaudit.errors import ScenarioError
from trajaudit.record.explain import explain
from trajaudit.record.fault import Faults, nearest
from trajaudit.record.project import judge_folders
from trajaudit.record.written_types import written_faults
from trajaudit.record.yaml_source import MAX_BYTES, decode, parse_yaml, read_limited

PLACEHOLDERS = frozenset({"nonce", "rubric", "criteria", "contract"})
"""What a prompt has to hold, each in double braces."""
COMMIT_PROMPT = "commit"
"""File of `judges/prompts/` by which judges make notes beforehand."""
_OF_NOTES = frozenset({"nonce", "contract"})
_HOLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,80}")
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, kw_only=True)
class LoadedPanel:
    """A panel with the rubric and the prompt that it uses."""

    panel: Panel
    rubric: Rubric
    prompt: str
    commit_prompt: str = ""
    """Empty where the panel makes no notes beforehand."""
    sha256: dict[str, str]
    """Of each file; names are relative to `judges/`."""


def load_panel(name: str, start: Path, *, rubric: str | None = None) -> LoadedPanel:
    """Return the panel of a name (`default`, `panels/default`) or of a path to a YAML file.

    Args:
        name: what was typed.
        start: where names are looked up from; the project's own files come before the shipped.
        rubric: takes the place of the panel's own.

    Raises:
        ScenarioError: a file is missing or wrong; `path:line:` each.
    """
    given = Path(name)
    path = (
        given if given.suffix == ".yaml" and given.is_file() else find_file("panels", name, start)
    )
    panel, panel_sha256 = load_record(path, Panel)
    rubric_path = find_file("rubrics", rubric or panel.rubric, start)
    found, rubric_sha256 = load_record(rubric_path, Rubric)
    prompts = {found.prompt: PLACEHOLDERS}
    if panel.commit_first:
        prompts[COMMIT_PROMPT] = _OF_NOTES
    texts = {name: load_prompt(name, start, holes) for name, holes in prompts.items()}
    return LoadedPanel(
        panel=panel,
        rubric=found,
        prompt=texts[found.prompt][0],
        commit_prompt=texts[COMMIT_PROMPT][0] if panel.commit_first else "",
        sha256={
            f"panels/{path.name}": panel_sha256,
            f"rubrics/{rubric_path.name}": rubric_sha256,
            **{f"prompts/{name}.md": digest for name, (_, digest) in texts.items()},
        },
    )


def load_prompt(name: str, start: Path, holes: frozenset[str]) -> tuple[str, str]:
    """Return the text of a prompt and its hash."""
    path = find_file("prompts", name, start)
    content = read_limited(path, str(path), max_bytes=MAX_BYTES)
    prompt = decode(content, str(path))
    _check_prompt(prompt, str(path), holes)
    return prompt, hashlib.sha256(content).hexdigest()


def load_rubric(name: str, start: Path) -> Rubric:
    """Return the rubric of a name; errors as for `load_panel`."""
    return load_record(find_file("rubrics", name, start), Rubric)[0]


def names_of(kind: str, start: Path) -> list[str]:
    """Return the names of all `panels`, `rubrics` or `prompts` that can be used."""
    folders = [folder / kind for folder in judge_folders(start)]
    files = [file for folder in folders if folder.is_dir() for file in folder.iterdir()]
    return sorted({file.stem for file in files if file.suffix == _suffix(kind)})


def find_file(kind: str, name: str, start: Path) -> Path:
    """Return the file of a name; the project's own come first. ScenarioError: there is none."""
    plain = name.removeprefix(f"{kind}/").removesuffix(_suffix(kind))
    if _PLAIN.fullmatch(plain):
        for folder in judge_folders(start):
            path = folder / kind / f"{plain}{_suffix(kind)}"
            if path.is_file():
                return path
    known = names_of(kind, start)
    raise ScenarioError([f"there is no {kind[:-1]} {name!r}; {nearest(plain, known)}"])


def _suffix(kind: str) -> str:
    return ".md" if kind == "prompts" else ".yaml"


def load_record(path: Path, model: type[R]) -> tuple[R, str]:
    """Return a file's record and hash; ScenarioError with every fault of it."""
    shown = str(path)
    content = read_limited(path, shown, max_bytes=MAX_BYTES)
    root = parse_yaml(decode(content, shown), shown)
    faults = Faults()
    if root.kind != "map":
        raise ScenarioError(
            [f"{shown}:{root.line}: no {model.__name__.lower()}; a mapping is wanted"]
        )
    for loc, text in written_faults(root, model):
        faults.add(root, loc, text)
    try:
        record = model.model_validate(root.plain())
    except ValidationError as error:
        explain(error, model, root, faults)
        faults.raise_any()
        raise ScenarioError([f"{shown}:1: damaged; {error.errors()[0]['msg']}"]) from error
    if getattr(record, "name", path.stem) != path.stem:
        faults.add(root, ["name"], f"is not the file's; got {root.plain()['name']!r}; {path.stem}")
    faults.raise_any()
    return record, hashlib.sha256(content).hexdigest()


def _check_prompt(prompt: str, shown: str, holes: frozenset[str]) -> None:
    faults: list[str] = []
    found = {match[1] for match in _HOLE.finditer(prompt)}
    for match in _HOLE.finditer(prompt):
        if match[1] not in holes:
            line = prompt.count("\n", 0, match.start()) + 1
            hint = nearest(match[1], holes)
            faults.append(f"{shown}:{line}: unknown placeholder; got {match[1]!r}; {hint}")
    missing = sorted(holes - found)
    faults += [f"{shown}:1: a placeholder is missing; add {{{{{name}}}}}" for name in missing]
    if faults:
        raise ScenarioError(faults)
