"""An instance is made of a repository or an archive, and decides about patches at once."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.audit.verifying.projects import PROJECTS, write
from trajaudit.audit.verify import VerifyOptions, verify
from trajaudit.audit.verify_init import InitRequest, make_instance
from trajaudit.datamodel.patch import PatchVerdict as V
from trajaudit.errors import UsageError
from trajaudit.record.patch_files import load_instances
from trajaudit.record.source import SourceRequest
from trajaudit.sandbox.docker_verifier import DockerVerifier
from trajaudit.sandbox.locate import find_engine

WALLET = PROJECTS[0]
NEVER = """

def test_never():
    assert not pay
"""
GIT = ("git", "-c", "user.name=n", "-c", "user.email=e")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / "sandboxes").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the fix in its second commit, and a tag on it."""
    folder = tmp_path / "wallet"
    write(folder, WALLET.files)
    git(folder, "init", "-q")
    commit(folder)
    tests = {path: text + NEVER for path, text in WALLET.tests.items() if "wallet" in path}
    write(folder, {**WALLET.fix, **WALLET.tests, **tests})
    commit(folder)
    git(folder, "tag", "v2")
    return folder


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        [*GIT, *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "c")


def request(place: Path, gold: str, **more: object) -> InitRequest:
    tests = more.pop("tests", None)
    assert tests is None or isinstance(tests, Path)
    source = SourceRequest(place=place, gold=gold, tests=tests)
    return InitRequest(source=source, out=Path("tasks.jsonl"), **more)  # type: ignore[arg-type]  # what a test varies


@pytest.mark.docker
def test_a_commit_becomes_an_instance_without_any_history(project: Path, repository: Path) -> None:
    made = make_instance(request(repository, "v2", instance_id="Wallet__1", repeats=1))

    assert made.lists.fail_to_pass == WALLET.fail_to_pass[::-1]
    assert made.lists.pass_to_pass == WALLET.pass_to_pass
    assert made.lists.never_pass == ("tests/test_wallet.py::test_never",)
    [written] = load_instances(project / "tasks.jsonl")
    assert written == made.instance
    assert "FAIL_TO_PASS" in json.loads((project / "tasks.jsonl").read_text())
    assert (made.definition / "repository.tar.gz").is_file()
    assert _shown(project, made.instance.image or "") == "1 commits, 0 others"
    (project / "p.json").write_text(
        json.dumps({"Wallet__1": {"model_patch": WALLET.patch(WALLET.fix)}})
    )
    done = verify(project / "tasks.jsonl", project / "p.json", VerifyOptions())
    assert [one.strict for one in done.verifications] == [V.RESOLVED]


def _shown(project: Path, image: str) -> str:
    """Return how many commits an image holds, and how many tags, remotes and lost objects."""
    script = (
        "cd /testbed; printf '%s commits, %s others' $(git log --oneline --all | wc -l) "
        "$( (git tag; git remote; git reflog; git fsck --unreachable --no-progress; "
        "git status --short) 2>&1 | wc -l)"
    )
    containers = DockerVerifier([project / "sandboxes", *_shipped()])
    try:
        image_id = containers.prepare(image)
    finally:
        containers.close()
    command = ["docker", "-H", find_engine().url, "run", "--rm", "--network", "none"]
    done = subprocess.run(
        [*command, "--entrypoint", "sh", image_id, "-c", script],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


def _shipped() -> list[Path]:
    return [Path(__file__).parents[2] / "sandboxes"]


@pytest.mark.docker
def test_an_archive_is_installed_and_what_shows_no_fix_leaves_nothing(
    project: Path, repository: Path, tmp_path: Path
) -> None:
    archive = tmp_path / "wallet-1.tar.gz"
    git(repository, "archive", "--prefix=wallet-1/", "-o", str(archive), "v2^")
    gold, tests = tmp_path / "gold.diff", tmp_path / "tests.diff"
    gold.write_text(WALLET.patch(WALLET.fix))
    tests.write_text(WALLET.patch(WALLET.tests))

    with pytest.raises(UsageError, match="no test fails without the fix"):
        make_instance(request(archive, str(gold), repeats=1))
    with pytest.raises(UsageError, match="the fix changes tests"):
        make_instance(request(archive, str(tests), repeats=1, tests=tests))
    assert [*project.rglob("*")] == [project / "sandboxes"]

    command = "mkdir -p tests/fixtures && touch /opt/venv/installed"
    made = make_instance(
        request(archive, str(gold), tests=tests, repeats=1, install=command, timeout_s=60)
    )
    assert set(made.lists.fail_to_pass) == set(WALLET.fail_to_pass)
    assert (made.instance.instance_id, made.instance.timeout_s) == ("wallet-1", 60)


def test_what_cannot_be_is_refused_before_anything_is_built(
    project: Path, repository: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        make_instance(request(repository, "v2", repeats=0, timeout_s=0, sandbox="none"))
    assert [word in str(caught.value) for word in ("repeats", "timeout", "'none'")] == [True] * 3

    (project / "tasks.jsonl").write_text('{"instance_id": "a", "FAIL_TO_PASS": ["t"]}')
    with pytest.raises(UsageError, match="'a' is there already"):
        make_instance(request(repository, "v2", instance_id="a"))

    (project / "tasks.jsonl").write_text('[{"instance_id": "a", "FAIL_TO_PASS": ["t"]}]')
    with pytest.raises(UsageError, match="cannot be appended to"):
        make_instance(request(repository, "v2", instance_id="b"))

    write(project / "sandboxes" / "mine", {"sandbox.yaml": "base: debian\n", "Dockerfile": ""})
    (project / "tasks.jsonl").unlink()
    with pytest.raises(UsageError, match="was not made by this"):
        make_instance(request(repository, "v2", instance_id="mine"))
