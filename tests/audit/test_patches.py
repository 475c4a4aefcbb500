"""From what an agent leaves in its container to a verdict that needs none any more."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trajaudit.audit import patches
from trajaudit.audit.options import RunOptions, Show, apply_options
from trajaudit.audit.patches import verify_patches
from trajaudit.audit.run import run_scenario
from trajaudit.audit.score import require_intact, score_run
from trajaudit.audit.testlists import patch_task_faults, with_test_lists
from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance, Prediction
from trajaudit.datamodel.patch_evidence import Evidence
from trajaudit.datamodel.target import PatchTarget
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.errors import NoEngineError, RunDirError, SandboxError, ScenarioError, UsageError
from trajaudit.record.patch_trials import FILE, read_patch_trial
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import LoadedScenario, load_scenario
from trajaudit.run.repository import take as taking
from trajaudit.sandbox.docker_sandbox import DockerSandbox

pytestmark = pytest.mark.docker
SECRET = "only_the_grader_knows_this"
FILES = {
    "repo/calc.py": "def twice(x):\n    return x + 2\n",
    "repo/test_old.py": "from calc import twice\n\n\ndef test_two():\n    assert twice(2) == 4\n",
    "gold.patch": """--- a/calc.py
+++ b/calc.py
@@ -1,2 +1,2 @@
 def twice(x):
-    return x + 2
+    return x * 2
""",
    "tests.patch": f"""--- /dev/null
+++ b/test_new.py
@@ -0,0 +1,5 @@
+from calc import twice
+
+
+def test_{SECRET}():
+    assert twice(5) == 10
""",
}
F2P, P2P = f"test_new.py::test_{SECRET}", "test_old.py::test_two"
SCENARIO = """trajaudit: 1
sandbox: swe-base
limits: {time_s: 120}
agent: {kind: scripted, tasks: {"*": [ACTIONS]}}
tools: [{sandbox: [bash, edit]}]
tasks:
  - id: one
    prompt: twice(5) is 7.
    target:
      patch: {repository: repo, gold: gold.patch, tests: tests.patch, LISTS}
"""
LISTS = f"command: python -m pytest, fail_to_pass: ['{F2P}'], pass_to_pass: ['{P2P}']"
FIX = '{call: {edit_file: {path: calc.py, old: "x + 2", new: "x * 2"}}}'
Load = Callable[..., LoadedScenario]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def loaded(*actions: str, lists: str = LISTS) -> LoadedScenario:
        folder = tmp_path / "scenarios" / "made"
        for name, text in FILES.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        text = SCENARIO.replace("ACTIONS", ", ".join([*actions, "{reply: Done.}"]))
        (folder / "made.yaml").write_text(text.replace("LISTS", lists))
        return load_scenario(folder / "made.yaml")

    return loaded


def run(loaded: LoadedScenario, tmp_path: Path, **options: object) -> RunDir:
    chosen = RunOptions(runs_dir=tmp_path / "runs", **options)  # type: ignore[arg-type]
    return run_scenario(loaded, apply_options(loaded, chosen), chosen, Show()).run


def reading(done: RunDir) -> str | None:
    [lenient] = [
        one for one in done.read_verdicts() if (one.scorer, one.mode) == ("patch", "lenient")
    ]
    return lenient.reading or lenient.status.value


def bash(command: str) -> str:
    return f"{{call: {{bash: {{command: {command!r}}}}}}}"


def test_scoring_again_needs_no_container(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(load(FIX), tmp_path)
    before = (done.path / "verdicts.jsonl").read_bytes()
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:9")
    (done.path / "verdicts.jsonl").unlink()

    assert score_run(done) == []
    assert (done.path / "verdicts.jsonl").read_bytes() == before
    assert reading(done) == "resolved"


def test_only_what_was_not_tested_is_tested(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = load(FIX)
    done = run(loaded, tmp_path)
    seen: list[str] = []
    examine = Verifier.examine

    def counted(self: Verifier, instance: Instance, prediction: Prediction) -> Evidence:
        seen.append(instance.instance_id)
        return examine(self, instance, prediction)

    monkeypatch.setattr(Verifier, "examine", counted)
    verify_patches(done, loaded, lambda _: None)
    assert seen == []

    (done.trial_dir("one", 1) / FILE).unlink()
    score_run(done)
    assert reading(done) == "missing_artifact"
    verify_patches(done, loaded, lambda _: None)
    score_run(done)
    assert (seen, reading(done)) == (["one"], "resolved")


def test_a_test_that_the_infrastructure_spoils_is_tried_again_and_then_ungraded(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def lost(self: Verifier, instance: Instance, prediction: Prediction) -> Evidence:
        tried.append(prediction.model_patch)
        raise SandboxError("engine lost")

    monkeypatch.setattr(Verifier, "examine", lost)
    done = run(load(FIX), tmp_path)

    assert len(tried) == patches.RETRIES + 1
    [outcome] = done.read_outcomes()
    assert (outcome.final, outcome.status) == (None, GradeStatus.INFRA_ERROR)
    assert "engine lost" in outcome.status_detail
    found = read_patch_trial(done, "one", 1)
    assert found is not None
    assert found.evidence is None


def test_a_patch_that_was_changed_afterwards_is_noticed(load: Load, tmp_path: Path) -> None:
    done = run(load(FIX), tmp_path)
    [patch] = (done.trial_dir("one", 1) / "artifacts").iterdir()
    require_intact(done)
    patch.write_bytes(patch.read_bytes().replace(b"x * 2", b"x * 3"))

    with pytest.raises(RunDirError, match="of the patch is missing or changed"):
        require_intact(done)


def test_the_agent_finds_a_repository_with_one_commit_and_nothing_of_the_grader(
    load: Load, tmp_path: Path
) -> None:
    look = bash("git log --oneline | wc -l; git status --short; ls -A; git remote; git tag")
    search = bash(f"grep -rsl {SECRET[:9]}''{SECRET[9:]} / --exclude-dir=proc --exclude-dir=sys")
    done = run(load(look, search), tmp_path)

    journal = done.journal_path("one", 1).read_text()
    seen = [line for line in journal.splitlines() if '"kind":"observation"' in line]
    assert '"content":"1\\n.git\\ncalc.py\\ntest_old.py\\n"' in seen[0]
    assert SECRET not in seen[1].replace("command", "")
    assert reading(done) == "empty_patch"


HOSTILE = {
    "no repository any more": ("rm -rf .git; mkdir .git; ln -s / .git/objects", "resolved"),
    "git that lies": (
        (
            "git config core.fsmonitor 'echo x'; git config diff.external true; "
            "echo '* -diff -text' > .git/info/attributes; echo '*' > .gitignore; git add -f .; "
            "git commit -qm done; git tag v1"
        ),
        "resolved",
    ),
    "unreadable": ("chmod 0 calc.py; mkdir -p d/e; touch d/e/f; chmod 0 d", "resolved"),
    "odd files": (
        (
            "mkfifo pipe; ln -s /etc/passwd link; ln calc.py hard; "
            "touch $'n\\nl' 'a b' $'\\xff'; "
            "mkdir -p node_modules && head -c 70000000 /dev/zero > node_modules/big"
        ),
        "resolved",
    ),
    "a process that goes on": (
        "(while true; do date >> log; sleep 0.01; done) > /dev/null 2>&1 &",
        "resolved",
    ),
    "too large": ("head -c 70000000 /dev/zero > big", "empty_patch"),
    "link for a file": ("mv calc.py /tmp/calc.py; ln -s /tmp/calc.py calc.py", "collection_error"),
    "link for what steers tests": ("ln -s calc.py conftest.py", "resolved"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_is_done_to_the_repository_the_files_count(
    load: Load, tmp_path: Path, name: str
) -> None:
    command, expected = HOSTILE[name]

    done = run(load(FIX, bash(command)), tmp_path)

    assert reading(done) == expected, list(done.read_findings())


def test_a_sandbox_that_fails_at_the_end_leaves_nothing_to_grade(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = DockerSandbox.exec

    def failing(self: DockerSandbox, argv: list[str], **options: object) -> object:
        if taking.COPY in argv:
            raise SandboxError("engine lost: no answer")
        return execute(self, argv, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(DockerSandbox, "exec", failing)
    with pytest.raises(Exception, match="infrastructure failed every trial"):
        run(load(FIX), tmp_path)

    [path] = (tmp_path / "runs").glob("*/run.json")
    [record] = RunDir(path.parent).read_trials()
    assert (record.end_reason, record.end_detail) == (
        "infra_error",
        "sandbox_failed: engine lost: no answer",
    )


def test_lists_that_are_left_out_are_found_by_running(load: Load) -> None:
    loaded = load(lists="command: python -m pytest")

    filled = with_test_lists(loaded, loaded.scenario, lambda _: None)

    [task] = filled.tasks
    assert isinstance(task.target, PatchTarget)
    assert (task.target.patch.fail_to_pass, task.target.patch.pass_to_pass) == ((F2P,), (P2P,))


def test_a_reference_solution_that_mends_nothing_stops_the_run(load: Load, tmp_path: Path) -> None:
    loaded = load(lists="command: python -m pytest")
    gold = tmp_path / "scenarios/made/gold.patch"
    gold.write_text(gold.read_text().replace("x * 2", "2 + x"))

    with pytest.raises(ScenarioError, match="task one: its reference solution makes no test pass"):
        with_test_lists(loaded, loaded.scenario, lambda _: None)


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        (LISTS, None),
        (LISTS.replace(f"['{F2P}']", f"['{F2P}', 't.py::none']"), "broken"),
        (
            f"command: python -m pytest, fail_to_pass: ['{F2P}', '{P2P}'], pass_to_pass: []",
            "passes without the patch",
        ),
    ],
)
def test_lists_that_do_not_fit_are_a_fault(load: Load, lists: str, said: str | None) -> None:
    loaded = load(lists=lists)

    faults = patch_task_faults(loaded, loaded.scenario, lambda _: None)

    assert [task_id for task_id, _ in faults] == (["one"] if said else [])
    assert said is None or said in faults[0][1]


def test_a_plain_process_is_refused(load: Load, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="in containers only; got the sandbox 'process'"):
        run(load(FIX), tmp_path, sandbox="process")


def test_without_an_engine_it_is_said_why(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:9")

    with pytest.raises(NoEngineError, match="patches are made and tested in containers"):
        run(load(FIX), tmp_path)
