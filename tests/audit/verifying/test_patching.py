"""What a patch does to the tests is undone, by whatever name it calls them."""

import pytest

from tests.audit.verifying.conftest import IMAGE
from tests.audit.verifying.projects import PROJECTS
from trajaudit.audit.verifying.patching import Patched, apply_patch
from trajaudit.audit.verifying.worktree import Worktree
from trajaudit.datamodel.patch import Instance
from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.sandbox.docker_verifier import DockerVerifier

pytestmark = pytest.mark.docker
WALLET = PROJECTS[0]
ROOT = f"/repositories/{WALLET.name}"
GRADED = "tests/test_wallet.py"
EDIT = WALLET.patch({GRADED: "import os\n" + WALLET.files[GRADED], "NOTES": "x\n"})


@pytest.mark.parametrize("name", ["tests//test_wallet.py", "tests///test_wallet.py"])
def test_tests_go_back_to_what_they_were(containers: DockerVerifier, name: str) -> None:
    image = containers.prepare(IMAGE)
    patch = EDIT.replace(GRADED, name)
    with containers.start(
        image, SandboxSpec(workdir=ROOT), run_id="test-patching", name="names"
    ) as sandbox:
        tree = Worktree(sandbox, ROOT)
        done = apply_patch(tree, patch.encode(), WALLET.instance(IMAGE))
        after = tree.read({GRADED, "NOTES"})

    assert (done.strict, done.flags) == (True, ["touches_tests"])
    assert after == {GRADED: WALLET.files[GRADED].encode(), "NOTES": b"x\n"}


def patched(
    containers: DockerVerifier, instance: Instance, patch: str, *prepare: str
) -> tuple[Patched, dict[str, bytes]]:
    image = containers.prepare(IMAGE)
    spec = SandboxSpec(workdir=ROOT)
    with containers.start(image, spec, run_id="test-patching", name="tests") as sandbox:
        if prepare:
            assert sandbox.exec(["sh", "-c", *prepare], timeout_s=30).exit_code == 0
        tree = Worktree(sandbox, ROOT)
        done = apply_patch(tree, patch.encode(), instance)
        places = {GRADED, "tests/helpers.py", "tests/wallet/core.py", "src/wallet/core.py"}
        return done, tree.read({*places, "/tmp/evil.py", "src/evil.py"})


def test_what_lies_with_graded_tests_goes_back(containers: DockerVerifier) -> None:
    core = "def pay(b, a):\n    return b - a\n"
    patch = WALLET.patch({"tests/helpers.py": "x = 1\n", "tests/wallet/core.py": core})

    done, after = patched(containers, WALLET.instance(IMAGE), patch)

    assert done.flags == ["touches_tests"]
    assert set(after) == {GRADED, "src/wallet/core.py"}


def test_a_listed_test_goes_back_that_the_test_patch_leaves_alone(
    containers: DockerVerifier,
) -> None:
    instance = WALLET.instance(IMAGE).model_copy(
        update={"test_patch": "", "pass_to_pass": (f"{GRADED}::test_fee",), "fail_to_pass": ()}
    )

    after = patched(containers, instance, WALLET.patch({GRADED: "def test_fee(): pass\n"}))[1]

    assert after[GRADED] == WALLET.files[GRADED].encode()


def test_what_the_reference_solution_changes_beside_the_tests_may_change(
    containers: DockerVerifier,
) -> None:
    helper = WALLET.patch({"tests/helpers.py": "x = 1\n"})
    instance = WALLET.instance(IMAGE).model_copy(update={"patch": helper})

    assert patched(containers, instance, helper)[1]["tests/helpers.py"] == b"x = 1\n"


@pytest.mark.parametrize("target", ["/tmp", "src"])
def test_nothing_is_written_beyond_a_link_of_the_repository(
    containers: DockerVerifier, target: str
) -> None:
    patch = "--- /dev/null\n+++ b/out/evil.py\n@@ -0,0 +1,9 @@\n+x\n"

    done, after = patched(
        containers, WALLET.instance(IMAGE), patch, f"cd {ROOT} && ln -s {target} out"
    )

    assert (done.lenient, done.flags) == (False, ["rejected_unsafe"])
    assert set(after) == {GRADED, "src/wallet/core.py"}


def test_a_link_in_place_of_a_folder_of_tests_goes(containers: DockerVerifier) -> None:
    removed = WALLET.patch({GRADED: None, "other/helpers.py": "x = 1\n"})
    made = (
        "diff --git a/tests b/tests\nnew file mode 120000\n--- /dev/null\n+++ b/tests\n"
        "@@ -0,0 +1 @@\n+other\n\\ No newline at end of file\n"
    )

    done, after = patched(containers, WALLET.instance(IMAGE), removed + made)

    assert done.strict
    assert set(after) == {GRADED, "src/wallet/core.py"}
