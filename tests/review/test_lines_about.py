"""Lines of one trial, found without reading the others."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel.review import Place
from trajaudit.datamodel.run import Outcome
from trajaudit.errors import RunDirError
from trajaudit.record.stored import dumped
from trajaudit.review.lines_about import lines_about

TEXTS = st.text(max_size=12) | st.just('x","trial":1,"task_id":"t')


def at(task: str, trial: int = 1) -> Place:
    return Place(run_id="r", task_id=task, trial=trial)


@given(
    st.lists(st.tuples(TEXTS, st.integers(1, 12), TEXTS), max_size=20),
    TEXTS,
    st.integers(1, 12),
)
def test_they_are_those_that_reading_all_would_find(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[tuple[str, int, str]],
    task: str,
    trial: int,
) -> None:
    path = tmp_path_factory.mktemp("lines") / "outcomes.jsonl"
    records = [
        Outcome(task_id=one, trial=number, status_detail=text) for one, number, text in lines
    ]
    path.write_bytes(b"".join(dumped(one) + b"\n" for one in records))
    for wanted in [(task, trial), *((one, number) for one, number, _ in lines)]:
        expected = tuple(one for one in records if (one.task_id, one.trial) == wanted)
        assert lines_about(path, at(*wanted), Outcome) == expected


def test_a_number_is_not_the_beginning_of_a_longer_one(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.jsonl"
    path.write_bytes(dumped(Outcome(task_id="t", trial=12)) + b"\n")
    assert lines_about(path, at("t", 1), Outcome) == ()


def test_words_of_a_text_are_not_the_line_of_a_trial(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.jsonl"
    inner = dumped(Outcome(task_id="t", trial=1)).decode()
    path.write_bytes(dumped(Outcome(task_id="u", trial=1, status_detail=inner)) + b"\n")
    assert lines_about(path, at("t"), Outcome) == ()


@pytest.mark.parametrize("content", [None, b"", b'{"schema_version":1,"task_id":"t","trial":1,'])
def test_a_file_without_whole_lines_has_none(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "outcomes.jsonl"
    if content is not None:
        path.write_bytes(content)
    assert lines_about(path, at("t"), Outcome) == ()


def test_a_damaged_line_is_told_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.jsonl"
    whole = dumped(Outcome(task_id="u", trial=1)) + b"\n"
    path.write_bytes(whole * 2 + b'{"schema_version":1,"task_id":"t","trial":1,"strict":"x"}\n')
    with pytest.raises(RunDirError, match=r"outcomes\.jsonl:3: damaged"):
        lines_about(path, at("t"), Outcome)
