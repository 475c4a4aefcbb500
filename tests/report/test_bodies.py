from pathlib import Path

import pytest
from markupsafe import Markup

from trajaudit.errors import StorageError
from trajaudit.report.bodies import Bodies, Body


def _page(body: Body, before: str | None, after: str | None) -> str:
    return f"{before} {body.content} {after}"


def _fill(folder: Path, lengths: list[int], budget: int) -> Bodies:
    bodies = Bodies(folder, _page, budget)
    for number, length in enumerate(lengths, 1):
        bodies.add(Body(f"x{number}", f"t/{number}", None, Markup("b" * length)))
    bodies.close()
    return bodies


def test_small_ones_stay_on_the_page(tmp_path: Path) -> None:
    bodies = _fill(tmp_path / "report_files", [3, 3], budget=6)

    assert [body.anchor for body in bodies.inline] == ["x1", "x2"]
    assert bodies.url("x1") == ""
    assert not (tmp_path / "report_files").exists()


def test_once_too_large_all_of_them_get_pages_that_know_their_neighbours(tmp_path: Path) -> None:
    folder = tmp_path / "report_files"
    bodies = _fill(folder, [3, 3, 1, 2], budget=5)

    assert bodies.inline == []
    assert bodies.url("x2") == "report_files/x2.html"
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "x1.html": "None bbb x2.html",
        "x2.html": "x1.html bbb x3.html",
        "x3.html": "x2.html b x4.html",
        "x4.html": "x3.html bb None",
    }


def test_pages_of_an_earlier_report_go_and_other_files_stay(tmp_path: Path) -> None:
    folder = tmp_path / "report_files"
    _fill(folder, [3, 3], budget=1)
    (folder / "mine.txt").write_text("keep")
    _fill(folder, [1], budget=5)

    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_an_empty_folder_of_an_earlier_report_goes(tmp_path: Path) -> None:
    _fill(tmp_path / "f", [3], budget=1)
    _fill(tmp_path / "f", [3], budget=9)

    assert not (tmp_path / "f").exists()


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError, match="cannot be written"):
        _fill(tmp_path / "file", [3], budget=1)
