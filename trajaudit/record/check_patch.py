"""Is what a patch target names there, and out of the agent's sight?"""

import re
from collections.abc import Iterator, Mapping

from trajaudit.datamodel.patch_trial import PatchSpec
from trajaudit.datamodel.scenario import Task
from trajaudit.errors import ScenarioError
from trajaudit.record.check import Check, Found
from trajaudit.record.check_tool import file_fault
from trajaudit.record.project_files import ForeignPathError
from trajaudit.record.repository import read_repository

_CHANGE = re.compile(r"^(?:diff --git |--- )", re.MULTILINE)


def patch_faults(check: Check, task: Task, spec: PatchSpec) -> Iterator[Found]:
    """Yield what is wrong with a patch target, places relative to it."""
    yield from _repository_faults(check, spec)
    given = {**check.scenario.sandbox.files, **task.files}
    for key, name in (("gold", spec.gold), ("tests", spec.tests)):
        for text in _patch_file_faults(check, spec, name, given):
            yield (key,), text
    yield from _list_faults(spec)
    if spec.command is not None and not spec.command.strip():
        yield ("command",), "is empty; got nothing; a shell command is wanted"


def _repository_faults(check: Check, spec: PatchSpec) -> Iterator[Found]:
    try:
        read_repository(check.files, spec.repository)
    except ForeignPathError as error:
        yield ("repository",), str(error)
    except ScenarioError as error:
        for fault in error.faults:
            yield ("repository",), fault


def _patch_file_faults(
    check: Check, spec: PatchSpec, name: str, given: Mapping[str, str]
) -> Iterator[str]:
    fault = file_fault(check, name)
    if fault:
        yield fault
        return
    place = check.files.path(name)
    if place.is_relative_to(check.files.path(spec.repository)):
        yield f"lies in the repository, where the agent reads it; got {name!r}; move it out"
    copied = {check.files.path(source) for source in given.values() if _is_usable(check, source)}
    if place in copied:
        yield f"is copied into the agent's sandbox; got {name!r}; leave it out of files"
    try:
        text = check.files.text(name)
    except ScenarioError as error:
        yield error.faults[0]
        return
    if not _CHANGE.search(text):
        yield f"is no patch; got {name!r}; what `git diff` writes is wanted"


def _is_usable(check: Check, source: str) -> bool:
    try:
        check.files.path(source)
    except ForeignPathError:
        return False
    return True


def _list_faults(spec: PatchSpec) -> Iterator[Found]:
    if spec.fail_to_pass is not None and not spec.fail_to_pass:
        yield (
            ("fail_to_pass",),
            "is empty; got nothing; at least one test, or leave it out to have it computed",
        )
    seen: dict[str, str] = {}
    for key in ("fail_to_pass", "pass_to_pass"):
        for number, test in enumerate(getattr(spec, key) or ()):
            if test in seen:
                yield (key, number), f"is listed twice; got {test!r}, also in {seen[test]}"
            seen[test] = key
