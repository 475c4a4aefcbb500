"""A folder is read as plain files; what leads out of it, or belongs to git, is refused by name."""

from pathlib import Path

import pytest

from trajaudit.errors import ScenarioError
from trajaudit.record import repository
from trajaudit.record.project_files import ForeignPathError, ProjectFiles
from trajaudit.record.repository import is_byproduct, read_repository


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "scenarios" / "made" / "repo"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "code.py").write_bytes(b"x = 1\r\n")
    (folder / "run").write_bytes(b"#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    return folder


def files(root: Path) -> ProjectFiles:
    return ProjectFiles(root.parent, root.parents[2], "made")


def test_files_are_read_with_bytes_and_modes(root: Path) -> None:
    found = read_repository(files(root), "repo")

    assert {path: (one.content, one.executable) for path, one in found.items()} == {
        "run": (b"#!/bin/sh\n", True),
        "src/code.py": (b"x = 1\r\n", False),
    }


def test_what_tools_left_behind_is_no_part_of_it(root: Path) -> None:
    (root / "__pycache__").mkdir()
    (root / "__pycache__" / "code.pyc").write_bytes(b"\0")
    (root / ".pytest_cache").mkdir()
    (root / ".pytest_cache" / "README.md").write_bytes(b"x")

    assert set(read_repository(files(root), "repo")) == {"run", "src/code.py"}
    assert is_byproduct("a/.venv/lib/x.py")
    assert not is_byproduct("a/venv.py")


def test_a_file_that_is_added_changes_the_hash_of_the_folder(root: Path) -> None:
    before, after = files(root), files(root)
    read_repository(before, "repo")
    (root / "more.py").write_bytes(b"")
    read_repository(after, "repo")

    assert before.sha256.keys() == {"repo/", "repo/run", "repo/src/code.py"}
    assert before.sha256["repo/"] != after.sha256["repo/"]
    assert before.sha256["repo/run"] == after.sha256["repo/run"]


def test_links_and_gits_own_files_are_refused_all_at_once(root: Path) -> None:
    (root / "passwd").symlink_to("/etc/passwd")
    (root / "up").symlink_to(root.parent)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_bytes(b"")

    with pytest.raises(ScenarioError) as caught:
        read_repository(files(root), "repo")

    assert list(caught.value.faults) == [
        "made/repo/.git:1: is kept by git; leave it out",
        "made/repo/passwd:1: is no plain file; leave it out",
        "made/repo/up:1: is no plain file; leave it out",
    ]


@pytest.mark.parametrize(
    ("name", "said"), [("none", "no such folder"), ("repo/run", "no such folder")]
)
def test_a_folder_is_wanted(root: Path, name: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        read_repository(files(root), name)


def test_an_empty_folder_is_refused(root: Path) -> None:
    (root.parent / "empty").mkdir()

    with pytest.raises(ScenarioError, match="is empty"):
        read_repository(files(root), "empty")


def test_nothing_outside_of_the_project_is_read(root: Path) -> None:
    with pytest.raises(ForeignPathError):
        read_repository(files(root), "../../../..")


@pytest.mark.parametrize("limit", ["MOST_FILES", "MOST_BYTES"])
def test_size_is_limited(root: Path, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, limit, 1)

    with pytest.raises(ScenarioError, match="too large"):
        read_repository(files(root), "repo")
