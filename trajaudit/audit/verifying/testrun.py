"""Runs the tests of an instance in its container; the recorder is out of reach of output."""

import posixpath
import secrets
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from trajaudit.audit.verifying.record import CANARY, Record, read_record
from trajaudit.audit.verifying.recorder_plugin import HOME
from trajaudit.audit.verifying.worktree import Worktree
from trajaudit.datamodel.patch import Instance, TestStatus
from trajaudit.sandbox.base import ExecResult, Sandbox
from trajaudit.score.patch.paths import without_prefix
from trajaudit.score.patch.reading import read_patch
from trajaudit.score.patch.testlog import parse_log

MOST_RECORD = 200_000_000
MOST_OUTPUT = 5_000_000
NO_TESTS = (
    ".json",
    ".png",
    ".csv",
    ".txt",
    ".md",
    ".jpg",
    ".jpeg",
    ".pkl",
    ".yml",
    ".yaml",
    ".toml",
)
PLAIN = "python -m pytest"


@dataclass(frozen=True)
class TestRun:
    """What a run of the tests left behind."""

    __test__ = False  # the name is no request to pytest

    statuses: Mapping[str, TestStatus]
    timed_out: bool
    finished: bool
    canary_held: bool
    collection_failed: bool
    from_log: bool
    output: bytes


def run_tests(sandbox: Sandbox, tree: Worktree, instance: Instance) -> TestRun:
    """Run the tests once.

    Raises:
        SandboxError: the container failed.
    """
    home = f"/tmp/{secrets.token_hex(8)}"  # noqa: S108 (inside the container)
    plugin = f"recorder_{secrets.token_hex(4)}"
    key = secrets.token_bytes(32)
    test_files = _test_files(instance, tree)
    name = f"test_{secrets.token_hex(6)}.py"
    canary = posixpath.join(posixpath.dirname(test_files[0]) if test_files else "", name)
    source = files("trajaudit.audit.verifying").joinpath("recorder_plugin.py").read_bytes()
    place = tree.root.strip("/")
    tree.write(
        {
            f"{place}/{canary}": CANARY.encode(),
            f"{home}/{plugin}.py"[1:]: source,
            f"{home}/key"[1:]: key,
            f"{home}/canary"[1:]: posixpath.join(tree.root, canary).encode(),
        },
        folder="/",
    )
    environment = _environment(home, plugin)
    done = sandbox.exec(
        [
            "env",
            *(f"{k}={v}" for k, v in environment.items()),
            "bash",
            "-c",
            _command(instance, test_files),
        ],
        timeout_s=instance.timeout_s,
        max_output=MOST_OUTPUT,
    )
    return _result(instance, done, _record(sandbox, home, key), name)


def _environment(home: str, plugin: str) -> dict[str, str]:
    return {
        HOME: home,
        "PYTHONPATH": home,
        "PYTEST_ADDOPTS": f"-p {plugin} -p no:cacheprovider --continue-on-collection-errors",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _record(sandbox: Sandbox, home: str, key: bytes) -> Record | None:
    """Return what was recorded; None when the runner took no plug-in."""
    try:
        content = sandbox.read_file(f"{home}/record", max_bytes=MOST_RECORD)
    except FileNotFoundError:
        return None
    return read_record(content, key)


def _result(instance: Instance, done: ExecResult, record: Record | None, canary: str) -> TestRun:
    output = done.stdout + done.stderr
    if record is not None:
        held = record.canary_held(canary)
        return TestRun(
            statuses=record.statuses,
            timed_out=done.timed_out,
            finished=record.exit_status is not None,
            canary_held=held and record.intact,
            collection_failed=bool(record.uncollected),
            from_log=False,
            output=output,
        )
    # Where pytest left no record, somebody took it away: its log is no substitute.
    if instance.log_parser is None or "pytest" in instance.log_parser:
        statuses: Mapping[str, TestStatus] = {}
    else:
        statuses = parse_log(instance.log_parser, output.decode("utf-8", "replace"))
    return TestRun(
        statuses=statuses,
        timed_out=done.timed_out,
        finished=bool(statuses),
        canary_held=True,
        collection_failed=False,
        from_log=True,
        output=output,
    )


def _test_files(instance: Instance, tree: Worktree) -> list[str]:
    """Return the files of the test patch that hold tests; without any, those of the listed ids."""
    sections = read_patch(instance.test_patch.encode("utf-8", "surrogateescape")).sections
    names = (one.new or (one.git_names or ("", ""))[1] for one in sections if not one.deletes)
    wanted = dict.fromkeys(without_prefix(name) for name in names)
    listed = [
        path
        for path in wanted
        if path and not path.endswith((*NO_TESTS, "conftest.py", "__init__.py"))
    ]
    named = (test.partition("::")[0] for test in (*instance.fail_to_pass, *instance.pass_to_pass))
    return listed or sorted({path for path in named if path.endswith(".py") and path in tree})


def _command(instance: Instance, test_files: list[str]) -> str:
    if instance.eval_script is not None:
        return instance.eval_script
    return instance.test_command or f"{PLAIN} {shlex.join(test_files)}"
