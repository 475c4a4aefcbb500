"""A run of some tests becomes a run of all that the project collects by itself."""

from pathlib import Path

import pytest

from tests.audit.verifying.projects import write
from tests.audit.verifying.watched import run_pytest

TEST = "def test_it():\n    pass\n"


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ("", ["deep/test_c.py", "test_a.py", "tests/test_b.py"]),
        ("[pytest]\ntestpaths = tests d*p\n", ["deep/test_c.py", "tests/test_b.py"]),
    ],
)
def test_settings_of_the_project_say_what_all_is(
    tmp_path: Path, settings: str, names: list[str]
) -> None:
    files = {"test_a.py": TEST, "tests/test_b.py": TEST, "deep/test_c.py": TEST}
    write(tmp_path / "project", {**files, "pytest.ini": settings or "[pytest]\n"})

    done = run_pytest(tmp_path, "suite_plugin", "", "-v", "test_a.py")

    said = done.stdout.decode()
    ran = sorted(line.partition("::")[0] for line in said.splitlines() if "::test_it" in line)
    assert ran == names, said
