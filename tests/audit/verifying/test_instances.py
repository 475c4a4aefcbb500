"""An instance is checked by itself before it decides about anybody's patch."""

import json
from pathlib import Path

import pytest

from tests.audit.verifying.conftest import IMAGE
from tests.audit.verifying.projects import PROJECTS
from trajaudit.audit.verify import VerifyOptions, check_instances
from trajaudit.datamodel.patch import Instance
from trajaudit.errors import UsageError
from trajaudit.sandbox.docker_verifier import DockerVerifier

WALLET = PROJECTS[0]
FEE = "tests/test_wallet.py::test_fee"


def changed(instance: Instance, name: str, **changes: object) -> str:
    return instance.model_copy(update={"instance_id": name, **changes}).model_dump_json()


@pytest.mark.docker
def test_sound_doubtful_and_broken_instances_are_told_apart(
    tmp_path: Path, containers: DockerVerifier
) -> None:
    instance = WALLET.instance(containers.prepare(IMAGE))
    two = (*instance.fail_to_pass, FEE)
    wrong = WALLET.patch({"README": "x\n"})
    lines = [
        changed(instance, "sound"),
        changed(instance, "doubtful", fail_to_pass=two),
        changed(instance, "tests pass anyway", fail_to_pass=(FEE,)),
        changed(instance, "gold is wrong", patch=wrong),
        changed(instance, "gold does not apply", patch=wrong.replace("+++ b/", "+++ b/../")),
        changed(instance, "no repository", workdir="/usr"),
    ]
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(lines))

    checks = check_instances(path, VerifyOptions(), 1)

    assert [one.result for one in checks] == ["sound", "doubtful", *["broken"] * 3, "ungraded"]
    assert "passes without the patch" in checks[1].notes[0]
    assert all(one.notes for one in checks[1:])


def test_numbers_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(json.dumps({}))

    with pytest.raises(UsageError, match="repeats"):
        check_instances(tmp_path / "f", VerifyOptions(), 0)
