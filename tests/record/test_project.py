"""The project is found, and its names lead to files inside of it."""

import subprocess
from pathlib import Path

import pytest

from trajaudit.errors import ScenarioError
from trajaudit.record.project import (
    data_root,
    find_project,
    git_commit,
    judge_folders,
    project_roots,
    resolve_scenario,
    runs_dir,
    sandbox_folders,
    scenario_name,
    sha256_tree,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("scenarios/shop/mocks", "sandboxes", "judges"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("refunds.yaml", "returns.yaml", "mocks/tools.yaml"):
        (tmp_path / "scenarios" / "shop" / name).write_text("")
    return tmp_path


def test_the_project_is_found_upwards(project: Path) -> None:
    assert find_project(project / "scenarios" / "shop" / "mocks") == project
    assert find_project(Path("/")) is None


def test_names_are_looked_up_in_the_project_first_then_in_what_is_shipped(project: Path) -> None:
    assert project_roots(project / "scenarios") == [project, data_root()]
    assert sandbox_folders(project) == [project / "sandboxes", data_root() / "sandboxes"]
    assert judge_folders(project)[0] == project / "judges"
    assert (data_root() / "scenarios" / "capitals" / "capitals.yaml").is_file()


def test_a_scenario_is_found_by_path_name_or_suite(project: Path) -> None:
    suite = project / "scenarios" / "shop"
    both = [suite / "refunds.yaml", suite / "returns.yaml"]

    assert resolve_scenario(suite / "refunds.yaml") == both[:1]
    assert resolve_scenario("shop/refunds", project) == both[:1]
    assert resolve_scenario("shop/refunds.yaml", project) == both[:1]
    assert resolve_scenario("shop", project) == both
    assert resolve_scenario(suite) == both
    assert [path.name for path in resolve_scenario("capitals/capitals", project)] == [
        "capitals.yaml"
    ]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("shop/refund", "there is no scenario 'shop/refund'; did you mean 'shop/refunds'"),
        ("../outside", "there is no scenario '../outside'; "),
        ("", "there is no scenario ''; known: "),
    ],
)
def test_a_name_without_a_scenario_is_refused(project: Path, name: str, fault: str) -> None:
    (project / "outside.yaml").write_text("")

    with pytest.raises(ScenarioError) as caught:
        resolve_scenario(name, project / "judges")
    assert str(caught.value).startswith(fault)


def test_a_folder_without_scenarios_is_refused(project: Path) -> None:
    with pytest.raises(ScenarioError, match="no scenario in this folder"):
        resolve_scenario(project / "judges")


def test_a_scenario_is_named_after_its_path(project: Path) -> None:
    assert scenario_name(project / "scenarios" / "shop" / "refunds.yaml") == "shop/refunds"
    assert scenario_name(Path("/a/b/c.yaml")) == "b/c"
    assert scenario_name(Path("/c.yaml")) == "c"


def test_runs_are_kept_in_the_project(project: Path, tmp_path: Path) -> None:
    assert runs_dir(project / "scenarios", {}) == project / "runs"
    assert runs_dir(project, {"TRAJAUDIT_RUNS": "/elsewhere"}) == Path("/elsewhere")
    assert runs_dir(Path("/proc/self"), {}) == Path("/proc/self/runs")


def test_a_hash_of_sources_follows_content_and_names(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x")
    before = sha256_tree(tmp_path)
    (tmp_path / "note.txt").write_text("x")
    assert sha256_tree(tmp_path) == before
    (tmp_path / "a.py").write_text("y")
    changed = sha256_tree(tmp_path)
    (tmp_path / "a.py").rename(tmp_path / "b.py")

    assert len({before, changed, sha256_tree(tmp_path)}) == 3


def test_the_commit_is_told_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert git_commit(tmp_path) is None
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    assert git_commit(tmp_path) is None
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    commit = git_commit(tmp_path)

    assert commit is not None
    assert len(commit) == 40
    monkeypatch.setenv("PATH", "")
    assert git_commit(tmp_path) is None
