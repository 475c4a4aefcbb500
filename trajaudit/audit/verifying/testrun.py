"""Runs the tests of an instance in its container; the recorder is out of reach of output."""

import errno
import posixpath
import re
import secrets
import shlex
from importlib.resources import files

from trajaudit.audit.verifying.record import CANARY, Record, read_record
from trajaudit.audit.verifying.recorder_plugin import HOME
from trajaudit.audit.verifying.worktree import Worktree
from trajaudit.datamodel.patch import Instance, TestStatus
from trajaudit.datamodel.patch_evidence import TestRun
from trajaudit.errors import UsageError
from trajaudit.sandbox.base import ExecResult, Sandbox
from trajaudit.score.patch.paths import without_prefix
from trajaudit.score.patch.reading import read_patch
from trajaudit.score.patch.testlog import END, START, parse_log

MOST_RECORD = 200_000_000
MOST_OUTPUT = 20_000_000
MOST_KEPT = 20_000
"""Of the output of a run whose record is the evidence."""
SPOILED = frozenset({errno.EFBIG, errno.EISDIR, errno.EINVAL, errno.EACCES})
"""What the code under test can make of the record: something else than a readable file."""
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
RUN = 'eval "$(cat "$1")"'
MERGED = f"exec 2>&1; {RUN}"
"""The marks in the log of a script are written to stderr, what stands between them to stdout."""
LOADING = "while loading conftest"
"""What pytest says when a `conftest.py` cannot be imported; it then begins no session."""
EXIT_CODE = re.compile(r"Test Exit Code: (\d+)|^SWEBENCH_TEST_EXIT_CODE=(\d+)", re.MULTILINE)


def run_tests(sandbox: Sandbox, tree: Worktree, instance: Instance, *, setup: str = "") -> TestRun:
    """Run the tests once, after a shell text that may set what else watches them.

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
            # As an argument, a script that holds a test patch could be too long.
            f"{home}/script"[1:]: _bytes(setup + _command(instance, test_files)),
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
            RUN if instance.eval_script is None else MERGED,
            "bash",
            f"{home}/script",
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
    except OSError as e:
        if e.errno not in SPOILED:
            raise
        return Record(intact=False)
    return read_record(content, key)


def _result(instance: Instance, done: ExecResult, record: Record | None, canary: str) -> TestRun:
    output = (done.stdout + done.stderr).decode("utf-8", "replace")
    if record is None:
        return _from_log(instance, done, output)
    reported = record.canary_reported(canary)
    held = record.canary_held(canary)
    nothing = not reported and not record.statuses
    broke_off = nothing and record.exit_status is None and LOADING in output
    uncollected = bool(record.uncollected) or broke_off
    return TestRun(
        statuses=record.statuses,
        timed_out=done.timed_out,
        finished=record.exit_status is not None or broke_off,
        # Where nothing could be run at all, nothing looks green either.
        canary_held=(held or (nothing and uncollected)) and record.intact,
        canary_reported=reported,
        collection_failed=uncollected,
        exit_code=record.exit_status,
        log=output[-MOST_KEPT:],
    )


def _from_log(instance: Instance, done: ExecResult, output: str) -> TestRun:
    """Read the log of a run without a record; who may believe it is decided later."""
    exit_code = _exit_code(instance, done, output)
    return TestRun(
        statuses=read_log(instance.log_parser, output),
        timed_out=done.timed_out,
        finished=not done.timed_out and ended(instance.eval_script, output),
        canary_held=True,
        from_log=True,
        exit_code=exit_code,
        log=output,
    )


def read_log(parser: str | None, log: str) -> dict[str, TestStatus]:
    """Return what a log says; nothing where nobody said how it is read, or as nobody can here."""
    try:
        return parse_log(parser, log) if parser is not None else {}
    except UsageError:
        return {}


def ended(script: str | None, log: str) -> bool:
    """Whether a log has the mark of its end, if its script writes one."""
    return script is None or START not in script or END in log


def _exit_code(instance: Instance, done: ExecResult, log: str) -> int | None:
    """Return the exit code of the tests; that of a script is the one of its last command."""
    told = EXIT_CODE.findall(log)
    if told:
        return int("".join(told[-1]))
    return None if instance.eval_script is not None or done.timed_out else done.exit_code


def _test_files(instance: Instance, tree: Worktree) -> list[str]:
    """Return the files of the test patch that hold tests; without any, those of the listed ids."""
    sections = read_patch(_bytes(instance.test_patch)).sections
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


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
