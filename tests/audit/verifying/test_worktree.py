"""What is read out of a repository is all that was asked for."""

import pytest

from tests.audit.verifying.conftest import IMAGE
from tests.audit.verifying.projects import PROJECTS
from trajaudit.audit.verifying.worktree import Worktree
from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.sandbox.docker_verifier import DockerVerifier

WALLET = PROJECTS[0]
ROOT = f"/repositories/{WALLET.name}"


@pytest.mark.docker
def test_two_names_of_one_file_are_both_read(containers: DockerVerifier) -> None:
    image = containers.prepare(IMAGE)
    core = "src/wallet/core.py"
    with containers.start(
        image, SandboxSpec(workdir=ROOT), run_id="test-worktree", name="links"
    ) as sandbox:
        sandbox.exec(["ln", core, "other.py"], timeout_s=10)
        found = Worktree(sandbox, ROOT).read({core, "other.py", f"{ROOT}/{core}", "absent"})

    content = WALLET.files[core].encode()
    assert found[core] == found["other.py"] == content
    assert "absent" not in found
