"""Which files and folders are logs?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from trajaudit.errors import UsageError
from trajaudit.record.importers.base import HEAD_BYTES, ForeignTrial, Importer, Source
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import find_sources, open_source


def _none(_source: Source, _losses: Losses) -> Iterator[ForeignTrial]:
    yield from ()


def _raise(_source: Source) -> bool:
    raise TypeError("unhashable")


FOLDER = Importer("folder", lambda source: "mark" in source.entries, _none)
FILE = Importer("file", lambda source: source.path.suffix == ".log", _none)
ODD = Importer("odd", _raise, _none)
ALL = {one.name: one for one in (ODD, FOLDER, FILE)}


def _found(*paths: Path) -> list[tuple[str, str | None]]:
    return [
        (source.name, importer.name if importer else None)
        for source, importer in find_sources(list(paths), ALL)
    ]


def _write(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_files_are_found_below_folders_sorted_and_named_from_what_was_asked_for(
    tmp_path: Path,
) -> None:
    for name in ("b.log", "a/z.log", "a/c.txt"):
        _write(tmp_path / name)

    assert _found(tmp_path) == [("a/c.txt", None), ("a/z.log", "file"), ("b.log", "file")]
    assert _found(tmp_path / "b.log") == [("b.log", "file")]


def test_a_folder_that_is_one_log_is_not_looked_into(tmp_path: Path) -> None:
    _write(tmp_path / "one" / "mark")
    _write(tmp_path / "one" / "a.log")

    assert _found(tmp_path) == [("one", "folder")]


def test_links_empty_files_and_folders_of_tools_are_passed_over(tmp_path: Path) -> None:
    outside = _write(tmp_path / "outside" / "a.log")
    logs = tmp_path / "logs"
    _write(logs / "empty.txt", "")
    _write(logs / ".git" / "a.log")
    (logs / "link.log").symlink_to(outside)
    (logs / "folder").symlink_to(outside.parent)
    (logs / "loop").symlink_to(logs)

    assert _found(logs) == []


def test_what_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file or folder"):
        _found(tmp_path / "gone")


def test_a_source_shows_the_head_of_a_file_and_the_names_in_a_folder(tmp_path: Path) -> None:
    large = _write(tmp_path / "a.log", "x" * (HEAD_BYTES + 10))

    assert len(open_source(large, tmp_path).head) == HEAD_BYTES
    assert open_source(tmp_path, tmp_path).entries == ("a.log",)
    assert open_source(tmp_path, tmp_path).is_folder


def test_an_importer_that_stumbles_over_a_file_leaves_it_to_the_next(tmp_path: Path) -> None:
    assert _found(_write(tmp_path / "a.log")) == [("a.log", "file")]
