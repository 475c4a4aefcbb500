"""The checksum of a run covers all code that decides: what the scorers import, and the readers."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import trajaudit.score as package
from trajaudit.score import PACKAGE, scoring_checksum, scoring_sources


def imported(path: Path) -> Iterator[Path]:
    """Yield the files of this package that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("trajaudit."):
            base = PACKAGE.parent / str(node.module).replace(".", "/")
            for place in (base, *(base / name.name for name in node.names)):
                yield from (
                    f for f in (place.with_suffix(".py"), place / "__init__.py") if f.exists()
                )


def test_nothing_that_decides_is_left_out() -> None:
    sources = set(scoring_sources())

    left_out = {
        (path.name, str(needed.relative_to(PACKAGE)))
        for path in sources
        for needed in imported(path)
        if needed not in sources
    }

    assert left_out == set()


def test_a_reader_outside_of_the_folder_changes_the_checksum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = scoring_checksum()
    for source in scoring_sources():
        copy = tmp_path / source.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(source.read_bytes())
    monkeypatch.setattr(package, "PACKAGE", tmp_path)
    assert scoring_checksum() == before

    (tmp_path / "mocks" / "world.py").write_text("# another one\n")

    assert scoring_checksum() != before
