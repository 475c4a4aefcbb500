# ruff: noqa: E501 (what is replaced stands in one line with what replaces it)
"""A repository whose tests have ids with every sign that has ever been lost on the way."""

from tests.audit.verifying.projects import Project
from tests.audit.verifying.shape import Shape, replaced

GLYPHS = {
    "setup.cfg": "[metadata]\nname = glyphs\n\n[tool:pytest]\ntestpaths = spec\n"
    "disable_test_id_escaping_and_forfeit_all_rights_to_community_support = true\n\n"
    "[other]\nwidth = 1\n",
    "glyphs.py": '''"""Shows text on one line."""

MARKS = {9: "\\\\t", 10: "\\\\n", 13: "\\\\r", 27: "\\\\e"}


def shown(text):
    """Return the text with its control characters spelled out."""
    result = []
    for sign in text:
        code = ord(sign)
        if code in MARKS:
            result.append(MARKS[code])
        elif code < 31:

            result.append(f"\\\\x{code:02x}")
        else:
            result.append(sign)

    return "".join(result)


def width(text):
    """Return how many columns a text takes."""
    return len(shown(text))
''',
    "spec/__init__.py": "",
    "spec/test_glyphs.py": """import pytest

from glyphs import shown, width

KEPT = ["a  b", "c - d", "https://h.example/p?q=[1]&r=a  b#x", "x::y", "[", "]", "é ü", "=> PASSED", "日本", "a 'b' \\"c\\""]


@pytest.mark.parametrize("text", KEPT)
def test_keeps(text):
    assert shown(text) == text


@pytest.mark.parametrize("text", ["\\t", " \\x1b[31m red", "a\\nb", "\\r\\n  x"])
def test_is_one_line(text):
    assert len(shown(text).splitlines()) == 1


class TestWidth:
    @pytest.mark.parametrize(("text", "columns"), [("a  b", 4), ("\\t", 2)])
    def test_counts(self, text, columns):
        assert width(text) == columns
""",
}
_KEPT = ("a  b", "c - d", "https://h.example/p?q=[1]&r=a  b#x", "x::y", "[", "]", "é ü", "=> PASSED", "日本", "a 'b' \"c\"")  # fmt: skip
_CONTROLS = ("\t", " \x1b[31m red", "a\nb", "\r\n  x")
_BROKEN = ("\x1f", "a  \x1f  b", "http://h/?a= \x1f&b=[\x1f]")
_SPEC = "spec/test_glyphs.py::"
_BELOW = "elif code < 31:\n"
GLYPHS_FIX = replaced(GLYPHS, "glyphs.py", _BELOW, "elif code < 32:\n")
GLYPHS_SHAPE = Shape(
    project=Project(
        "glyphs",
        GLYPHS,
        GLYPHS_FIX,
        {
            "spec/test_glyphs.py": GLYPHS["spec/test_glyphs.py"]
            + '\n\n@pytest.mark.parametrize("text", ["\\x1f", "a  \\x1f  b", '
            '"http://h/?a= \\x1f&b=[\\x1f]"])\ndef test_spells(text):\n'
            '    assert "\\\\x1f" in shown(text)\n',
            "spec/test_last.py": "from glyphs import shown\n\n\n"
            "def test_last():\n    assert shown(chr(31)) == '\\\\x1f'\n",
        },
        (*(f"{_SPEC}test_spells[{one}]" for one in _BROKEN), "spec/test_last.py::test_last"),
        (
            *(f"{_SPEC}test_keeps[{one}]" for one in _KEPT),
            *(f"{_SPEC}test_is_one_line[{one}]" for one in _CONTROLS),
            f"{_SPEC}TestWidth::test_counts[a  b-4]",
            f"{_SPEC}TestWidth::test_counts[\t-2]",
        ),
    ),
    package="glyphs.py",
    graded="spec/test_glyphs.py",
    added="spec/test_last.py",
    wrong=replaced(GLYPHS, "glyphs.py", _BELOW, "elif code < 30:\n"),
    regressed=replaced(GLYPHS, "glyphs.py", _BELOW, "elif code <= 32:\n"),
    plausible=replaced(GLYPHS, "glyphs.py", _BELOW, "elif code == 31:\n"),
    hangs=replaced(GLYPHS, "glyphs.py", _BELOW, "elif code == 31:\n            while True: pass\n        elif code < 31:\n"),
    settings=replaced(GLYPHS, "setup.cfg", "testpaths = spec", "testpaths = spec\naddopts = -p green"),
    other_settings=replaced(GLYPHS, "setup.cfg", "width = 1", "width = 2"),
)  # fmt: skip
