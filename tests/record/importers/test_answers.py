"""Tables of questions, references and outputs."""

import json
from pathlib import Path
from typing import Any

import pytest

from trajaudit.datamodel.event import MessageEvent
from trajaudit.datamodel.target import NumberTarget, TextTarget
from trajaudit.record.importers import IMPORTERS, answers
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.reference import written
from trajaudit.record.importers.sources import open_source, recognise


def _read(path: Path, losses: Losses | None = None) -> list[ForeignTrial]:
    source = open_source(path, path.parent)
    assert recognise(source, IMPORTERS) is answers.IMPORTER
    return list(answers.read(source, losses or Losses()))


def _jsonl(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "table.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in records))
    return path


def _reply(trial: ForeignTrial) -> str:
    said = [event for event in trial.events if isinstance(event, MessageEvent)]
    return next(event.content for event in said if event.role == "assistant")


def test_a_record_with_question_reference_and_output_is_one_trial(tmp_path: Path) -> None:
    path = _jsonl(
        tmp_path,
        {"id": 7, "question": "2 + 2?", "reference": "4", "output": "It is 4.", "correct": True},
    )

    (trial,) = _read(path)

    assert trial.task.id == "q.7"
    assert trial.task.prompt == "2 + 2?"
    assert isinstance(trial.task.target, NumberTarget)
    assert _reply(trial) == "It is 4."
    assert trial.origin.raw is True


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("table.csv", "question,reference,output,model\n2 + 2?,4,It is 4.,m1\n"),
        ("table.csv", "question;reference;output;model\n2 + 2?;4;It is 4.;m1\n"),
        ("table.tsv", "question\treference\toutput\tmodel\n2 + 2?\t4\tIt is 4.\tm1\n"),
        (
            "table.json",
            '[{"question": "2 + 2?", "reference": "4", "output": "It is 4.", "model": "m1"}]',
        ),
    ],
)
def test_tables_in_other_forms_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)

    (trial,) = _read(path)

    assert (trial.task.prompt, _reply(trial), trial.origin.model_id) == ("2 + 2?", "It is 4.", "m1")


def test_a_quoted_cell_keeps_its_line_feeds(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('question,reference,output\n2 + 2?,4,"two\nand two\nmake 4"\n')

    (trial,) = _read(path)

    assert _reply(trial) == "two\nand two\nmake 4"


def test_several_systems_in_one_record_are_trials_of_one_task(tmp_path: Path) -> None:
    path = _jsonl(
        tmp_path,
        {
            "question": "Capital of Italy?",
            "golden_answer": "Rome/Roma",
            "answer_one": "Rome",
            "judge_one": True,
            "answer_two": "Milan",
            "judge_two": False,
            "small": {"solution": "It is Roma.", "is_correct": True},
        },
    )

    trials = _read(path)

    assert {trial.task.id for trial in trials} == {trials[0].task.id}
    told = [(trial.origin.model_id, _reply(trial), trial.origin.raw) for trial in trials]
    assert told == [
        ("one", "Rome", True),
        ("two", "Milan", False),
        ("small", "It is Roma.", True),
    ]
    assert isinstance(trials[0].task.target, TextTarget)
    assert trials[0].task.target.any_of == ("Rome", "Roma")


@pytest.mark.parametrize(
    ("golden", "accepted"),
    [
        ("Rome/Roma", ["Rome/Roma", "Rome", "Roma"]),
        ("GURKHA or NEPALESE", ["GURKHA or NEPALESE", "GURKHA", "NEPALESE"]),
        ("Venera 7 (Venus.)", ["Venera 7 (Venus.)", "Venera 7"]),
        ("(The god) JUPITER", ["(The god) JUPITER", "JUPITER"]),
        ("Drama (film)/The Drama", ["Drama (film)/The Drama", "Drama (film)", "The Drama"]),
        ("now or never or later", ["now or never or later"]),
        ("He did it for the love of money or for the fame of it", None),
    ],
)
def test_a_golden_answer_says_itself_what_else_is_right(
    tmp_path: Path, golden: str, accepted: list[str] | None
) -> None:
    path = _jsonl(tmp_path, {"question": "?", "golden_answer": golden, "output": "x"})

    target = _read(path)[0].task.target

    assert isinstance(target, TextTarget)
    assert [target.text, *target.any_of] == (accepted or [golden])


def test_a_worked_solution_counts_by_its_marked_last_line(tmp_path: Path) -> None:
    losses = Losses()
    path = _jsonl(
        tmp_path,
        {"question": "?", "ground_truth": "2 + 2 = 4\n#### 4", "response": "4"},
    )

    (trial,) = _read(path, losses)

    assert isinstance(trial.task.target, NumberTarget)
    assert [loss.kind for loss in losses.report()] == ["guessed"]


def test_a_sample_of_the_evaluation_harness_keeps_its_metric(tmp_path: Path) -> None:
    path = _jsonl(
        tmp_path,
        {
            "doc_id": 3,
            "doc": {"question": "2 + 2?", "answer": "#### 4"},
            "target": "4",
            "arguments": [["Q: 2 + 2?", {}]],
            "resps": [["The answer is 4"]],
            "filtered_resps": ["4"],
            "exact_match": 1.0,
        },
    )

    (trial,) = _read(path)

    assert (trial.task.id, trial.task.prompt, _reply(trial)) == ("q.3", "2 + 2?", "The answer is 4")
    assert (trial.origin.raw, trial.origin.raw_score) == (True, 1.0)


@pytest.mark.parametrize(
    ("given", "raw"),
    [(True, True), (0, False), ("correct", True), ("WRONG", False), (0.5, None), ("maybe", None)],
)
def test_a_verdict_is_taken_only_where_it_is_clear(
    tmp_path: Path, given: Any, raw: bool | None
) -> None:
    path = _jsonl(tmp_path, {"question": "?", "reference": "4", "output": "4", "score": given})

    (trial,) = _read(path)

    assert trial.origin.raw is raw


@pytest.mark.parametrize(
    ("options", "reference", "letter"),
    [
        (["red", "blue"], 1, "B"),
        (["red", "blue"], "blue", "B"),
        ({"A": "red", "B": "blue"}, "B", "B"),
        ({"text": ["red", "blue"], "label": ["1", "2"]}, "2", "2"),
    ],
)
def test_a_choice_knows_its_options(
    tmp_path: Path, options: Any, reference: Any, letter: str
) -> None:
    path = _jsonl(
        tmp_path, {"question": "?", "choices": options, "reference": reference, "output": "B"}
    )

    (trial,) = _read(path)

    assert trial.task.target is not None
    assert trial.task.target.model_dump()["choice"] == letter


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("1,234.5", {"number": "1234.5"}),
        ("-3", {"number": "-3"}),
        ("$18", {"money": "18", "currency": "USD"}),
        ("12%", {"percent": "12"}),
        ("Yes", {"bool": True}),
        ("12 apples", {"text": "12 apples"}),
        ("1,23", {"text": "1,23"}),
        ("", None),
    ],
)
def test_a_reference_is_typed_only_where_its_whole_text_has_the_form(
    text: str, target: Any
) -> None:
    assert written(text) == target


def test_a_broken_line_and_a_record_without_reply_are_counted(tmp_path: Path) -> None:
    losses = Losses()
    path = tmp_path / "table.jsonl"
    path.write_text(
        '{"question": "a?", "reference": "1", "output": "1"}\n'
        '{"question": "b?", "refer\n'
        '{"question": "c?", "reference": "3"}\n'
    )

    trials = _read(path, losses)

    assert len(trials) == 1
    assert {(loss.kind, loss.field) for loss in losses.report()} == {
        ("malformed", "line"),
        ("malformed", "record"),
    }


def test_short_columns_stay_in_the_metadata_and_long_ones_are_counted(tmp_path: Path) -> None:
    losses = Losses()
    record = {"question": "?", "reference": "4", "output": "4", "subject": "sums", "trace": [1, 2]}

    (trial,) = _read(_jsonl(tmp_path, record), losses)

    assert trial.task.metadata == {"subject": "sums"}
    assert [(loss.kind, loss.field) for loss in losses.report()] == [("dropped", "trace")]


def test_questions_without_replies_are_no_table_of_answers(tmp_path: Path) -> None:
    path = _jsonl(tmp_path, {"question": "2 + 2?", "answer": "#### 4"})

    assert not answers.sniff(open_source(path, tmp_path))


@pytest.mark.parametrize(("before", "trials"), [(b"\r", 1), (b"\r\n\n", 1), (b"a\rb", 0)])
def test_odd_line_ends_before_the_names_of_columns_break_nothing(
    tmp_path: Path, before: bytes, trials: int
) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(before + b"id,question,reference,output\n1,2 + 2?,4,4\n")

    source = open_source(path, path.parent)

    if trials:
        assert len(_read(path)) == trials
    else:
        assert recognise(source, IMPORTERS) is None
