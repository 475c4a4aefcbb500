"""Many predictions are verified, streamed, kept, and nothing outlives a stopped run."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.audit.verifying.conftest import IMAGE
from tests.audit.verifying.projects import PROJECTS
from trajaudit.audit.verify import VerifyOptions, VerifyResult, verify
from trajaudit.audit.verifying.keys import code_hash
from trajaudit.datamodel.patch import Instance, PatchVerdict, Verification
from trajaudit.errors import UsageError
from trajaudit.sandbox.docker_verifier import DockerVerifier

WALLET = PROJECTS[0]
LABEL = "trajaudit.run"


def files(folder: Path, image: str, patches: dict[str, str]) -> tuple[Path, Path]:
    """Write the wallet as instances of other names, and a prediction for each."""
    instance = WALLET.instance(image)
    lines = [_renamed(instance, name) for name in patches if not name.startswith("unknown")]
    (folder / "tasks.jsonl").write_text("\n".join(lines))
    (folder / "preds.json").write_text(
        json.dumps({name: {"model_patch": patch} for name, patch in patches.items()})
    )
    return folder / "tasks.jsonl", folder / "preds.json"


def _renamed(instance: Instance, name: str) -> str:
    return instance.model_copy(update={"instance_id": name}).model_dump_json()


@pytest.fixture(scope="session")
def image(containers: DockerVerifier) -> str:
    return containers.prepare(IMAGE)


@pytest.mark.docker
def test_predictions_are_decided_kept_and_decided_again_when_they_change(
    tmp_path: Path, image: str
) -> None:
    gold = WALLET.patch(WALLET.fix)
    patches = {"good": gold, "empty": "", "unknown": gold}
    options = VerifyOptions(out=tmp_path / "results.jsonl")

    first = verify(*files(tmp_path, image, patches), options)
    with (tmp_path / "results.jsonl").open("ab") as stream:
        stream.write(b'{"instance_id": "cut')
    second = verify(*files(tmp_path, image, patches), options)
    third = verify(*files(tmp_path, image, {**patches, "good": "no patch"}), options)

    verdicts = [[one.lenient for one in run.verifications] for run in (first, second, third)]
    resolved, empty = PatchVerdict.RESOLVED, PatchVerdict.EMPTY_PATCH
    assert verdicts == [[resolved, empty], [resolved, empty], [empty, empty]]
    assert [run.kept for run in (first, second, third)] == [0, 2, 1]
    assert first.unknown == ["unknown"]
    assert first.count("strict") == (1, 2)


@pytest.mark.docker
def test_what_the_infrastructure_spoils_is_ungraded(tmp_path: Path, image: str) -> None:
    instance = WALLET.instance(image).model_copy(update={"workdir": "/usr"})
    (tmp_path / "tasks.jsonl").write_text(instance.model_dump_json())
    (tmp_path / "preds.jsonl").write_text(
        json.dumps({"instance_id": "wallet", "model_patch": WALLET.patch(WALLET.fix)})
    )

    result = verify(tmp_path / "tasks.jsonl", tmp_path / "preds.jsonl", VerifyOptions())

    assert [one.status for one in result.verifications] == ["ungraded"]
    assert "no git repository" in result.verifications[0].reason
    assert result.count("lenient") == (0, 0)


@pytest.mark.docker
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_run_leaves_no_container(
    tmp_path: Path, image: str, containers: DockerVerifier, how: signal.Signals
) -> None:
    core = WALLET.files["src/wallet/core.py"]
    hang = WALLET.patch({"src/wallet/core.py": core + "\nimport time\n\ntime.sleep(600)\n"})
    tasks, predictions = files(tmp_path, image, {"hang": hang})
    command = [sys.executable, "-m", "trajaudit", "verify"]
    before = _running(containers)
    process = subprocess.Popen(
        [*command, "--instances", str(tasks), "--predictions", str(predictions)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _until(lambda: bool(_running(containers) - before))
    mine = _running(containers) - before
    os.kill(process.pid, how)
    code = process.wait(30)

    _until(lambda: not (mine & _running(containers)))
    assert code == {signal.SIGINT: 130, signal.SIGKILL: -9}[how]


def _running(containers: DockerVerifier) -> set[str]:
    found = containers.api.containers({"trajaudit": "1"})
    return {str(one["Id"]) for one in found if "verify-" in one["Labels"].get(LABEL, "")}


def _until(holds: object, patience_s: float = 40) -> None:
    assert callable(holds)
    deadline = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_an_instance_that_is_invalid_grades_nothing() -> None:
    invalid, resolved = PatchVerdict.INVALID_INSTANCE, PatchVerdict.RESOLVED
    made = [
        Verification(instance_id="a", status="graded", strict=one, lenient=one)
        for one in (invalid, resolved)
    ]

    result = VerifyResult(verifications=made, unknown=[], missing=[], kept=0)

    assert result.count("strict") == (1, 1)


def test_numbers_that_make_no_sense_are_refused() -> None:
    with pytest.raises(UsageError, match="concurrency"):
        verify(Path("a"), Path("b"), VerifyOptions(concurrency=0))


def test_the_code_that_verifies_has_a_hash() -> None:
    assert code_hash() == code_hash()
    assert len(code_hash()) == 64
