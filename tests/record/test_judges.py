"""Panels, rubrics and prompts are found by name, and every fault of them is told with its place."""

from pathlib import Path

import pytest

from trajaudit.errors import ScenarioError
from trajaudit.record.judges import load_panel, load_rubric, names_of

SHIPPED = "answer_equivalence harm policy_compliance process_quality recovery task_success"
PAIRS = "pair_outcome pair_process"
PANEL = "name: mine\nversion: 1\njudges:\n  - {model: openai/a}\n  - {model: openai/b}\n"


def written(folder: Path, kind: str, name: str, text: str) -> Path:
    path = folder / "judges" / kind / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", SHIPPED.split())
def test_every_shipped_rubric_can_be_used_by_the_default_panel(name: str, tmp_path: Path) -> None:
    loaded = load_panel("panels/default", tmp_path, rubric=name)

    assert (loaded.rubric.name, len(loaded.sha256)) == (name, 3)


def test_the_shipped_rubrics_are_those_that_are_documented(tmp_path: Path) -> None:
    assert names_of("rubrics", tmp_path) == sorted([*SHIPPED.split(), *PAIRS.split()])


def test_the_projects_own_file_comes_first(tmp_path: Path) -> None:
    text = "name: harm\nversion: 7\ndescription: x\ncriteria: [{id: a, text: b}]\n"
    written(tmp_path, "rubrics", "harm.yaml", text)

    assert load_rubric("harm", tmp_path).version == 7


def test_all_faults_of_a_panel_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    text = PANEL + "first: two\nreplicats: 2\n"
    path = written(tmp_path, "panels", "mine.yaml", text)

    with pytest.raises(ScenarioError) as raised:
        load_panel("mine", tmp_path)

    assert [fault.split(": ", 1)[0] for fault in raised.value.faults] == [f"{path}:6", f"{path}:7"]


def test_an_unknown_name_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"there is no panel 'defualt'; did you mean 'default'"):
        load_panel("defualt", tmp_path)


def test_a_name_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="there is no panel"):
        load_panel("../../etc/passwd", tmp_path)


def test_a_prompt_without_its_fence_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "panels", "mine.yaml", PANEL)
    path = written(tmp_path, "prompts", "pointwise.md", "{{rubric}}\n{{criteria}} {{contact}}\n")

    with pytest.raises(ScenarioError) as raised:
        load_panel("mine", tmp_path)

    assert list(raised.value.faults) == [
        f"{path}:2: unknown placeholder; got 'contact'; did you mean 'contract'",
        f"{path}:1: a placeholder is missing; add {{{{contract}}}}",
        f"{path}:1: a placeholder is missing; add {{{{nonce}}}}",
    ]


def test_a_criterion_whose_pass_mark_is_no_choice_is_refused(tmp_path: Path) -> None:
    text = "name: r\nversion: 1\ndescription: x\ncriteria: [{id: a, text: b, passes: best}]\n"
    written(tmp_path, "rubrics", "r.yaml", text)

    with pytest.raises(ScenarioError, match="passes is one of the choices; got 'best'"):
        load_rubric("r", tmp_path)
