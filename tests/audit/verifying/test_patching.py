"""What a patch does to the tests is undone, by whatever name it calls them."""

import pytest

from tests.audit.verifying.conftest import IMAGE
from tests.audit.verifying.projects import PROJECTS
from trajaudit.audit.verifying.patching import apply_patch
from trajaudit.audit.verifying.worktree import Worktree
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
