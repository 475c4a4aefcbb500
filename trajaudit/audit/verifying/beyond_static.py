"""Which warnings does ruff give of changed files that it did not give before?

Ruff only reads: nothing of the project runs on the host, and none of its settings count.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from trajaudit.audit.verifying.beyond_tree import NotDoneError, opened
from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance
from trajaudit.datamodel.patch_findings import (
    BeyondCheck,
    CheckResult,
    PatchFinding,
    PatchFindingKind,
    clean,
    found,
)
from trajaudit.score.patch.changes import changed_lines, shown
from trajaudit.score.patch.lint import Warned, new_warnings

STATIC = BeyondCheck.STATIC
RULES = "E9,F"
"""Errors of syntax, and what pyflakes knows: undefined and unused names, wrong formats."""
LIMIT_S = 60
MOST_SHOWN = 20


class _Place(BaseModel):
    row: int


class _Told(BaseModel):
    code: str | None = None
    message: str
    location: _Place


_ALL = TypeAdapter(list[_Told])


def check_static(verifier: Verifier, instance: Instance, patch: str) -> CheckResult:
    """Compare the warnings of changed files before and after a patch.

    Raises:
        NotDoneError: there is no ruff, or nothing for it to read.
        SandboxError: the infrastructure failed.
    """
    ruff = find_ruff()
    with opened(verifier, instance, patch, tests=False) as place:
        paths, before, after = place.changed, place.before, place.after
    if not paths:
        raise NotDoneError("the patch changes no Python file but tests")
    new: list[Warned] = []
    for path in paths:
        changed = changed_lines(before.get(path), after[path])
        known = warned(ruff, path, before[path]) if path in before else []
        new += new_warnings(known, warned(ruff, path, after[path]), changed)
    if not new:
        return clean(STATIC, f"ruff ({RULES}) says nothing new of {len(paths)} changed files")
    texts = "; ".join(str(one) for one in new[:2]) + "; ..." * (len(new) > 2)
    finding = PatchFinding(
        kind=PatchFindingKind.NEW_WARNINGS,
        reason=f"{len(new)} new warnings of ruff: {texts}",
        count=len(new),
        places=tuple(one.place for one in new[:MOST_SHOWN]),
        details=tuple(str(one) for one in new[:MOST_SHOWN]),
    )
    return found(STATIC, finding)


def find_ruff() -> str:
    """Return where ruff is: beside this Python, or on the path.

    Raises:
        NotDoneError: nowhere.
    """
    beside = Path(sys.executable).with_name("ruff")
    path = str(beside) if beside.is_file() else shutil.which("ruff")
    if path is None:
        raise NotDoneError("ruff is not installed")
    return path


def warned(ruff: str, path: str, content: bytes) -> list[Warned]:
    """Return what ruff says of one file, whatever the file says about that."""
    command = [ruff, "check", "--isolated", "--no-cache", "--ignore-noqa", "--select", RULES]
    options: dict[str, Any] = {"input": content, "capture_output": True, "timeout": LIMIT_S}
    name = path.rpartition("/")[2].encode("utf-8", "replace").decode()
    try:
        done = subprocess.run(  # noqa: S603 (a fixed program; the file is only read)
            [*command, "--target-version", "py314", "--output-format", "json",
             f"--stdin-filename=./{name}", "-"],
            check=False, **options,
        )  # fmt: skip
        told = _ALL.validate_json(done.stdout) if done.returncode in {0, 1} else None
    except (OSError, ValidationError, subprocess.TimeoutExpired) as e:
        raise NotDoneError(f"ruff cannot read {shown(path)}") from e
    if told is None:
        raise NotDoneError(f"ruff cannot read {shown(path)}")
    return [
        Warned(
            path=shown(path), line=one.location.row, code=one.code or "syntax", message=one.message
        )
        for one in told
    ]
