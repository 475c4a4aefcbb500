"""A patch target names what is there, patches that are patches, and nothing that the agent sees."""

from pathlib import Path

import pytest

from trajaudit.datamodel.target import PatchTarget
from trajaudit.errors import ScenarioError
from trajaudit.record.scenarios import LoadedScenario, load_scenario

PATCH = "--- a/code.py\n+++ b/code.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
HEAD = """trajaudit: 1
tasks:
  - id: one
    prompt: Mend it.
    target:
      patch:
"""
WHOLE = {
    "repository": "repo",
    "gold": "gold.patch",
    "tests": "tests.patch",
    "fail_to_pass": "[test_code.py::test_x]",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "scenarios" / "made"
    (made / "repo").mkdir(parents=True)
    (made / "repo" / "code.py").write_text("x = 1\n")
    for name in ("gold.patch", "tests.patch"):
        (made / name).write_text(PATCH)
    return made


def loaded(folder: Path, fields: dict[str, str], more: str = "") -> LoadedScenario:
    lines = "".join(f"        {name}: {value}\n" for name, value in fields.items())
    (folder / "made.yaml").write_text(HEAD + lines + more)
    return load_scenario(folder / "made.yaml")


def faults(folder: Path, fields: dict[str, str], more: str = "") -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        loaded(folder, fields, more)
    return [fault.replace(f"{folder}/", "") for fault in caught.value.faults]


def test_a_target_is_read_and_its_files_are_hashed(folder: Path) -> None:
    found = loaded(folder, WHOLE)

    [task] = found.scenario.tasks
    assert isinstance(task.target, PatchTarget)
    assert task.target.patch.fail_to_pass == ("test_code.py::test_x",)
    assert task.target.patch.pass_to_pass is None
    assert found.files_sha256.keys() == {"gold.patch", "tests.patch", "repo/", "repo/code.py"}
    assert found.open_repository("repo")["code.py"].content == b"x = 1\n"


@pytest.mark.parametrize(
    ("fields", "line", "said"),
    [
        ({"repository": "none"}, 7, "there is no such folder"),
        ({"repository": "made.yaml"}, 7, "there is no such folder"),
        ({"gold": "none.patch"}, 8, "there is no such file; got 'none.patch'"),
        ({"gold": "../../../../etc/passwd"}, 8, "leads out of the project"),
        ({"tests": "made.yaml"}, 9, "is no patch; got 'made.yaml'"),
        ({"tests": "latin.patch"}, 9, "is no text; got byte 0xe9"),
        ({"gold": "repo/gold.patch"}, 8, "lies in the repository, where the agent reads it"),
        ({"fail_to_pass": "[]"}, 10, "is empty; got nothing; at least one test"),
        ({"pass_to_pass": "[a, a]"}, 11, "is listed twice; got 'a', also in pass_to_pass"),
        ({"pass_to_pass": '["test_code.py::test_x"]'}, 11, "also in fail_to_pass"),
        ({"command": '"  "'}, 11, "is empty; got nothing; a shell command is wanted"),
        ({"golden": "x"}, 11, "unknown field; got 'golden'; did you mean 'gold'"),
        ({"timeout_s": "0"}, 11, "out of range"),
        ({"timeout_s": '"30"'}, 11, "wrong type; got '30'; a number is wanted"),
    ],
)
def test_a_fault_stands_at_its_line(
    folder: Path, fields: dict[str, str], line: int, said: str
) -> None:
    (folder / "latin.patch").write_bytes(PATCH.encode() + b"caf\xe9\n")
    (folder / "repo" / "gold.patch").write_text(PATCH)

    [fault] = faults(folder, {**WHOLE, **fields})

    assert fault.startswith(f"made.yaml:{line}: tasks[0].target.patch.")
    assert said in fault


def test_all_faults_are_told_at_once(folder: Path) -> None:
    found = faults(folder, {"repository": "none", "gold": "none", "tests": "none"})

    assert len(found) == 3


@pytest.mark.parametrize(
    "more",
    ["    files: {hint.txt: gold.patch}\n", "sandbox: {files: {hint.txt: ./tests.patch}}\n"],
)
def test_what_grades_is_not_copied_into_the_sandbox(folder: Path, more: str) -> None:
    [fault] = faults(folder, WHOLE, more)

    assert "is copied into the agent's sandbox" in fault
