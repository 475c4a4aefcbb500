"""Labels from elsewhere are read whole or named with their line; no word is guessed."""

import json
from pathlib import Path
from typing import Any

import pytest

from trajaudit.datamodel.finding import FailureKind
from trajaudit.errors import UsageError
from trajaudit.review.labels import Label, LabelFile, read_labels

A, B = "a" * 64, "b" * 64


def read(tmp_path: Path, text: str, name: str = "l.csv", reviewer: str = "") -> LabelFile:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_labels(path, reviewer=reviewer)


def lines(tmp_path: Path, *rows: dict[str, Any], reviewer: str = "") -> LabelFile:
    return read(tmp_path, "\n".join(map(json.dumps, rows)), "l.jsonl", reviewer)


def only(found: LabelFile) -> Label:
    assert found.faults == []
    [label] = found.labels
    return label


def test_every_column_is_read(tmp_path: Path) -> None:
    head = "item_id,verdict,failure_kind,steps,reason,reviewer,seconds"

    one = only(read(tmp_path, f'{head}\n{A},fail,Wrong answer,"3, 5",no refund,Ana,41.5\n'))

    assert (one.item_id, one.verdict, one.failure_kind) == (A, "fail", FailureKind.WRONG_ANSWER)
    assert (one.steps, one.reason, one.reviewer, one.seconds) == ((3, 5), "no refund", "Ana", 41.5)
    assert one.place == f"{tmp_path}/l.csv:2"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("PASS", "pass"),
        ("Correct", "pass"),
        ("not correct", "fail"),
        (False, "fail"),
        ("Can't tell", "cannot_tell"),
        ("can\N{RIGHT SINGLE QUOTATION MARK}t-tell", "cannot_tell"),
        ("Task broken", "task_broken"),
    ],
)
def test_a_verdict_is_read_in_plain_words(tmp_path: Path, written: object, meant: str) -> None:
    row = {"item_id": A, "verdict": written, "reviewer": "Ana"}

    assert only(lines(tmp_path, row)).verdict == meant


@pytest.mark.parametrize("written", ["1", "maybe", "mostly correct", "A", 1, ["pass", "fail"]])
def test_a_word_that_may_mean_either_is_a_fault(tmp_path: Path, written: object) -> None:
    found = lines(tmp_path, {"item_id": A, "verdict": written, "reviewer": "Ana"})

    assert found.labels == []
    [fault] = found.faults
    assert fault.startswith(f"{tmp_path}/l.jsonl:1: verdict: cannot be read; got {written!r}")
    assert fault.endswith("pass, fail, cannot_tell or task_broken is wanted")


def test_an_item_without_a_verdict_is_not_labelled_yet(tmp_path: Path) -> None:
    found = lines(tmp_path, {"item_id": A, "verdict": ""}, {"item_id": B, "verdict": None})

    assert (found.blank, found.labels, found.faults) == (2, [], [])


def test_all_faults_come_at_once_with_their_lines(tmp_path: Path) -> None:
    head = "item_id,verdict,failure_kind,steps,reviewer"
    rows = [
        f"{A},maybe,,x,Ana",
        f"12,pass,,,{'n' * 61}",
        f"{A},fail,looop,,Ana",
        f"{A},pass,loop,,Ana",
        f"{A},pass,,,",
    ]

    found = read(tmp_path, "\n".join([head, *rows]))

    assert [one.removeprefix(f"{tmp_path}/l.csv:").split(";")[0] for one in found.faults] == [
        "2: verdict: cannot be read",
        "2: steps: are numbers of steps",
        "3: item_id: is no id of an item",
        "3: reviewer: is no name",
        "4: failure_kind: is no kind of failure",
        "5: failure_kind: says why a trial failed",
        "6: reviewer: nobody is named",
    ]
    assert "did you mean 'loop'" in found.faults[4]


def test_a_line_of_a_table_is_where_its_row_begins(tmp_path: Path) -> None:
    text = f'item_id,prompt,verdict,reviewer\r\n{A},"two\r\nlines",pass,Ana\r\n{B},x,huh,Ana\r\n'

    found = read(tmp_path, text)

    assert [one.place for one in found.labels] == [f"{tmp_path}/l.csv:2"]
    assert found.faults[0].startswith(f"{tmp_path}/l.csv:4: verdict")


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
def test_spreadsheets_of_other_countries_and_marks_are_read(tmp_path: Path, delimiter: str) -> None:
    rows = [["\ufeffItem ID", "Label", "Annotator"], [A[:16].upper(), "yes", "Bo"]]

    one = only(read(tmp_path, "\n".join(delimiter.join(row) for row in rows)))

    assert (one.item_id, one.verdict, one.reviewer) == (A[:16], "pass", "Bo")


def test_a_reviewer_may_be_named_for_the_whole_file(tmp_path: Path) -> None:
    rows = [{"item_id": A, "verdict": "pass"}, {"item_id": B, "verdict": "fail", "reviewer": "Bo"}]

    found = lines(tmp_path, *rows, reviewer="Ana")

    assert [one.reviewer for one in found.labels] == ["Ana", "Bo"]


def test_two_columns_that_say_different_things_are_a_fault(tmp_path: Path) -> None:
    row = {"item_id": A, "label": "pass", "grade": "fail", "reviewer": "Ana"}

    assert (
        "stands in several columns; got label 'pass', grade 'fail'"
        in (lines(tmp_path, row).faults[0])
    )
    assert only(lines(tmp_path, {**row, "verdict": "fail"})).verdict == "fail"


def test_a_table_without_its_columns_is_one_fault(tmp_path: Path) -> None:
    found = read(tmp_path, "name,colour\na,b\nc,d\n")

    assert found.faults == [
        f"{tmp_path}/l.csv:1: there is no column item_id and no column verdict; got name, colour"
    ]


def test_annotations_of_label_studio_are_read(tmp_path: Path) -> None:
    def said(verdict: str, who: object, **more: object) -> dict[str, Any]:
        results = [
            {"from_name": "verdict", "type": "choices", "value": {"choices": [verdict]}},
            {"from_name": "reason", "type": "textarea", "value": {"text": ["so it is"]}},
        ]
        return {"completed_by": who, "lead_time": 12.5, "result": results, **more}

    made = [said("Pass", {"email": "ana@x.org"}), said("fail", 7), said("fail", 8)]
    made[2]["was_cancelled"] = True
    tasks = [{"id": 1, "data": {"item_id": A}, "annotations": made}]

    found = read(tmp_path, json.dumps(tasks), "l.json")

    assert found.faults == []
    assert [(one.item_id, one.verdict, one.reviewer) for one in found.labels] == [
        (A, "pass", "ana@x.org"),
        (A, "fail", "7"),
    ]
    assert {(one.reason, one.seconds) for one in found.labels} == {("so it is", 12.5)}


def test_what_is_no_json_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    row = json.dumps({"item_id": A, "verdict": "pass", "reviewer": "Ana"})

    found = read(tmp_path, f"{row}\n{{broken\n[1]\n", "l.jsonl")

    assert len(found.labels) == 1
    assert [one.split(";")[0] for one in found.faults] == [
        f"{tmp_path}/l.jsonl:2: is no JSON",
        f"{tmp_path}/l.jsonl:3: is no JSON object",
    ]


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes(b"item_id,verdict\na,\xe9\n")

    for name, text in (("x.xlsx", r"got '\.xlsx'"), ("gone.csv", "No such file")):
        with pytest.raises(UsageError, match=text):
            read_labels(tmp_path / name)
    with pytest.raises(UsageError, match=r"latin\.csv:2: is not UTF-8"):
        read_labels(tmp_path / "latin.csv")


def test_long_transcripts_beside_the_labels_are_no_trouble(tmp_path: Path) -> None:
    long = "x" * 200_000

    one = only(read(tmp_path, f"item_id,transcript,verdict,reviewer\n{A},{long},pass,Ana\n"))

    assert one.verdict == "pass"


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("l.csv", f'item_id,verdict,reviewer\n"{A},pass,Ana\n{B},pass,Ana\n', "l.csv: is no table"),
        (
            "l.csv",
            f"item_id,verdict,Verdict,reviewer\n{A},fail,pass,Ana\n",
            "l.csv:1: several columns have one name; got verdict",
        ),
        ("l.json", "[" * 100_000, "l.json:1: is no JSON"),
        (
            "l.jsonl",
            f'{{"item_id":"{A}","verdict":"pass","reviewer":"Ana","reason":"\\ud800"}}',
            "l.jsonl:1: reason: holds half of a character",
        ),
        (
            "l.jsonl",
            f'{{"item_id":"{A}","verdict":"fail","reviewer":"Ana","steps":"{"9" * 5000}"}}',
            "l.jsonl:1: steps: are numbers of steps",
        ),
    ],
)
def test_a_file_that_would_lose_or_guess_labels_is_a_fault(
    tmp_path: Path, name: str, text: str, fault: str
) -> None:
    found = read(tmp_path, text, name)

    assert found.labels == []
    [told] = found.faults
    assert told.startswith(f"{tmp_path}/{fault}")


def test_annotations_without_results_are_no_labels(tmp_path: Path) -> None:
    task = {"data": {"item_id": A}, "annotations": [{"result": 7}, {"result": None}]}

    found = read(tmp_path, json.dumps(task), "l.json")

    assert (found.labels, found.faults, found.blank) == ([], [], 2)
