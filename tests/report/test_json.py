from pathlib import Path

import orjson
import pytest

from tests.report import sample
from trajaudit.errors import StorageError
from trajaudit.record.stored import dumped
from trajaudit.report.json import Report, write_json


def _write(path: Path, made: sample.Run) -> None:
    summary = sample.summary(made)
    write_json(
        path,
        summary,
        outcomes=made.outcomes,
        findings=made.findings,
        verdicts=made.verdicts,
    )


def test_the_report_holds_the_summary_and_what_it_was_computed_from(tmp_path: Path) -> None:
    made = sample.run()
    _write(tmp_path / "report.json", made)

    report = Report.model_validate(orjson.loads((tmp_path / "report.json").read_bytes()))
    assert list(report.outcomes) == made.outcomes
    assert list(report.findings) == made.findings
    assert list(report.verdicts) == made.verdicts
    assert report.summary.run_id == sample.RUN_ID
    assert report.schema_version == 1


def test_two_reports_of_one_run_are_the_same_text(tmp_path: Path) -> None:
    _write(tmp_path / "a.json", sample.run())
    _write(tmp_path / "b.json", sample.run())

    text = (tmp_path / "a.json").read_bytes()
    assert text == (tmp_path / "b.json").read_bytes()
    assert list(orjson.loads(text)) == sorted(Report.model_fields)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "b.json"]


def test_the_text_is_that_of_the_whole_record(tmp_path: Path) -> None:
    made = sample.run()
    _write(tmp_path / "report.json", made)

    whole = Report(
        summary=sample.summary(made),
        outcomes=tuple(made.outcomes),
        findings=tuple(made.findings),
        verdicts=tuple(made.verdicts),
    )
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    wanted = orjson.dumps(orjson.loads(dumped(whole)), option=options)
    assert (tmp_path / "report.json").read_bytes() == wanted


def test_a_folder_that_is_not_there_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        _write(tmp_path / "missing" / "report.json", sample.run())
