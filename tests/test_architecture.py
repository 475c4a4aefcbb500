"""The layout holds: one direction of imports, and nothing grows past its budget."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    path
    for folder in ("trajaudit", "sandboxes", "bench", "tests")
    for path in (ROOT / folder).rglob("*.py")
)
MODULE_LINES = 300
FUNCTION_LINES = 40


def test_imports_go_in_one_direction() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports"))]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module_and_its_functions_stay_within_budget(path: Path) -> None:
    text = path.read_text()
    too_long = [
        f"{name}: {lines} lines" for name, lines in _functions(text) if lines > FUNCTION_LINES
    ]

    assert len(text.splitlines()) <= MODULE_LINES
    assert too_long == []


def _functions(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1
