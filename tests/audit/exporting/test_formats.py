"""A scored run in the formats of other tools, hostile texts included."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from pyarrow import parquet

from tests.conftest import RunText
from trajaudit.audit.export import export_run
from trajaudit.audit.exporting import EXPORTERS
from trajaudit.audit.imports import import_logs
from trajaudit.audit.intake import ImportOptions
from trajaudit.errors import UsageError
from trajaudit.record.rundir import RunDir

TEXT = r"""
trajaudit: 1
tools:
  - {name: look, effect: read, parameters: {type: object, properties: {q: {type: string}}},
     mock: {static: seen}}
agent:
  kind: scripted
  tasks:
    right: [{call: {look: {q: x}}, say: I look.}, {reply: Rome}]
    wrong: [{reply: "=HYPERLINK(\"http://x\")\u0001<b>&Milan"}]
    unclear: [{reply: It is done.}]
tasks:
  - {id: right, prompt: "Capital of Italy?", target: Rome}
  - {id: wrong, prompt: "Capital of Italy?", target: Rome}
  - {id: unclear, prompt: "Was it kind?", target: {rubric: kindness}}
"""


@pytest.fixture
def run(run_text: RunText) -> RunDir:
    return run_text(TEXT).run


def _exported(run: RunDir, name: str) -> Path:
    path, trials = export_run(run, name)
    assert trials == 3
    return path


@pytest.mark.parametrize("name", EXPORTERS)
def test_every_format_says_what_it_is_and_writes_all_trials(run: RunDir, name: str) -> None:
    assert EXPORTERS[name].describes
    assert _exported(run, name).exists()


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_a_table_has_every_verdict_with_the_columns_of_its_trial(run: RunDir, name: str) -> None:
    path = _exported(run, name)
    rows: list[dict[str, Any]] = (
        list(csv.DictReader(StringIO(path.read_text())))
        if name == "csv"
        else parquet.read_table(path).to_pylist()
    )
    answers = [row for row in rows if row["scorer"] == "final_answer"]

    told = [(row["task_id"], row["mode"], str(row["passed"]).lower()) for row in answers]
    assert ("right", "strict", "true") in told
    assert ("wrong", "lenient", "false") in told
    assert {str(row["final"]).lower() for row in rows if row["task_id"] == "right"} == {"true"}
    assert path.with_name(path.name.replace(".verdicts.", ".findings.")).exists()


def test_a_cell_of_a_table_is_never_a_formula(run: RunDir) -> None:
    path = _exported(run, "csv")

    cells = [cell for row in csv.reader(StringIO(path.read_text())) for cell in row]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))] == []
    assert any("HYPERLINK" in cell for cell in cells)


def test_junit_tells_failures_from_what_was_not_graded(run: RunDir) -> None:
    suite = ET.parse(_exported(run, "junit")).getroot()

    inner = {case.get("name"): [child.tag for child in case] for case in suite}
    assert inner == {"right/1": [], "wrong/1": ["failure"], "unclear/1": ["skipped"]}
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == [
        "3",
        "1",
        "0",
        "1",
    ]


def test_sarif_leads_to_the_line_of_the_journal(run: RunDir) -> None:
    log = json.loads(_exported(run, "sarif").read_text())

    (made,) = log["runs"]
    rules = [rule["id"] for rule in made["tool"]["driver"]["rules"]]
    found = [result for result in made["results"] if result["properties"]["task_id"] == "wrong"]
    assert found
    for result in found:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        lines = (run.path / place["artifactLocation"]["uri"]).read_text().splitlines()
        assert 1 <= place["region"]["startLine"] <= len(lines)


def test_otel_events_carry_each_verdict(run: RunDir) -> None:
    requests = [json.loads(line) for line in _exported(run, "otel").read_text().splitlines()]

    records = requests[0]["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
    found = [
        {one["key"]: next(iter(one["value"].values())) for one in record["attributes"]}
        for record in records
    ]
    names = {one["gen_ai.evaluation.name"]: one["gen_ai.evaluation.score.label"] for one in found}
    assert names["final_answer.strict"] == "pass"
    assert names["final"] == "pass"


def test_atif_comes_back_as_it_was(run: RunDir, tmp_path: Path) -> None:
    folder = _exported(run, "atif")

    back = import_logs([folder], ImportOptions(format="atif", runs_dir=tmp_path / "back")).run

    replies = {one.task_id: one.tool_calls for one in back.read_trials()}
    assert sorted(replies.values()) == [0, 0, 1]
    sidecar = json.loads((folder / "right" / "1" / "verdict.json").read_text())
    assert sidecar["outcome"]["final"] is True


def test_atif_overwrites_nothing(run: RunDir) -> None:
    _exported(run, "atif")

    with pytest.raises(UsageError, match="is there already"):
        export_run(run, "atif")
