"""`trajaudit verify init`: an instance of a repository or archive, its lists found by running."""

import secrets
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.making import (
    MADE_BY,
    WORKDIR,
    definition_files,
    definition_name,
    write_definition,
)
from trajaudit.datamodel.patch import Instance, Prediction
from trajaudit.datamodel.patch_evidence import Evidence, TestRun
from trajaudit.errors import UsageError
from trajaudit.record.patch_files import InstanceFile
from trajaudit.record.project import find_project, sandbox_folders
from trajaudit.record.source import SourceRequest, read_source
from trajaudit.sandbox import definition
from trajaudit.sandbox.docker_verifier import DockerVerifier
from trajaudit.score.patch.listing import FoundLists, find_lists


@dataclass(frozen=True, kw_only=True)
class InitRequest:
    """What an instance is made of."""

    source: SourceRequest
    out: Path
    """JSON lines; the instance is appended."""
    instance_id: str | None = None
    """None: name and base commit of the source."""
    sandbox: str = "pytest-base"
    """Definition that the image is built upon."""
    install: str | None = None
    test_command: str | None = None
    timeout_s: float = 1800
    repeats: int = 2
    say: Callable[[str], None] = field(default=lambda _: None)


@dataclass(frozen=True, kw_only=True)
class Made:
    """An instance that was written, and what was left out of its lists."""

    instance: Instance
    lists: FoundLists
    definition: Path
    notes: Sequence[str]


def make_instance(request: InitRequest) -> Made:
    """Make an image, find both lists by running the tests without and with the fix, write a line.

    Raises:
        UsageError: a source, a patch or an option is wrong, or the tests show no fix; nothing was
            written.
        SandboxError: the infrastructure failed; nothing was written.
    """
    _refuse(request)
    source = read_source(request.source)
    name = request.instance_id or source.name
    target = InstanceFile(request.out)
    target.refuse(name)
    image = definition_name(name)
    final = (find_project(Path.cwd()) or Path.cwd()) / "sandboxes" / image
    _refuse_foreign(final)
    instance = Instance(
        instance_id=name,
        image=image,
        repo=source.repo,
        base_commit=source.commit,
        patch=source.gold,
        test_patch=source.tests,
        fail_to_pass=(),
        test_command=request.test_command,
        workdir=WORKDIR,
        timeout_s=request.timeout_s,
    )
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / image
        files = definition_files(source.tree, request.sandbox, request.install)
        write_definition(made, files)
        lists = _found(request, instance, Path(scratch))
        found = instance.model_copy(
            update={"fail_to_pass": lists.fail_to_pass, "pass_to_pass": lists.pass_to_pass}
        )
        shutil.rmtree(final, ignore_errors=True)
        shutil.copytree(made, final)
    target.append(found)
    return Made(instance=found, lists=lists, definition=final, notes=source.notes)


def _refuse(request: InitRequest) -> None:
    faults = []
    if request.repeats < 1:
        faults.append(f"repeats must be at least 1; got {request.repeats}")
    if request.timeout_s <= 0:
        faults.append(f"timeout must be more than 0 seconds; got {request.timeout_s:g}")
    if definition.find(request.sandbox, sandbox_folders(Path.cwd())) is None:
        known = ", ".join(definition.names(sandbox_folders(Path.cwd())))
        faults.append(f"unknown sandbox {request.sandbox!r}; known: {known}")
    if faults:
        raise UsageError("\n".join(faults))


def _refuse_foreign(folder: Path) -> None:
    """Refuse to write over a definition that somebody wrote."""
    path = folder / "sandbox.yaml"
    if folder.exists() and not (path.is_file() and path.read_text().startswith(MADE_BY)):
        raise UsageError(f"{folder}: is there already and was not made by this; name another --id")


def _found(request: InitRequest, instance: Instance, scratch: Path) -> FoundLists:
    """Run the tests in the new image.

    Raises:
        UsageError: patches do not apply, or the tests do not tell the fix from the base.
    """
    folders = [scratch, *sandbox_folders(Path.cwd())]
    containers = DockerVerifier(folders, progress=request.say)
    gold = Prediction(
        instance_id=instance.instance_id, model_name_or_path="gold", model_patch=instance.patch
    )
    try:
        containers.reap()
        verifier = Verifier(containers=containers, run_id=f"verify-{secrets.token_hex(4)}")
        before = verifier.baseline(instance, repeats=request.repeats)
        if before.fault:
            raise UsageError(f"the test patch does not apply to the base; got: {before.fault}")
        request.say(f"ran the tests {request.repeats} times without the fix")
        after = verifier.examine(instance, gold, repeats=request.repeats)
    finally:
        containers.close()
    faults = [*_gold_faults(after), *_run_faults(before.runs, "without"), *_run_faults(after.runs)]
    if faults:
        raise UsageError("\n".join(dict.fromkeys(faults)))
    lists = find_lists(*([run.statuses for run in runs] for runs in (before.runs, after.runs)))
    if not lists.fail_to_pass:
        raise UsageError(_nothing_fixed(lists, before.runs[0], after.runs[0]))
    return lists


def _nothing_fixed(lists: FoundLists, before: TestRun, after: TestRun) -> str:
    counts = f"{len(before.statuses)} tests without it, {len(after.statuses)} with it"
    ends = f"{len(lists.never_pass)} never pass, {len(lists.flaky)} are flaky"
    uncollected = f"; pytest says: {_last_words(after)}" if after.collection_failed else ""
    return (
        f"no test fails without the fix and passes with it; got {counts}, of which {ends}; give "
        f"tests of the fix with --tests, and what they need with --install{uncollected}"
    )


def _last_words(run: TestRun) -> str:
    """Return the errors that pytest shows at its end, else its last words."""
    errors = [line.strip() for line in run.log.splitlines() if line.startswith("E  ")]
    return "; ".join(dict.fromkeys(errors[-3:])) or " ".join(run.log.split()[-30:])


def _gold_faults(after: Evidence) -> list[str]:
    patch = after.patch
    if patch.empty or not patch.lenient:
        return [f"the fix does not apply to the base; got: {patch.reason or 'an empty patch'}"]
    if not patch.test_patch_applied:
        return [f"the test patch does not apply on top of the fix; got: {patch.reason}"]
    if not patch.strict:
        repairs = ", ".join(patch.repairs)
        return [f"the fix is not what `git apply` takes as it is; got: {repairs}"]
    if "touches_test_infrastructure" in patch.flags or "touches_tests" in patch.flags:
        return ["the fix changes tests, or what steers them; move that to the test patch"]
    return []


def _run_faults(runs: Sequence[TestRun], how: str = "with") -> list[str]:
    """Return why runs say nothing: each has to come to its end, with its canary."""
    faults = []
    for run in runs:
        if run.timed_out:
            faults.append(f"the tests {how} the fix did not end in time; raise --timeout")
        elif run.from_log or not run.finished:
            said = _last_words(run)
            faults.append(f"pytest did not come to its end {how} the fix; got: {said}")
        elif not run.canary_held:
            faults.append(
                f"the test command leaves out tests that it is given, or changes how they end, "
                f"{how} the fix; run plain pytest"
            )
    return faults
