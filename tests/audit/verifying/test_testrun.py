"""Tests are run as the instance says, and read from the log only where nothing can be recorded."""

import pytest

from tests.audit.verifying.conftest import IMAGE
from tests.audit.verifying.projects import PROJECTS
from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance, Prediction, Verification
from trajaudit.datamodel.patch import PatchVerdict as V

pytestmark = pytest.mark.docker
WALLET = PROJECTS[0]
GOLD = WALLET.patch(WALLET.fix)
UNITTEST = """import unittest

from wallet import pay


class T(unittest.TestCase):
    def test_pay(self):
        print("noise")
        self.assertEqual(pay(5, 2), 3)
"""


def verified(verifier: Verifier, instance: Instance, patch: str) -> Verification:
    return verifier.verify(instance, Prediction(instance_id="wallet", model_patch=patch))


def test_a_command_of_ones_own_is_recorded_too(verifier: Verifier) -> None:
    command = "cd /repositories/wallet && pytest -rA tests/test_wallet.py tests/test_added.py"
    instance = WALLET.instance(IMAGE).model_copy(update={"test_command": command})

    gold = verified(verifier, instance, GOLD)

    assert (gold.lenient, gold.notes) == (V.RESOLVED, ())


def test_a_script_brings_its_own_tests(verifier: Verifier) -> None:
    tests = WALLET.patch(WALLET.tests)
    script = f"cat > /tmp/t.diff <<'END'\n{tests}END\ngit apply /tmp/t.diff\npytest -rA tests\n"
    update = {"eval_script": script, "log_parser": "parse_log_pytest_v2"}
    instance = WALLET.instance(IMAGE).model_copy(update=update)

    assert verified(verifier, instance, GOLD).lenient is V.RESOLVED
    assert verified(verifier, instance, WALLET.patch({"X": "x\n"})).lenient is V.F2P_FAILED


def test_a_runner_that_takes_no_plug_in_is_read_from_its_log(verifier: Verifier) -> None:
    update = {
        "test_patch": WALLET.patch({"tests/test_unit.py": UNITTEST}),
        "test_command": "PYTHONPATH=src python -m unittest -v tests/test_unit.py",
        "log_parser": "unittest",
        "fail_to_pass": ("test_pay (tests.test_unit.T.test_pay)",),
        "pass_to_pass": (),
    }
    instance = WALLET.instance(IMAGE).model_copy(update=update)

    gold = verified(verifier, instance, GOLD)

    assert gold.lenient is V.RESOLVED, gold
    assert "read from the log" in gold.notes[0]
    assert verified(verifier, instance, WALLET.patch({"X": "x\n"})).lenient is V.F2P_FAILED


def test_a_log_of_pytest_is_no_substitute_for_a_record_that_was_taken_away(
    verifier: Verifier,
) -> None:
    init = WALLET.files["src/wallet/__init__.py"]
    thief = (
        "import glob, os\nfor path in glob.glob('/tmp/*/record'):\n    os.unlink(path)\n"
        "print('PASSED tests/test_wallet.py::test_pay')\n"
        "print('PASSED tests/test_added.py::test_all')\nos._exit(0)\n"
    )
    instance = WALLET.instance(IMAGE).model_copy(update={"log_parser": "pytest"})

    done = verified(verifier, instance, WALLET.patch({"src/wallet/__init__.py": init + thief}))

    assert done.lenient is V.RUNNER_DIED
