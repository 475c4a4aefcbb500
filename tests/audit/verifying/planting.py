"""Plants a bug in a project: one changed token that some of its tests show, found by running."""

import json
import random
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.audit.verifying.mutation import Mutant, function_of, mutants, without_tests
from tests.audit.verifying.projects import Project
from tests.audit.verifying.shape import Shape
from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.sandbox.base import Sandbox
from trajaudit.sandbox.docker_verifier import DockerVerifier

REPOSITORIES = "/repositories"
ORACLE = """
import json, os, pathlib, signal, sys

import pytest


class Oracle:
    def __init__(self, stream):
        self.stream = stream

    def say(self, what):
        print(json.dumps(what), file=self.stream, flush=True)

    def pytest_runtest_logreport(self, report):
        self.say([report.nodeid, report.when, report.outcome])

    def pytest_sessionfinish(self):
        self.say("end")


limit, module, *tests = sys.argv[1:]
texts = json.load(sys.stdin)
for number, text in enumerate(texts):
    pathlib.Path(module).write_text(text)
    if os.fork() == 0:
        signal.alarm(int(limit))
        stream = open(f"/tmp/oracle.{number}", "w")
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1), os.dup2(null, 2)
        sys.path.insert(0, os.getcwd())
        pytest.main(["-q", "-p", "no:cacheprovider", *tests], [Oracle(stream)])
        os._exit(0)
    os.wait()
print(json.dumps([pathlib.Path(f"/tmp/oracle.{n}").read_text() for n in range(len(texts))]))
"""
"""Nothing of what is under test takes part in it."""
MOST_MUTANTS = 60
AT_ONCE = 5
MOST_S = 100
APART = 8
"""Lines between the bug and what breaks another test, so that each has a hunk of its own."""


@dataclass(frozen=True)
class Source:
    """A published archive, and where in it a bug may be planted."""

    name: str
    version: str
    module: str
    package: str
    graded: str
    added: str
    """A file of tests that the image does not have."""


class Run:
    """Runs the tests of a project with another text of the module in which bugs are planted."""

    def __init__(self, sandbox: Sandbox, source: Source) -> None:
        self._sandbox, self._source = sandbox, source

    def __call__(
        self, texts: Sequence[str], *, whole: bool = False
    ) -> list[Mapping[str, bool] | None]:
        """Return for each text test id → whether it passed; None when the session did not end.

        `whole`: with the tests that the image will not have, too.
        """
        source = self._source
        tests = f"{source.module} {source.graded} {source.added if whole else ''}"
        oracle = f"python -c {shlex.quote(ORACLE)} {MOST_S} {tests}"
        told = self._sandbox.exec(
            ["bash", "-c", f"cd {REPOSITORIES}/{source.name} && {oracle}"],
            timeout_s=float(MOST_S * (len(texts) + 1)),
            stdin=json.dumps(texts).encode(),
            max_output=50_000_000,
        )
        assert told.exit_code == 0, told.stderr
        return [_passed(written) for written in json.loads(told.stdout)]


def _passed(written: str) -> Mapping[str, bool] | None:
    events = [json.loads(line) for line in written.splitlines()]
    if not events or events.pop() != "end":
        return None
    passed = {test: True for test, when, _ in events if when == "call"}
    return passed | {test: False for test, _, outcome in events if outcome != "passed"}


@contextmanager
def searching(containers: DockerVerifier, image: str, source: Source) -> Iterator[Run]:
    """Start a container in which mutants of a project are tried."""
    spec = SandboxSpec(memory_mb=2048, cpus=2.0, pids=512, workdir=REPOSITORIES)
    with containers.start(image, spec, run_id="test-plant", name=source.name) as sandbox:
        yield Run(sandbox, source)


def plant(source: Source, tree: Path, run: Run) -> Shape:
    """Return a project with the first bug that some of its tests show, and ways to get it wrong."""
    files = _files(source, tree)
    sound = files[source.module]
    [before] = run([sound])
    assert before, source.name
    tried = list(mutants(sound))
    random.Random(source.name).shuffle(tried)
    shown: dict[Mutant, set[str]] = {}
    for start in range(0, min(len(tried), MOST_MUTANTS), AT_ONCE):
        some = tried[start : start + AT_ONCE]
        for mutant, after in zip(some, run([one.text for one in some]), strict=True):
            failing = _failing(before, after)
            if 0 < len(failing) <= len(before) / 3:
                shown[mutant] = failing
        pair = next(_pairs(shown), None)
        shape = _shape(source, files, pair, run) if pair else None
        if shape is not None:
            return shape
    raise AssertionError(f"no two bugs of {source.module} are shown by different tests")


def _failing(before: Mapping[str, bool] | None, after: Mapping[str, bool] | None) -> set[str]:
    """Return the tests that passed and fail now; none where others were run than before."""
    if before is None or after is None or after.keys() != before.keys():
        return set()
    return {test for test, passed in before.items() if passed and not after[test]}


def _pairs(shown: Mapping[Mutant, set[str]]) -> Iterator[tuple[Mutant, Mutant]]:
    """Return a bug, and another one that only other tests show."""
    for bug, tests in shown.items():
        for other, others in shown.items():
            if abs(bug.line - other.line) >= APART and not tests & others:
                yield bug, other


def _shape(
    source: Source, files: Mapping[str, str], pair: tuple[Mutant, Mutant], run: Run
) -> Shape | None:
    """Return the project with a bug; None when with all tests the two are not apart."""
    bug, other = pair
    sound = files[source.module]
    before, after, otherwise = run([sound, bug.text, other.text], whole=True)
    shown, others = _failing(before, after), _failing(before, otherwise)
    if before is None or not shown or not others or shown & others:
        return None
    tests = {path: files[path] for path in (source.graded, source.added)}
    removed = {function_of(one) for one in shown if one.startswith(f"{source.graded}::")}
    base = {path: text for path, text in files.items() if path != source.added}
    base |= {
        source.module: bug.text,
        source.graded: without_tests(tests[source.graded], removed),
    }
    kept = {test for test, passed in before.items() if passed} - shown
    project = Project(
        source.name, base, {source.module: sound}, tests, tuple(sorted(shown)), tuple(sorted(kept))
    )
    shape = Shape(
        project=project,
        package=source.package,
        graded=source.graded,
        added=source.added,
        wrong={source.module: bug.text + "\n# This should be better now.\n"},
        regressed={source.module: other.text},
        other_settings={"pyproject.toml": files["pyproject.toml"] + "\n[tool.other]\nx = 1\n"},
    )
    on_line = [one.text for one in mutants(sound) if one.line == bug.line and one != bug]
    ends = zip(on_line, run(on_line), strict=True)
    wrong = [
        text for text, after in ends if after and any(after.get(one) is False for one in shown)
    ]
    return replace(shape, wrong={source.module: wrong[0]}) if wrong else shape


def _files(source: Source, tree: Path) -> dict[str, str]:
    """Return the files that candidates change."""
    beside = source.graded.rpartition("/")[0] + "/conftest.py"
    named = (source.module, source.package, source.graded, source.added, beside)
    wanted = dict.fromkeys((*named, "conftest.py", "pytest.ini", "pyproject.toml"))
    return {path: (tree / path).read_bytes().decode() for path in wanted if (tree / path).is_file()}
