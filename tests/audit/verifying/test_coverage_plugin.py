"""The plug-in sees which lines run in which tests, and what runs outside of any."""

import json
from pathlib import Path

import pytest

from tests.audit.verifying.projects import write
from tests.audit.verifying.watched import run_pytest

CODE = '''"""Text."""
import threading

RATE = 2


def double(n):
    if n < 0:
        return 0
    return n * RATE


def apart(n):
    done = []
    thread = threading.Thread(target=lambda: done.append(double(n)))
    thread.start()
    thread.join()
    return done


def never():
    return 1
'''
TESTS = """import pytest

from code_under_test import apart, double


@pytest.mark.parametrize("given", ["a b", "c"])
def test_positive(given):
    assert double(len(given)) > 0


def test_negative():
    assert double(-1) == 0


def test_apart():
    assert apart(1) == [2]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "project", {"code_under_test.py": CODE, "test_code.py": TESTS})
    return tmp_path


def executed(folder: Path, *tests: str) -> tuple[set[int], set[int]]:
    """Return executable lines, and those that listed tests execute."""
    path = str(folder / "project" / "code_under_test.py")
    settings = {"files": [path], "groups": {"listed": [f"test_code.py::{one}" for one in tests]}}
    done = run_pytest(folder, "coverage_plugin", json.dumps(settings))
    assert done.returncode == 0, done.stdout
    told = json.loads((folder / "home" / "executed").read_text())[path]
    return set(told["executable"]), set(told["executed"]["listed"])


def test_only_listed_tests_count_and_what_runs_at_import(project: Path) -> None:
    executable, seen = executed(project, "test_positive[c]")

    assert {2, 4, 7, 13, 21} <= seen
    assert seen & {8, 9, 10} == {8, 10}
    assert executable - seen == {9, 14, 15, 16, 17, 18, 22}


def test_an_id_that_was_cut_at_a_blank_counts(project: Path) -> None:
    assert 10 in executed(project, "test_positive[a")[1]
    assert 9 in executed(project, "test_negative")[1]


def test_threads_are_watched(project: Path) -> None:
    assert {10, 14, 18} <= executed(project, "test_apart")[1]


def test_a_file_that_is_no_python_has_no_lines(project: Path) -> None:
    (project / "project" / "code_under_test.py").write_text("def (\n")
    path = str(project / "project" / "code_under_test.py")

    run_pytest(project, "coverage_plugin", json.dumps({"files": [path], "groups": {"listed": []}}))

    told = json.loads((project / "home" / "executed").read_text())
    assert told == {path: {"executable": [], "executed": {"listed": []}}}
