"""Which changed lines does no listed test execute?"""

import json
import posixpath
from collections.abc import Mapping

from pydantic import BaseModel, TypeAdapter, ValidationError

from trajaudit.audit.verifying.beyond_tree import NotDoneError, Opened, opened
from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance, TestStatus
from trajaudit.datamodel.patch_evidence import TestRun
from trajaudit.datamodel.patch_findings import (
    BeyondCheck,
    CheckResult,
    LineRange,
    PatchFinding,
    PatchFindingKind,
    clean,
    found,
)
from trajaudit.score.patch.changes import changed_lines, line_ranges

COVERAGE = BeyondCheck.COVERAGE
LISTED, TO_FIX = "listed", "to_fix"
"""Groups of tests."""
WATCHED = "the listed tests end differently when they are watched"


class Lines(BaseModel):
    """What one file has, and what of it ran."""

    executable: set[int]
    executed: dict[str, set[int]]
    """By any listed test, and by those that have to be fixed."""


_Told = TypeAdapter(dict[str, Lines])


def check_coverage(
    verifier: Verifier, instance: Instance, patch: str, statuses: Mapping[str, TestStatus]
) -> CheckResult:
    """Run the listed tests once more and watch the changed files.

    Args:
        verifier: Starts the container.
        instance: Whose tests.
        patch: What changes the files.
        statuses: How the listed tests ended when nobody watched.

    Raises:
        NotDoneError: it cannot be known.
        SandboxError: the infrastructure failed.
    """
    with opened(verifier, instance, patch) as place:
        run, lines = covered(place)
    if any(run.statuses.get(test) != status for test, status in statuses.items()):
        raise NotDoneError(WATCHED)
    total = sum(len(one.executable) for one in lines.values())
    if not total:
        raise NotDoneError("the patch changes no line of Python that could be executed")
    missed = [
        one
        for path, known in sorted(lines.items())
        for one in line_ranges(path, known.executable - known.executed[LISTED])
    ]
    if not missed:
        return clean(COVERAGE, f"the listed tests execute all {total} changed lines")
    return found(COVERAGE, _finding(missed, total))


def covered(place: Opened) -> tuple[TestRun, dict[str, Lines]]:
    """Run the tests; return, for each changed file, the changed lines with code and what ran.

    Raises:
        NotDoneError: it cannot be known.
        SandboxError: the infrastructure failed.
    """
    paths = place.changed
    if not paths:
        raise NotDoneError("the patch changes no Python file but tests")
    instance = place.instance
    listed = [*instance.fail_to_pass, *instance.pass_to_pass]
    groups = {LISTED: listed, TO_FIX: list(instance.fail_to_pass)}
    absolute = [posixpath.join(place.tree.root, path) for path in paths]
    settings = {"files": absolute, "groups": groups}
    run = place.run_tests("coverage_plugin", json.dumps(settings).encode())
    if run.from_log:
        raise NotDoneError("the tests are not run by pytest")
    told = list(_told(place.said("executed")).values())
    if len(told) != len(paths) or any(set(groups) != set(one.executed) for one in told):
        raise NotDoneError("what the watched tests left behind cannot be read")
    # The plug-in keeps the order of the files; links may have given them other names.
    return run, {path: _of_patch(place, path, one) for path, one in zip(paths, told, strict=True)}


def _of_patch(place: Opened, path: str, seen: Lines) -> Lines:
    executable = seen.executable & changed_lines(place.before.get(path), place.after[path])
    executed = {name: lines & executable for name, lines in seen.executed.items()}
    return Lines(executable=executable, executed=executed)


def _told(content: bytes) -> dict[str, Lines]:
    try:
        return _Told.validate_json(content)
    except ValidationError as e:
        raise NotDoneError("what the watched tests left behind cannot be read") from e


def _finding(missed: list[LineRange], total: int) -> PatchFinding:
    count = sum(one.last - one.first + 1 for one in missed)
    shown = ", ".join(map(str, missed[:3])) + ", ..." * (len(missed) > 3)
    return PatchFinding(
        kind=PatchFindingKind.UNTESTED_LINES,
        reason=f"no listed test executes {count} of {total} changed lines: {shown}",
        count=count,
        of=total,
        places=tuple(missed),
    )
