"""Comparisons are written as they come; one without its summary is not whole."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judge.paired import vote
from trajaudit.datamodel.pairwise import (
    PairDecision,
    PairFigures,
    PairResult,
    PairShare,
    PairSummary,
)
from trajaudit.errors import RunDirError, ScenarioError
from trajaudit.record.pairs import (
    PairFiles,
    finish_pairs,
    load_pair_rubric,
    pairs_dir,
    read_pair_decisions,
    read_pair_summary,
    read_pair_votes,
)
from trajaudit.record.rundir import RunDir

DECISION = PairDecision(
    task_id="late",
    trial=1,
    run_a="one",
    run_b="two",
    panel="p",
    rubric="pair",
    result=PairResult.TIE,
    stage="A",
)
NONE = PairShare(holds=0, of=0, value=None)
SUMMARY = PairSummary(
    run_a="one",
    run_b="two",
    panel="p",
    rubric="pair",
    figures=PairFigures(pairs=1, results={"tie": 1}, longer_wins=NONE, resolve=0, audit=0),
    calls_sent=4,
    calls_saved=0,
    tokens=9,
    cost_usd=None,
)


def test_votes_are_there_before_the_comparison_is_done(tmp_path: Path) -> None:
    with PairFiles(tmp_path / "x") as files:
        files.add([vote("s", 1), vote("s", 2)], DECISION)

        assert len(list(read_pair_votes(files.folder))) == 2
        assert list(read_pair_decisions(files.folder)) == [DECISION]
        files.add([vote("t", 1)], None)
        assert len(list(read_pair_votes(files.folder))) == 3
        with pytest.raises(RunDirError, match="no such file"):
            read_pair_summary(files.folder)


def test_a_new_comparison_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    marked = DECISION.model_copy(update={"queue": "audit", "inclusion": 1.0})
    with PairFiles(tmp_path) as files:
        files.add([vote("s", 1)], DECISION)
    finish_pairs(tmp_path, [marked], [], SUMMARY)
    assert list(read_pair_decisions(tmp_path)) == [marked]
    assert read_pair_summary(tmp_path) == SUMMARY

    with PairFiles(tmp_path):
        assert list(read_pair_votes(tmp_path)) == []
        assert not (tmp_path / "summary.json").exists()


def test_the_name_of_the_other_run_never_leads_out(tmp_path: Path) -> None:
    folder = pairs_dir(RunDir(tmp_path / "one"), "../../two")

    assert folder.parent == tmp_path / "one" / "pairs"


@pytest.mark.parametrize("name", ["pair_outcome", "pair_process"])
def test_the_shipped_rubrics_can_be_used(name: str, tmp_path: Path) -> None:
    loaded = load_pair_rubric(name, tmp_path)

    assert loaded.rubric.name == name
    assert set(loaded.sha256) == {f"rubrics/{name}.yaml", "prompts/pairwise.md"}


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"pairwise": False}, "pairwise"),
        ({"criteria": []}, "criteria"),
        ({"criteria": [{"id": "a", "text": "x"}] * 2}, "an id of its own"),
        ({"decides": True}, "decides"),
    ],
)
def test_a_rubric_that_is_wrong_is_refused(
    changed: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    fields = {"name": "mine", "version": 1, "pairwise": True, "description": "x"}
    fields |= {"criteria": [{"id": "a", "text": "b"}]}
    path = tmp_path / "judges" / "rubrics" / "mine.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**fields, **changed}))

    with pytest.raises(ScenarioError, match=fault):
        load_pair_rubric("mine", tmp_path)


def test_a_rubric_about_one_trial_is_none_about_two(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="pairwise"):
        load_pair_rubric("task_success", tmp_path)
