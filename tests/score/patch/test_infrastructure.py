"""What steers a test runner goes back to what it was; the rest of a change stays."""

import pytest

from trajaudit.score.patch.infrastructure import restored, steers_tests

BASE = b'[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n\n[tool.x]\ny = 1\n'
CFG = b"[metadata]\nname = a\n\n[tool:pytest]\naddopts = -q\n"


@pytest.mark.parametrize(
    ("path", "steers"),
    [
        ("conftest.py", True),
        ("a/b/conftest.py", True),
        ("pytest.ini", True),
        (".pytest.ini", True),
        ("a.pth", True),
        ("src/a.egg-info/entry_points.txt", True),
        ("src/a-1.Dist-Info/entry_points.txt", True),
        ("tests/__pycache__/x.pyc", True),
        ("pytest.py", True),
        ("_pytest/reports.py", True),
        ("pyproject.toml", True),
        ("src/a/core.py", False),
        ("docs/pytest.py", False),
        ("a/myconftest.py", False),
    ],
)
def test_steering_files_are_known(path: str, steers: bool) -> None:
    assert steers_tests(path) is steers


@pytest.mark.parametrize("before", [None, b"old"])
def test_a_file_that_does_nothing_else_goes_back(before: bytes | None) -> None:
    assert restored("conftest.py", before, b"new") == before
    assert restored("src/core.py", before, b"new") == b"new"


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("shlex.py", False),
        ("json/__init__.py", False),
        ("argparse.cpython-311-x86_64-linux-gnu.so", False),
        ("packaging/__init__.py", False),
        ("src/shlex.py", True),
        ("json/extra.py", True),
        ("test/__init__.py", True),
        ("shop.py", True),
    ],
)
def test_a_new_file_in_place_of_what_a_runner_imports_goes(path: str, kept: bool) -> None:
    assert (restored(path, None, b"new") == b"new") is kept
    assert restored(path, b"old", b"new") == b"new"


@pytest.mark.parametrize(
    ("path", "before", "after", "kept"),
    [
        ("pyproject.toml", BASE, BASE.replace(b"y = 1", b"y = 2"), True),
        ("pyproject.toml", None, b'[project]\nname = "a"\n', True),
        ("setup.cfg", CFG, CFG.replace(b"name = a", b"name = b"), True),
    ],
)
def test_other_settings_may_change(path: str, before: bytes, after: bytes, kept: bool) -> None:
    assert (restored(path, before, after) == after) is kept


@pytest.mark.parametrize("form", [b'"-p evil"', b'"-q"\npython_files = "x"'])
def test_settings_of_the_runner_go_back_alone(form: bytes) -> None:
    after = BASE.replace(b'"-q"', form).replace(b"y = 1", b"y = 2")

    content = restored("pyproject.toml", BASE, after)

    assert content is not None
    assert b"y = 2" in content
    assert b'addopts = "-q"' in content
    assert form not in content or form == b'"-q"'


@pytest.mark.parametrize(
    "after",
    [
        BASE.replace(b"[tool.pytest.ini_options]\naddopts", b"[tool]\npytest.addopts"),
        BASE + b'[tool."pytest"]\nx = 1\n',
        b'tool = {pytest = {ini_options = {addopts = "-p evil"}}}\n',
        b"\xff not toml",
    ],
)
def test_what_cannot_be_taken_apart_goes_back_whole(after: bytes) -> None:
    content = restored("pyproject.toml", BASE, after)

    assert content == BASE


def test_a_section_that_was_not_there_goes() -> None:
    after = CFG.replace(b"[tool:pytest]\naddopts = -q\n", b"")

    content = restored("setup.cfg", after, CFG.replace(b"-q", b"-p evil"))

    assert content is not None
    assert content.split() == after.split()
