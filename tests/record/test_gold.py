"""Labelled sets are read whole or not at all, and the shipped ones are what they claim to be."""

import json
from collections import Counter
from pathlib import Path

import pytest

from trajaudit.datamodel.gold import GoldTrial
from trajaudit.errors import ScenarioError
from trajaudit.judge.view import view_of
from trajaudit.record.gold import gold_names, load_gold, load_labels, trial_of
from trajaudit.record.judges import load_rubric, names_of

HERE = Path(__file__).resolve().parents[2]
LINE = {"id": "a", "rubric": "harm", "label": "pass", "task": "Say hello.", "answer": "Hello."}


def written(path: Path, *lines: object) -> Path:
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(text) + "\n")
    return path


def test_every_shipped_rubric_has_a_balanced_set_of_twins() -> None:
    trials = [one for name in gold_names(HERE) for one in load_gold(name, name, HERE).trials]

    assert len(trials) >= 60
    assert {one.rubric for one in trials} == {
        name for name in names_of("rubrics", HERE) if "pair" not in name
    }
    for rubric in {one.rubric for one in trials}:
        counts = Counter(one.label for one in trials if one.rubric == rubric)
        assert counts["pass"] == counts["fail"]


@pytest.mark.parametrize("name", gold_names(HERE))
def test_a_twin_is_told_from_its_clean_trial_by_what_the_judge_is_shown(name: str) -> None:
    view = load_rubric(name, HERE).view
    trials = {one.id: one for one in load_gold(name, name, HERE).trials}
    twins = [one for one in trials.values() if one.of]

    assert len(twins) == len(trials) / 2
    for twin in twins:
        clean = trials[str(twin.of)]
        shown = [view_of(view, *trial_of(one)) for one in (clean, twin)]
        assert (clean.label, twin.label) == ("pass", "fail")
        assert twin.fault
        assert shown[0].trusted == shown[1].trusted
        assert shown[0].untrusted != shown[1].untrusted
        assert not any(one.addressed or one.cut_steps for one in shown)


def test_a_trial_becomes_what_a_recorded_one_would_be() -> None:
    gold = GoldTrial.model_validate(
        {
            **LINE,
            "rules": "Be kind.",
            "steps": [
                {"call": {"greet": {"who": "Ada"}}, "gave": {"ok": True}, "changed": [{"op": "x"}]},
                {"user": "Louder!"},
                {
                    "say": "I shout.",
                    "call": {"greet": {"who": "Ada"}},
                    "gave": "busy",
                    "error": True,
                },
            ],
        }
    )
    task, trajectory = trial_of(gold)
    first, second, last = trajectory.steps

    assert task.prompt == "Say hello."
    assert [one.content for one in first.before] == ["Be kind."]
    assert first.observations[0].content == '{"ok": true}'
    assert [one.content for one in second.before] == ["Louder!"]
    assert second.observations[0].is_error
    assert (last.message.content, trajectory.final_reply, trajectory.final_step) == (
        "Hello.",
        "Hello.",
        3,
    )
    assert [one.step for one in trajectory.world_changes] == [1]


def test_every_fault_of_a_set_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    path = written(
        tmp_path / "x.jsonl",
        LINE,
        "no json",
        {**LINE, "id": "b", "label": "maybe"},
        "",
        {**LINE, "id": "c", "steps": [{"error": True}]},
    )

    with pytest.raises(ScenarioError) as caught:
        load_gold(str(path), "harm", HERE)

    lines = [fault.removeprefix(f"{path}:").split(":")[0] for fault in caught.value.faults]
    assert lines == ["2", "3", "5"]
    assert "a step holds say, user or call" in caught.value.faults[2]


def test_an_id_that_stands_twice_and_a_twin_of_nobody_are_faults(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", LINE, LINE, {**LINE, "id": "b", "of": "zz"})

    with pytest.raises(ScenarioError, match=r"2: id: stands twice.*\n.*3: of: there is no such"):
        load_gold(str(path), "harm", HERE)


def test_a_set_without_the_rubric_and_an_unknown_set_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", LINE)

    with pytest.raises(ScenarioError, match="holds no trial for rubric 'recovery'; got harm"):
        load_gold(str(path), "recovery", HERE)
    with pytest.raises(ScenarioError, match=r"no labelled set 'harms'; did you mean 'harm'"):
        load_gold("harms", "harm", HERE)
    with pytest.raises(ScenarioError, match="no labelled set"):
        load_gold("../gold/harm", "harm", HERE)


def test_labels_of_a_run_are_read_and_no_trial_is_labelled_twice(tmp_path: Path) -> None:
    one = {"task_id": "t", "label": "pass"}
    labels, digest = load_labels(written(tmp_path / "a.jsonl", one, {**one, "trial": 2}))

    assert [(label.task_id, label.trial) for label in labels] == [("t", 1), ("t", 2)]
    assert len(digest) == 64
    other_words = written(tmp_path / "c.jsonl", {**one, "label": "Correct"})
    assert [label.label for label in load_labels(other_words)[0]] == ["pass"]
    with pytest.raises(ScenarioError, match=r"label: .*partially correct"):
        load_labels(written(tmp_path / "d.jsonl", {**one, "label": "partially correct"}))
    with pytest.raises(ScenarioError, match="labelled twice; got 't'/1"):
        load_labels(written(tmp_path / "b.jsonl", one, {**one, "label": "fail"}))


def test_the_page_shows_a_trial_of_the_shipped_set_and_each_field() -> None:
    page = (HERE / "docs" / "judges.md").read_text(encoding="utf-8")
    block = page.split("```json\n")[1].split("```")[0]
    shown = GoldTrial.model_validate_json(block)

    assert shown.id in {one.id for one in load_gold(None, shown.rubric, HERE).trials}
    assert [name for name in GoldTrial.model_fields if f"`{name}`" not in page] == []
    assert str(sum(len(load_gold(name, name, HERE).trials) for name in gold_names(HERE))) in page
