"""A commit that fixes something is split into source and tests; no program of it is run."""

import subprocess
from pathlib import Path

import pytest

from trajaudit.errors import UsageError
from trajaudit.record.source import SourceRequest, read_source
from trajaudit.record.source_git import SourceRepository
from trajaudit.record.source_tree import SourceError, SourceFile

GIT = ("git", "-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main")
BASE = {"p.py": b"x = 1\n", "tests/test_p.py": b"", "tests/data.json": b"{}", "é ü.txt": b"\xff\n"}
FIX = {**BASE, "p.py": b"x = 2\n", "tests/test_p.py": b"import p\n", "tests/data.json": b"[]"}


def git(folder: Path, *words: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        [*GIT, *words], cwd=folder, check=True, input=stdin, capture_output=True
    ).stdout


def commit(folder: Path, files: dict[str, bytes]) -> None:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-qm", "c", "--allow-empty")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, BASE)
    commit(folder, FIX)
    return folder


def test_a_fix_is_split_and_its_parent_is_the_base(repository: Path) -> None:
    source = read_source(SourceRequest(place=repository, gold="HEAD"))

    base = git(repository, "rev-parse", "HEAD^").decode().strip()
    assert (source.name, source.repo, source.commit) == (f"shop-{base[:12]}", "shop", base)
    assert source.tree == {path: SourceFile(content) for path, content in BASE.items()}
    assert "+x = 2" in source.gold
    assert "tests/" not in source.gold
    assert all(f"b/tests/{name}" in source.tests for name in ("test_p.py", "data.json"))
    git(repository, "checkout", "-q", base)
    git(repository, "apply", "-", stdin=(source.gold + source.tests).encode())
    assert {path: (repository / path).read_bytes() for path in FIX} == FIX


def test_a_folder_of_a_repository_stands_for_all_of_it(repository: Path) -> None:
    whole = read_source(SourceRequest(place=repository, gold="HEAD"))
    part = read_source(SourceRequest(place=repository / "tests", gold="HEAD"))

    assert (part.tree, part.gold, part.tests) == (whole.tree, whole.gold, whole.tests)


def test_settings_of_the_repository_neither_run_nor_change_anything(
    repository: Path, tmp_path: Path
) -> None:
    plain = read_source(SourceRequest(place=repository, gold="HEAD"))
    ran = tmp_path / "ran"
    program = f"touch {ran}; cat"
    settings = {
        "diff.external": program, "core.fsmonitor": program, "diff.noprefix": "true",
        "diff.x.textconv": program, "diff.x.command": program, "filter.x.smudge": program,
        "color.diff": "always", "core.pager": program, "diff.context": "0",
    }  # fmt: skip
    for name, value in settings.items():
        git(repository, "config", name, value)
    (repository / ".git" / "info" / "attributes").write_text("* diff=x filter=x\n")

    again = read_source(SourceRequest(place=repository, gold="HEAD"))

    assert again == plain
    assert not ran.exists()


def test_what_a_partial_clone_lacks_is_not_fetched_by_a_program_of_it(
    repository: Path, tmp_path: Path
) -> None:
    subprocess.run(["cp", "-r", repository, tmp_path / "origin"], check=True)
    ran = tmp_path / "ran"
    for name, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": str(tmp_path / "origin"),
        "remote.origin.uploadpack": f"touch {ran}; git-upload-pack",
    }.items():
        git(repository, "config", name, value)
    lacks = git(repository, "rev-parse", "HEAD^:p.py").decode().strip()
    (repository / ".git" / "objects" / lacks[:2] / lacks[2:]).unlink()

    with pytest.raises(SourceError, match="git refuses"):
        read_source(SourceRequest(place=repository, gold="HEAD"))

    assert not ran.exists()


def test_a_difference_that_is_no_text_becomes_a_binary_one(repository: Path) -> None:
    commit(repository, {**FIX, "é ü.txt": b"\xfe\n"})

    source = read_source(SourceRequest(place=repository, gold="HEAD", tests=_patch(repository)))

    assert "GIT binary patch" in source.gold
    git(repository, "checkout", "-q", "HEAD^")
    git(repository, "apply", "-", stdin=source.gold.encode())
    assert (repository / "é ü.txt").read_bytes() == b"\xfe\n"


def _patch(repository: Path) -> Path:
    path = repository.parent / "tests.diff"
    path.write_text("--- a/t\n+++ b/t\n")
    return path


def test_links_out_are_refused_and_submodules_named(repository: Path) -> None:
    (repository / "out").symlink_to("/etc/passwd")
    commit(repository, {})
    with pytest.raises(SourceError, match="link leads out"):
        SourceRepository(repository).tree("HEAD")

    (repository / "out").unlink()
    head = git(repository, "rev-parse", "HEAD").decode().strip()
    commit(repository, {})
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    git(repository, "commit", "-qm", "sub")
    tree, submodules = SourceRepository(repository).tree("HEAD")
    assert submodules == ["sub"]
    assert "sub" not in tree


def test_what_is_missing_is_said(repository: Path, tmp_path: Path) -> None:
    commit(repository, {"p.py": b"x = 3\n"})
    commit(repository, {"tests/test_p.py": b"x\n"})
    (tmp_path / "empty.diff").write_text("\n")
    (tmp_path / "latin.diff").write_bytes(b"--- a\n+++ b\n+\xff\n")
    for place, gold, base, tests, said in (
        (tmp_path / "none", "HEAD", None, None, "no such folder"),
        (repository, "nothing", None, None, "no commit 'nothing' in it"),
        (repository, "--output=x", None, None, "no commit '--output=x' in it"),
        (repository, "HEAD", None, None, "changes no source"),
        (repository, "HEAD^", None, None, "changes no test"),
        (repository, "HEAD", "HEAD~3", tmp_path / "none.diff", "cannot be read"),
        (repository, str(tmp_path / "empty.diff"), None, None, "patch is empty"),
        (repository, str(tmp_path / "latin.diff"), None, None, "must be UTF-8"),
        (tmp_path / "empty.diff", "x", "HEAD", None, "no commits"),
    ):
        with pytest.raises(UsageError, match=said):
            read_source(SourceRequest(place=place, gold=gold, base=base, tests=tests))
