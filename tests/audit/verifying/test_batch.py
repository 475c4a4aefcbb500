"""Many verifications share a baseline, hold their limits, and go on where they were killed."""

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
from trajaudit.audit.verify import VerifyOptions, regrade, verify
from trajaudit.audit.verifying.batch import Batch, BatchOptions
from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance, Prediction, Verification
from trajaudit.datamodel.patch import PatchVerdict as V
from trajaudit.record.patch_results import Results
from trajaudit.sandbox.container import RUN_LABEL
from trajaudit.sandbox.docker_verifier import DockerVerifier

pytestmark = pytest.mark.docker
WALLET = PROJECTS[0]
CORE = "src/wallet/core.py"
GOLD = WALLET.patch(WALLET.fix)
NO_FIX = WALLET.patch({"README": "x\n"})
PLAIN = "python -m pytest tests/test_wallet.py tests/test_added.py"


def decided(verifier: Verifier, *patches: str, **changes: object) -> list[Verification]:
    """Verify patches of the wallet as a batch does."""
    instance = WALLET.instance(IMAGE).model_copy(update=changes)
    pairs = [(instance, Prediction(instance_id="wallet", model_patch=one)) for one in patches]
    done = {number: one for number, one, _ in Batch(verifier, BatchOptions()).verified(pairs)}
    return [done[number] for number in sorted(done)]


@pytest.mark.parametrize("choice", ["-k 'fee or negative or pay or all'", "-m 'not slow'", "-x"])
def test_a_command_that_chooses_tests_has_its_canary_all_the_same(
    verifier: Verifier, choice: str
) -> None:
    instance = WALLET.instance(IMAGE).model_copy(update={"test_command": f"{PLAIN} {choice}"})

    done = verifier.verify(instance, Prediction(instance_id="wallet", model_patch=GOLD))

    assert done.lenient is V.RESOLVED


def test_a_command_that_leaves_the_canary_out_is_no_ones_tampering(verifier: Verifier) -> None:
    plug_in = f"cat > /tmp/out.py <<'END'\n{LEAVES_OUT}END\nexport PYTHONPATH=/tmp:$PYTHONPATH\n"

    [done] = decided(verifier, GOLD, test_command=f"{plug_in}{PLAIN} -p out")

    assert (done.strict, done.lenient) == (V.INVALID_INSTANCE, V.INVALID_INSTANCE)
    assert "without any patch either" in done.notes[0]


LEAVES_OUT = """
def pytest_runtest_protocol(item, nextitem):
    return True if "TestCase" in item.nodeid else None
"""


def test_a_baseline_is_made_once_for_all_predictions(tmp_path: Path, verifier: Verifier) -> None:
    instance = WALLET.instance(IMAGE).model_copy(update={"pass_to_pass": ("gone", "tests/x::y")})
    pairs = [
        (instance, Prediction(instance_id="wallet", model_name_or_path=name, model_patch=patch))
        for name, patch in (("a", GOLD), ("b", NO_FIX), ("c", ""))
    ]
    with Results(tmp_path / "r.jsonl") as results:
        done = [one for _, one, _ in Batch(verifier, BatchOptions(), results).verified(pairs)]

    verdicts = {one.model_name_or_path: (one.strict, one.lenient) for one in done}
    assert verdicts == {
        "a": (V.P2P_REGRESSED, V.RESOLVED), "b": (V.F2P_FAILED,) * 2, "c": (V.EMPTY_PATCH,) * 2,
    }  # fmt: skip
    assert len(list(results.folder.glob("baseline-*.json"))) == 1
    assert regrade(results.path, None, None).flips == []


def test_a_script_of_any_length_has_its_marks_and_results_in_one_log(verifier: Verifier) -> None:
    tests = WALLET.patch({"tests/test_unit.py": UNITTEST + "# x\n" * 60_000})
    script = (
        f"set -uxo pipefail\ncd {WALLET.instance(IMAGE).workdir}\n"
        f"git apply -v - <<'END'\n{tests}END\n"
        ": '>>>>> Start Test Output'\n"
        "PYTHONPATH=src python -m unittest -v tests/test_unit.py 2>&1\n"
        "code=$?\n: '>>>>> End Test Output'\necho \">>>>> Test Exit Code: $code\"\ngit status\n"
    )
    kills = "\nimport os, sys\n\nif 'unittest' in sys.modules:\n    os.killpg(0, 9)\n"
    patches = [GOLD, NO_FIX, WALLET.patch({CORE: WALLET.fix[CORE] + kills})]

    done = decided(
        verifier,
        *patches,
        eval_script=script,
        log_parser="parse_log_unittest",
        test_patch=tests,
        fail_to_pass=("test_pay (tests.test_unit.T.test_pay)",),
        pass_to_pass=(),
        eval_type="pass_and_fail",
    )

    assert [one.lenient for one in done] == [V.RESOLVED, V.F2P_FAILED, V.RUNNER_DIED]


UNITTEST = """import unittest

from wallet import pay


class T(unittest.TestCase):
    def test_pay(self):
        self.assertEqual(pay(5, 2), 3)
"""


FILLS = """
import time

with open("/filled", "wb") as f:
    while True:
        f.write(bytes(2**20))
        f.flush()
        time.sleep(0.002)
"""


def test_a_patch_that_fills_the_disk_fails_by_itself_and_leaves_nothing(
    containers: DockerVerifier,
) -> None:
    patch = WALLET.patch({CORE: WALLET.fix[CORE] + FILLS})
    watched = DockerVerifier(api=containers.api, disk_mb=64)
    verifier = Verifier(containers=watched, run_id="test-verify-disk")
    instance = WALLET.instance(containers.prepare(IMAGE), timeout_s=120)

    done = verifier.verify(instance, Prediction(instance_id="wallet", model_patch=patch))

    assert (done.status, done.lenient, done.flags) == ("graded", V.RUNNER_DIED, ("disk_limit",))
    deadline = time.monotonic() + 30
    while containers.api.containers({RUN_LABEL: "test-verify-disk"}):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_run_that_is_killed_goes_on_where_it_was(
    tmp_path: Path, containers: DockerVerifier
) -> None:
    image = containers.prepare(IMAGE)
    slow = WALLET.patch({CORE: WALLET.fix[CORE] + "\nimport time\n\ntime.sleep(8)\n"})
    names = {"a": GOLD, "b": slow, "c": GOLD}
    lines = [_renamed(WALLET.instance(image), name) for name in names]
    (tmp_path / "tasks.jsonl").write_text("\n".join(lines))
    (tmp_path / "preds.json").write_text(
        json.dumps({name: {"model_patch": patch} for name, patch in names.items()})
    )
    out = tmp_path / "r.jsonl"
    command = [sys.executable, "-m", "trajaudit", "verify", "--concurrency", "1", "--out", str(out)]
    tasks, predictions = tmp_path / "tasks.jsonl", tmp_path / "preds.json"
    process = subprocess.Popen(
        [*command, "--instances", str(tasks), "--predictions", str(predictions)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not (out.exists() and out.stat().st_size):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)

    done = verify(tasks, predictions, VerifyOptions(out=out))

    assert [one.lenient for one in done.verifications] == [V.RESOLVED] * 3
    assert done.kept == 1
    assert [one.instance_id for one in Results(out).earlier()].count("a") == 1


def _renamed(instance: Instance, name: str) -> str:
    return instance.model_copy(update={"instance_id": name}).model_dump_json()
