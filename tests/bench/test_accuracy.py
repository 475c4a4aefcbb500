"""The page of the accuracy benchmark has each set; its figures are counted right."""

import json
import re
from pathlib import Path

import pytest

from bench.accuracy.__main__ import SETS, main
from bench.accuracy.figure import Figure, agreement, detection

PAGE = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"


@pytest.mark.parametrize("name", SETS)
def test_each_set_has_rows_on_the_page(name: str) -> None:
    rows = re.findall(rf"^\| `{name}` \| .*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert rows


def test_the_page_has_no_set_that_the_benchmark_does_not_know() -> None:
    named = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert set(named) == set(SETS)


def test_a_detection_is_counted_by_what_is_and_by_what_is_said() -> None:
    pairs = [(True, True), (True, False), (False, True), (False, False), (False, False)]

    found = [(one.hits, one.of) for one in detection("x", pairs)]

    assert found == [(1, 2), (1, 2), (1, 3)]


def test_what_is_left_open_is_neither_credit_nor_denial() -> None:
    pairs = [(True, True), (True, False), (False, True), (None, True), (False, False)]

    found = list(agreement("lenient", pairs))

    assert [(one.hits, one.of) for one in found] == [(1, 2), (1, 2), (1, 5)]
    assert "balanced accuracy 0.500" in found[0].what


def test_a_figure_of_nothing_has_no_share() -> None:
    assert Figure("w", 0, 0).row("s") == "| `s` | w | none | 0 of 0 |  |"
    assert Figure("w", 1, 2).row("s") == "| `s` | w | 0.500 | 1 of 2 | [0.095, 0.905] |"


def test_a_set_is_measured_from_its_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "gsm8k_solutions"
    folder.mkdir()
    records = [
        {
            "question": f"What is {number} + 1?",
            "ground_truth": f"It is {number + 1}.\n#### {number + 1}",
            "small": {"solution": f"It is {number}.\n#### {said}", "is_correct": said != number},
        }
        for number, said in ((1, 2), (5, 5))
    ]
    lines = "".join(json.dumps(one) + "\n" for one in records)
    (folder / "example_model_solutions.jsonl").write_text(lines, encoding="utf-8")

    assert main([str(tmp_path), "--sets", "gsm8k,tora", "--markdown"]) == 0

    told = capsys.readouterr()
    assert (
        "lenient (balanced accuracy 1.000): false credit, of the wrong | 0.000 | 0 of 1" in told.out
    )
    assert "tora_gsm8k is not there" in told.err
