"""What goes to teams elsewhere holds what a reviewer may see, and can hurt no spreadsheet."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.made import SCENARIO, TASK, trajectory
from trajaudit.errors import UsageError
from trajaudit.review.blind import BlindTrial, blinded
from trajaudit.review.exchange import SHOWN, TO_FILL, cell, lines_of, require_form, row_of
from trajaudit.review.shown import Hider


def blind(reply: str = "It is refunded.") -> BlindTrial:
    hider = Hider(["careful bot", "gpt-9-mini"])
    return blinded(hider, TASK, SCENARIO, trajectory(reply))


def table(*rows: dict[str, str]) -> list[dict[str, str]]:
    text = b"".join(lines_of(rows, ".csv")).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_row_holds_the_trial_and_columns_to_fill() -> None:
    item = blind()

    row = row_of(item)

    assert row["item_id"] == item.item_id
    assert (row["prompt"], row["policy"]) == ("Order A-17 never came.", "Be kind.")
    assert row["reference"] == 'target: {"text": "refunded"}'
    assert row["transcript"].splitlines() == [
        "[1] agent said: A refund.",
        '[1] call refund_order({"order_id": "A-17"})',
        '[1] result of refund_order: {"ok": true}',
        "[2] agent said: It is refunded.",
        "[end] final answer: It is refunded.",
        "[end] replied",
    ]
    assert [row[name] for name in TO_FILL] == [""] * 5


def test_neither_form_tells_who_the_agent_is_nor_what_anybody_said() -> None:
    row = row_of(blind("careful bot, that is gpt-9-mini, says: refunded."))

    for form in (".csv", ".jsonl"):
        written = b"".join(lines_of([row], form)).decode()
        assert "careful bot" not in written
        assert "gpt-9-mini" not in written
        assert "late" not in written.replace("template", "")


def test_json_lines_come_back_as_they_were() -> None:
    rows = [row_of(blind("eins\nzwei \N{BULLET}")), row_of(blind("=1+1"))]

    written = b"".join(lines_of(rows, ".jsonl")).decode()

    assert [json.loads(line) for line in written.splitlines()] == rows


@pytest.mark.parametrize(
    "text",
    [
        "=HYPERLINK(A1)",
        "+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1",
        "  =1",
        "\n=1",
        "\N{FULLWIDTH EQUALS SIGN}1",
        "\N{NO-BREAK SPACE}@x",
    ],
)
def test_a_cell_is_never_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"


def test_other_cells_stay_as_they_are_but_for_control_characters() -> None:
    assert cell("a = 1, -2\n\tand more") == "a = 1, -2\n\tand more"
    assert cell("\x1b[31mred\x00\r=1") == "\\x1b[31mred\\x00\\x0d=1"
    assert cell("") == ""


@given(st.text())
def test_whatever_an_agent_wrote_stays_in_its_cell(text: str) -> None:
    row = {**dict.fromkeys((*SHOWN, *TO_FILL), ""), "item_id": "1", "transcript": text}

    [read] = table(row)

    assert read["item_id"] == "1"
    assert read["transcript"] == cell(text).encode("utf-8", "backslashreplace").decode()
    assert not read["transcript"].lstrip(" \n").startswith(("=", "+", "-", "@"))


def test_a_file_says_its_form_by_its_name() -> None:
    require_form(Path("items.CSV"))
    with pytest.raises(UsageError, match=r"got '\.txt'; end its name in \.jsonl or \.csv"):
        require_form(Path("items.txt"))
