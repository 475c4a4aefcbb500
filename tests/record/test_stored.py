"""Records are read back checked: damage and newer versions are named with their line."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Evidence, Fault, GradeStatus, Verdict
from trajaudit.errors import RunDirError, StorageError
from trajaudit.record.stored import (
    dumped,
    dumped_plain,
    read_record,
    read_records,
    write_atomic,
    write_new,
)

GOOD = dumped(Outcome(task_id="a", trial=1))
TEXT = st.text(st.characters(exclude_categories=()), max_size=5)
"""Half surrogate pairs among them."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def _fault(path: Path) -> str:
    with pytest.raises(RunDirError) as caught:
        list(read_records(path, Outcome))
    return str(caught.value).replace(str(path), "f")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b'{"trial": 1}', "f:2: damaged; task_id: field required"),
        (b'{"task_id": "a", "trial": "x"}', "f:2: damaged; trial: input should be a valid integer"),
        (b'{"task_id"', "f:2: damaged; invalid json"),
        (b"\xff\xfe", "f:2: damaged; invalid json"),
        (b"", "f:2: damaged; invalid json"),
        (b"[]", "f:2: damaged; input should be an object"),
        (
            b'{"schema_version": 2, "task_id": "a", "trial": 1}',
            "f:2: was written by a newer trajaudit; got schema version 2; this one reads up to 1",
        ),
        (
            b'{"schema_version": 2, "novel": true}',
            "f:2: was written by a newer trajaudit; got schema version 2; this one reads up to 1",
        ),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes, fault: str) -> None:
    path = tmp_path / "outcomes.jsonl"
    path.write_bytes(GOOD + b"\n" + line + b"\n")

    assert _fault(path).startswith(fault)


def test_the_line_inside_a_json_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "trial.json"
    path.write_text('{\n"task_id": "a",\n"trial": }')

    with pytest.raises(RunDirError, match=r"trial\.json:3: damaged; invalid json"):
        read_record(path, Outcome)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunDirError, match=r"run\.json:1: there is no such file"):
        read_record(tmp_path / "run.json", Outcome)
    assert list(read_records(tmp_path / "none.jsonl", Outcome)) == []


def test_text_that_is_no_unicode_and_huge_numbers_are_written_all_the_same(tmp_path: Path) -> None:
    verdict = Verdict(
        task_id="a",
        trial=1,
        scorer="x",
        mode="strict",
        passed=True,
        reason="half \ud800",
        detail={"id": 2**70, "\udc80": [1.5]},
    )
    path = tmp_path / "verdicts.jsonl"
    write_atomic(path, [dumped(verdict)])
    (back,) = read_records(path, Verdict)

    assert back.reason == "half \\ud800"
    assert back.detail == {"id": 2**70, "\\udc80": [1.5]}


@given(
    told=st.dictionaries(TEXT, JSON, max_size=3),
    text=TEXT,
    score=st.none() | st.floats(),
    seq=st.none() | st.integers(),
    status=st.sampled_from(GradeStatus),
)
def test_what_is_written_faster_is_written_the_same(
    told: dict[str, Any], text: str, score: float | None, seq: int | None, status: GradeStatus
) -> None:
    where = (Evidence(seq=seq, quote=text), Evidence())
    verdict = Verdict(
        task_id="a",
        trial=1,
        scorer="x",
        mode="strict",
        passed=True if status is GradeStatus.GRADED else None,
        status=status,
        reason=text,
        tolerances=(text, "y"),
        evidence=where,
        fault=Fault.AGENT,
        score=score,
        detail=told,
    )
    finding = Finding(
        task_id="a",
        trial=1,
        kind=FailureKind.WRONG_ANSWER,
        fault=Fault.HARNESS,
        steps=(1, 2),
        reason=text,
        evidence=where,
    )
    outcome = Outcome(task_id=text, trial=1, raw=True, status=status)

    for record in (verdict, finding, outcome):
        assert dumped_plain(record) == dumped(record)


def test_what_is_nested_too_deeply_to_be_written_faster_is_written_all_the_same() -> None:
    held: list[Any] = []
    for _ in range(252):
        held = [held]
    verdict = Verdict.model_validate_json(
        b'{"task_id": "a", "trial": 1, "scorer": "x", "mode": "strict", "passed": true, '
        b'"reason": "", "detail": {}}'
    ).model_copy(update={"detail": {"deep": held}})

    assert dumped_plain(verdict) == dumped(verdict)


def test_a_folder_that_is_gone_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written; no such file or directory"):
        write_atomic(tmp_path / "gone" / "x.json", [b"{}"])


def test_what_fails_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    def chunks() -> list[bytes]:
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        write_atomic(tmp_path / "x", (chunk for chunk in chunks()))
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_holds_what_was_written_and_is_never_written_over(tmp_path: Path) -> None:
    write_new(str(tmp_path / "a"), b"whole" * 100_000)
    assert (tmp_path / "a").read_bytes() == b"whole" * 100_000
    with pytest.raises(FileExistsError):
        write_new(str(tmp_path / "a"), b"other")
    assert (tmp_path / "a").read_bytes() == b"whole" * 100_000
