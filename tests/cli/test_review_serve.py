"""The page is served until Ctrl-C; what was said meanwhile counts when it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.cli.reviewing import Typed, exported, make_project, records, scenario, typed_in
from trajaudit.audit.review_exchange import import_labels
from trajaudit.record.rundir import RunDir

NOW = "2026-11-29T10:00:00.000+00:00"


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    monkeypatch.chdir(tmp_path)
    make_project(tmp_path, scenario())
    found = typed_in(capsys)
    assert found("run", "x/y")[0] == 0
    return found


def test_what_was_said_while_the_page_was_served_counts_at_its_end(
    typed: Typed, tmp_path: Path
) -> None:
    (path,) = tmp_path.glob("runs/2*")
    rows = [row for row in exported(typed) if "Question prose0" in row["prompt"]]
    words = ["-m", "trajaudit", "review", "latest", "--port", "0", "--json"]
    with subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        address = next(found for line in process.stderr if (found := _address(line)))
        with urllib.request.urlopen(address, timeout=30) as answer:
            assert answer.status == 200
        # One person alone: a label settles.
        made = [json.dumps({**row, "verdict": "fail", "reviewer": "me"}) for row in rows]
        (tmp_path / "l.jsonl").write_text("\n".join(made))
        import_labels([RunDir(path)], tmp_path / "l.jsonl", NOW)
        os.kill(process.pid, signal.SIGINT)
        shown, _ = process.communicate(timeout=60)

    assert process.returncode == 0
    [told] = json.loads(shown)
    assert told["run_id"] == path.name
    assert [(one["task_id"], one["before"], one["after"]) for one in told["flips"]] == [
        ("prose0", True, False)
    ]
    said = {one["task_id"]: one["source"] for one in records(tmp_path, "outcomes")}
    assert said["prose0"] == "human"


def _address(line: str) -> str:
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    return found[0] if found else ""


def test_another_address_than_this_machines_own_takes_people_with_tokens(typed: Typed) -> None:
    code, _, told = typed("review", "latest", "--host", "0.0.0.0", "--port", "0")

    assert code == 2
    assert "trajaudit review add NAME" in told


def test_a_round_begins_over_items_that_nobody_labelled(typed: Typed) -> None:
    code, shown, _ = typed("review", "round", "calibration", "latest", "--size", "4")

    assert (code, "round: calibration, 0 of 4 items labelled by everybody" in shown) == (0, True)
    assert json.loads(typed("review", "round", "--json")[1])["items"] == 4
    assert typed("review", "round", "certification", "--size", "4")[0] == 0
    code, _, told = typed("review", "round", "production")
    assert (code, "certification was not passed: 0 of 4 items" in told) == (2, True)
    assert typed("review", "round", "production", "--force")[1] == "round: production\n"
    assert typed("review", "round", "exam")[0] == 2


def test_a_round_without_items_leaves_the_one_before(typed: Typed) -> None:
    code, _, told = typed("review", "round", "calibration")

    assert (code, "there is no item that nobody has labelled yet" in told) == (2, True)
    assert typed("review", "round")[1] == "round: production\n"
