# ruff: noqa: E501 (what is replaced stands in one line with what replaces it)
"""Three repositories of different shapes, each with a bug, its fix, and ways to get it wrong."""

from collections.abc import Mapping

from tests.audit.verifying.projects import Project
from tests.audit.verifying.shape import Shape, replaced
from tests.audit.verifying.shapes_glyphs import GLYPHS_SHAPE

LEDGER = {
    "pyproject.toml": '[project]\nname = "ledger"\nversion = "1"\n\n'
    '[tool.pytest.ini_options]\npythonpath = ["src"]\ntestpaths = ["tests"]\n\n'
    "[tool.other]\nwidth = 1\n",
    "src/ledger/__init__.py": "from ledger.entries import Ledger\n\n__all__ = ['Ledger']\n",
    "src/ledger/entries.py": '''"""Entries of an account."""


class Ledger:
    """Keeps entries in the order in which they came."""

    def __init__(self):
        self._entries = []

    def add(self, what, cents):
        """Note an entry."""
        if cents == 0:
            raise ValueError("an entry of nothing")
        self._entries.append((what, cents))

    def largest(self):
        """Return what was dearest."""
        return max(self._entries, key=lambda entry: entry[1])[0]

    def balance(self, first=0, last=None):
        """Return the sum of the entries from `first` to `last`, both included."""
        end = len(self._entries) if last is None else last

        chosen = self._entries[first:end]
        return sum(cents for _, cents in chosen)


def euros(cents):
    """Return an amount as it is written."""
    return f"{cents / 100:.2f}"
''',
    "tests/test_ledger.py": """import pytest

from ledger import Ledger


@pytest.fixture
def ledger():
    made = Ledger()
    for what, cents in (("pen", 100), ("ink", 20), ("desk", 3000)):
        made.add(what, cents)
    return made


def test_all(ledger):
    assert ledger.balance() == 3120


def test_largest(ledger):
    assert ledger.largest() == "desk"


def test_nothing(ledger):
    with pytest.raises(ValueError):
        ledger.add("air", 0)
""",
}
_SLICE = "_entries[first:end]"
_ENTRIES = "src/ledger/entries.py"
LEDGER_FIX = replaced(LEDGER, _ENTRIES, _SLICE, "_entries[first : end + 1]")
LEDGER_SHAPE = Shape(
    project=Project(
        "ledger",
        LEDGER,
        LEDGER_FIX,
        {
            "tests/test_ledger.py": LEDGER["tests/test_ledger.py"]
            + "\n\ndef test_some(ledger):\n    assert ledger.balance(0, 1) == 120\n",
            "tests/test_ends.py": "from ledger import Ledger\n\n\n"
            "def test_one():\n    made = Ledger()\n    made.add('pen', 5)\n"
            "    assert made.balance(0, 0) == 5\n",
        },
        ("tests/test_ledger.py::test_some", "tests/test_ends.py::test_one"),
        tuple(f"tests/test_ledger.py::test_{name}" for name in ("all", "largest", "nothing")),
    ),
    package="src/ledger/__init__.py",
    graded="tests/test_ledger.py",
    added="tests/test_ends.py",
    wrong=replaced(LEDGER, _ENTRIES, _SLICE, "_entries[first : end - 1]"),
    regressed=replaced(LEDGER_FIX, _ENTRIES, "max(", "min("),
    plausible=replaced(LEDGER, _ENTRIES, _SLICE, "_entries[first : 2 if last == 1 else end + 1]"),
    hangs=replaced(LEDGER, _ENTRIES, _SLICE, "_entries[first:end]\n        while last is not None: pass"),
    settings=replaced(LEDGER, "pyproject.toml", '["tests"]\n', '["tests"]\naddopts = "-p green"\n'),
    other_settings=replaced(LEDGER, "pyproject.toml", "width = 1", "width = 2"),
)  # fmt: skip

ATLAS = {
    "pytest.ini": "[pytest]\npython_files = check_*.py\npython_functions = check_*\n"
    "addopts = -p atlas_marks --strict-markers\nmarkers =\n    far: distant places\n",
    "atlas_marks.py": "import pytest\n\n\n@pytest.fixture\ndef berlin():\n"
    "    return (52.5, 13.4)\n",
    "atlas_more.py": "import pytest\n\n\n@pytest.fixture\ndef quito(equator):\n"
    "    return (equator, -78.5)\n",
    "conftest.py": "import pytest\n\nimport atlas\n\npytest_plugins = ['atlas_more']\n\n\n"
    "@pytest.fixture\ndef equator():\n    return 0.0\n\n\n"
    "def pytest_report_header():\n    return f'atlas {atlas.EDITION}'\n",
    "atlas/__init__.py": "EDITION = 7\n",
    "atlas/places.py": '''"""Places on the earth, as (latitude, longitude) in degrees."""


def wrapped(longitude):
    """Return the longitude between -180 and 180."""
    return (longitude + 180) % 360 - 180


def apart(one, other):
    """Return by how many degrees of longitude two places are apart, at most 180."""
    difference = abs(one[1] - other[1])
    if difference == 0:
        return 0

    return difference


def north(one, other):
    """Return the more northern place."""
    return max(one, other)
'''.replace("\n", "\r\n"),
    "checks/conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\n"
    "def edition(monkeypatch):\n    monkeypatch.setattr('atlas.EDITION', 8)\n",
    "checks/check_places.py": """import atlas
from atlas.places import apart, north, wrapped


def check_edition():
    assert atlas.EDITION == 8


def check_wrapped():
    assert wrapped(190) == -170


def check_north(berlin, quito):
    assert north(berlin, quito) == berlin


def check_near(berlin, quito):
    assert apart(berlin, quito) == 91.9
""",
}
_PLACES = "atlas/places.py"
_RETURN = "    return difference\r\n"
ATLAS_FIX = replaced(ATLAS, _PLACES, _RETURN, "    return min(difference, 360 - difference)\r\n")
ATLAS_SHAPE = Shape(
    project=Project(
        "atlas",
        ATLAS,
        ATLAS_FIX,
        {
            "checks/check_places.py": ATLAS["checks/check_places.py"]
            + "\n\ndef check_far(equator):\n"
            "    assert apart((equator, 170.0), (equator, -170.0)) == 20\n",
            "checks/check_date_line.py": "import pytest\n\nfrom atlas.places import apart\n\n\n"
            "@pytest.mark.far\ndef check_date_line(quito):\n"
            "    assert apart(quito, (0, 178.5)) == 103\n",
        },
        ("checks/check_places.py::check_far", "checks/check_date_line.py::check_date_line"),
        tuple(
            f"checks/check_places.py::check_{name}"
            for name in ("edition", "wrapped", "north", "near")
        ),
    ),
    package="atlas/__init__.py",
    graded="checks/check_places.py",
    added="checks/check_date_line.py",
    wrong=replaced(ATLAS, _PLACES, _RETURN, "    return max(difference, 360 - difference)\r\n"),
    regressed=replaced(ATLAS_FIX, _PLACES, "max(one", "min(one"),
    plausible=replaced(ATLAS, _PLACES, _RETURN, "    return {340: 20, 257: 103}.get(difference, difference)\r\n"),
    hangs=replaced(ATLAS, _PLACES, _RETURN, "    import time; time.sleep(900)\r\n"),
    settings=replaced(ATLAS, "pytest.ini", "--strict-markers", "-p green"),
)  # fmt: skip

SHAPES: Mapping[str, Shape] = {
    one.project.name: one for one in (LEDGER_SHAPE, ATLAS_SHAPE, GLYPHS_SHAPE)
}
