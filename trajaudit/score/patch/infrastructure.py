"""Which files steer a test runner, and what is left of a patch's changes to them.

A file that does nothing else goes back to what it was. Of a file that holds more (`pyproject.toml`)
only the sections of test runners do, so that a fix may still change the rest.
"""

import configparser
import itertools
import re
import sys
import tomllib

STEERING = re.compile(
    r"(?:^|/)(?:conftest\.py|\.?pytest\.ini|\.?pytest\.toml|sitecustomize\.py|usercustomize\.py"
    r"|[^/]+\.pth|[^/]+\.(?i:(?:egg|dist)-info)/.*|__pycache__/.*|[^/]+\.py[co])$"
    r"|^(?:pytest|_pytest|pluggy|iniconfig|exceptiongroup)(?:\.py$|/)"
)
"""Configuration, start-up hooks, entry points, byte code; and what would be imported as pytest."""
_AT_ROOT = re.compile(r"^(\w+)(?:\.py|\.[^/]*so|/__init__\.[^/]*)$")
_IMPORTED = frozenset(
    {*sys.stdlib_module_names, "attr", "attrs", "colorama", "packaging", "py", "pygments", "tomli"}
) - {"test"}
"""What a runner imports before anything of a project, unless the project has it at its root."""
SHARED = re.compile(r"(?:^|/)(?:pyproject\.toml|setup\.cfg|tox\.ini)$")
_SECTION = re.compile(rb"^\[", re.MULTILINE)
_RUNNER = re.compile(rb"\[+\s*(?:tool:pytest|pytest|tool\.pytest\b[^\]]*)\s*\]")


def steers_tests(path: str) -> bool:
    """Whether a file can change how tests run or what they report."""
    return bool(STEERING.search(path) or SHARED.search(path))


def is_shadow(path: str) -> bool:
    """Whether a new file at the root would be imported in place of what a runner needs."""
    found = _AT_ROOT.match(path)
    return found is not None and found[1] in _IMPORTED


def restored(path: str, before: bytes | None, after: bytes | None) -> bytes | None:
    """Return what a file has to hold while tests run; None: it must not be there."""
    if before == after or not (steers_tests(path) or (before is None and is_shadow(path))):
        return after
    if not SHARED.search(path):
        return before
    if _settings(path, before) == _settings(path, after):
        return after
    merged = _merged(before or b"", after or b"")
    return merged if _settings(path, merged) == _settings(path, before) else before


def _merged(before: bytes, after: bytes) -> bytes:
    kept = [one for one in _sections(after) if not _RUNNER.match(one)]
    runner = [one for one in _sections(before) if _RUNNER.match(one)]
    return b"\n".join(one.removesuffix(b"\n") for one in [*kept, *runner]) + b"\n"


def _sections(content: bytes) -> list[bytes]:
    cuts = [0, *(found.start() for found in _SECTION.finditer(content)), len(content)]
    return [content[a:b] for a, b in itertools.pairwise(cuts) if a < b]


def _settings(path: str, content: bytes | None) -> object:
    """Return what a file tells pytest; what cannot be read equals nothing, not even itself."""
    if content is None:
        return None
    try:
        text = content.decode()
        if path.endswith(".toml"):
            return tomllib.loads(text).get("tool", {}).get("pytest")
        parser = configparser.RawConfigParser(strict=False)
        parser.read_string(text)
    except (ValueError, configparser.Error, AttributeError):
        return object()
    found = {name: dict(parser[name]) for name in ("pytest", "tool:pytest") if name in parser}
    return found or None
