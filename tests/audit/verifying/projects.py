"""Small purpose-written repositories with a bug, its fix and the tests that tell them apart."""

import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from trajaudit.datamodel.patch import Instance

Files = Mapping[str, str]
_HEADER = re.compile(r"^diff --git [ab]/(\S+) [ab]/(\S+)$", re.MULTILINE)
"""Of a file that is on one side only, git names that side twice."""

WALLET = {
    "pyproject.toml": '[project]\nname = "wallet"\nversion = "1"\n\n'
    '[tool.pytest.ini_options]\npythonpath = ["src"]\naddopts = "-q"\n\n'
    "[tool.other]\nx = 1\n",
    "src/wallet/__init__.py": "from wallet.core import pay\n",
    "src/wallet/core.py": '''"""Money."""


def pay(balance, amount):
    """Return what is left."""
    if amount < 0:
        raise ValueError("amount is negative")

    return balance + amount


def fee(amount):
    """Return two percent."""
    return amount * 2 / 100
''',
    "tests/test_wallet.py": "from wallet import pay\nfrom wallet.core import fee\n\n\n"
    "def test_fee():\n    assert fee(50) == 1\n\n\n"
    "def test_negative():\n    try:\n        pay(1, -1)\n    except ValueError:\n        return\n"
    "    raise AssertionError\n",
}
WALLET_FIX = {
    "src/wallet/core.py": WALLET["src/wallet/core.py"].replace("balance + a", "balance - a")
}
WALLET_TESTS = {
    "tests/test_wallet.py": WALLET["tests/test_wallet.py"]
    + "\n\ndef test_pay():\n    assert pay(5, 2) == 3\n",
    "tests/test_added.py": "from wallet import pay\n\n\n"
    "def test_all():\n    assert pay(5, 5) == 0\n",
}
TEXTS = {
    "texts.py": "def squeeze(text):\n    return text.strip()\n",
    "test_texts.py": """import pytest

from texts import squeeze


@pytest.mark.parametrize("given", ["a  b", "x\\ty", "http://h/p?q=[1]&r=a b", "é - ü", "\\x1b[0m"])
def test_has_no_outer_blanks(given):
    assert squeeze(f" {given} ").strip() == squeeze(given)
""",
}
TEXTS_FIX = {"texts.py": "def squeeze(text):\n    return ' '.join(text.split())\n"}
TEXTS_TESTS = {
    "test_texts.py": TEXTS["test_texts.py"]
    + """

@pytest.mark.parametrize("given", ["a  b", "c - d", "http://h/ x"])
def test_squeezes(given):
    assert "  " not in squeeze(given + "  x")
"""
}
CONFIGURED = {
    "pytest.ini": "[pytest]\npython_functions = check_*\nmarkers =\n    slow: takes long\n",
    "conftest.py": "import pytest\n\npytest_plugins = ['support']\n\n\n@pytest.fixture\n"
    "def two():\n    return 2\n",
    "support.py": "import pytest\n\n\n@pytest.fixture\ndef three():\n    return 3\n",
    "calc/__init__.py": "def times(a, b):\n    return a + b\n",
    "calc/tests/__init__.py": "",
    "calc/tests/test_calc.py": "import calc\n\n\n"
    "def check_zero():\n    assert calc.times(0, 0) == 0\n",
}
CONFIGURED_FIX = {"calc/__init__.py": "def times(a, b):\n    return a * b\n"}
CONFIGURED_TESTS = {
    "calc/tests/test_calc.py": CONFIGURED["calc/tests/test_calc.py"]
    + "\n\ndef check_times(two, three):\n    assert calc.times(two, three) == 6\n"
}


@dataclass(frozen=True)
class Project:
    """One repository, its fix and the tests of the fix."""

    name: str
    files: Files
    fix: Files
    tests: Files
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]

    def instance(self, image: str, timeout_s: float = 60) -> Instance:
        """Return it as an instance whose repository lies in an image."""
        return Instance(
            instance_id=self.name,
            image=image,
            patch=self.patch(self.fix),
            test_patch=self.patch(self.tests),
            fail_to_pass=self.fail_to_pass,
            pass_to_pass=self.pass_to_pass,
            workdir=f"/repositories/{self.name}",
            timeout_s=timeout_s,
        )

    def patch(self, changes: Mapping[str, str | None]) -> str:
        """Return git's difference between the repository and its changed files."""
        with tempfile.TemporaryDirectory() as folder:
            for side in ("a", "b"):
                Path(folder, side).mkdir()
            known = {path: self.files[path] for path in changes if path in self.files}
            write(Path(folder, "a"), known)
            write(Path(folder, "b"), {k: v for k, v in changes.items() if v is not None})
            git = ["git", "-C", folder, "diff", "--no-index", "--no-prefix", "--no-ext-diff"]
            done = subprocess.run([*git, "a", "b"], check=False, capture_output=True)
        assert done.returncode in {0, 1}, done.stderr
        return _HEADER.sub(r"diff --git a/\1 b/\2", done.stdout.decode())


def write(folder: Path, files: Files) -> None:
    """Write files below a folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def _ids(name: str, *parameters: str) -> tuple[str, ...]:
    return tuple(f"test_texts.py::{name}[{one}]" for one in parameters)


PROJECTS = (
    Project(
        "wallet",
        WALLET,
        WALLET_FIX,
        WALLET_TESTS,
        ("tests/test_wallet.py::test_pay", "tests/test_added.py::test_all"),
        ("tests/test_wallet.py::test_fee", "tests/test_wallet.py::test_negative"),
    ),
    Project(
        "texts",
        TEXTS,
        TEXTS_FIX,
        TEXTS_TESTS,
        _ids("test_squeezes", "a  b", "c - d", "http://h/ x"),
        _ids(
            "test_has_no_outer_blanks",
            "a  b", "x\\ty", "http://h/p?q=[1]&r=a b", "\\xe9 - \\xfc", "\\x1b[0m",
        ),
    ),
    Project(
        "configured",
        CONFIGURED,
        CONFIGURED_FIX,
        CONFIGURED_TESTS,
        ("calc/tests/test_calc.py::check_times",),
        ("calc/tests/test_calc.py::check_zero",),
    ),
)  # fmt: skip
