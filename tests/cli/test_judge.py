"""`judge` says beforehand what it takes, decides doubtful trials, and sends nothing twice."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from trajaudit.cli.main import main

SCENARIO = """\
trajaudit: 1
agent:
  kind: scripted
  tasks:
    plain: [{reply: Paris}]
    prose: [{reply: "The capital city of France is Paris, of course."}]
    both: [{reply: "315 or 316 seats"}]
tasks:
  - {id: plain, prompt: "Capital of France? Name only.", target: Paris}
  - {id: prose, prompt: "What is the capital of France? Name only.", target: Paris}
  - {id: both, prompt: "12 rows of 30 seats, 45 sold. How many are free?", target: {number: 315}}
"""
PANEL = """\
name: mine
version: 1
commit_first: false
judges:
  - {model: scripted/judge.yaml, family: a}
  - {model: scripted/judge.yaml, family: b}
"""
Typed = Callable[..., tuple[int, str, str]]


def reply(verdict: str, quote: str) -> str:
    ids = ("goal_reached", "answer_true", "nothing_beyond")
    criteria = [
        {"id": name, "evidence": [{"step": 1, "quote": quote}], "reasoning": "", "verdict": verdict}
        for name in ids
    ]
    overall = "pass" if verdict == "met" else "fail"
    return json.dumps({"criteria": criteria, "conflicts": [], "overall": overall})


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Type a command in a project with a scored run; returns its exit code and its output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios" / "x").mkdir(parents=True)
    (tmp_path / "judges" / "panels").mkdir(parents=True)
    (tmp_path / "scenarios" / "x" / "y.yaml").write_text(SCENARIO)
    (tmp_path / "judges" / "panels" / "mine.yaml").write_text(PANEL)
    replies = [
        {"when": "capital", "text": reply("met", "Paris")},
        {"when": "12 rows", "text": reply("unmet", "315 or 316")},
    ]
    Path("judge.yaml").write_text(yaml.safe_dump({"replies": replies, "count": "calls"}))

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(words)
        assert isinstance(left.value.code, int)
        return left.value.code, *capsys.readouterr()

    assert typed("run", "x/y")[0] == 0
    return typed


JUDGE = ("judge", "latest", "--panel", "mine")


def outcomes(folder: Path) -> dict[str, tuple[bool | None, bool | None, str]]:
    (path,) = folder.glob("runs/*/outcomes.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return {row["task_id"]: (row["panel"], row["final"], row["source"]) for row in rows}


def test_only_doubtful_trials_are_judged_and_the_panels_column_is_filled(
    typed: Typed, tmp_path: Path
) -> None:
    code, shown, _ = typed(*JUDGE)

    assert code == 0
    assert "8 calls sent" in shown
    assert "replies: 8 ok; 0 turned with the order" in shown
    assert outcomes(tmp_path) == {
        "plain": (None, True, "lenient"),
        "prose": (True, True, "panel"),
        "both": (False, False, "panel"),
    }


def test_scoring_again_keeps_what_the_panel_said(typed: Typed, tmp_path: Path) -> None:
    typed(*JUDGE)
    before = outcomes(tmp_path)

    code, shown, _ = typed("score", "latest")

    assert (code, outcomes(tmp_path)) == (0, before)
    assert "0 outcomes flipped" in shown


def test_a_second_time_nothing_is_sent(typed: Typed) -> None:
    typed(*JUDGE)

    code, shown, _ = typed(*JUDGE, "--json")

    result = json.loads(shown)
    assert (code, result["calls_sent"], len(result["decisions"])) == (0, 0, 2)


def test_a_dry_run_sends_nothing_and_changes_nothing(typed: Typed, tmp_path: Path) -> None:
    before = outcomes(tmp_path)

    code, shown, _ = typed(*JUDGE, "--dry-run", "--json")

    found = json.loads(shown)
    assert (code, found["trials"], found["fewest_calls"], found["most_cost_usd"]) == (0, 2, 8, 0)
    assert outcomes(tmp_path) == before
    assert list(tmp_path.glob("runs/*/votes.jsonl")) == []


def test_a_dry_run_refuses_the_ceiling_that_the_run_would_refuse(typed: Typed) -> None:
    unpriced = PANEL.replace("scripted/judge.yaml", "openai/x") + "budget: {cost_usd: 5.0}\n"
    Path("judges/panels/mine.yaml").write_text(unpriced)

    code, _, told = typed(*JUDGE, "--dry-run")

    assert code == 2
    assert "no price of openai/x" in told


def test_an_address_with_a_password_is_refused_and_the_password_not_told(typed: Typed) -> None:
    url = "base_url: 'http://me:hushhush@127.0.0.1:9/v1'"
    Path("judges/panels/mine.yaml").write_text(PANEL.replace("family: a", f"family: a, {url}"))

    code, shown, told = typed(*JUDGE)

    assert code == 2
    assert "mine.yaml:5: judges[0].base_url" in told
    assert "hushhush" not in shown + told


def test_a_rubric_that_is_not_about_the_outcome_leaves_the_outcomes_alone(
    typed: Typed, tmp_path: Path
) -> None:
    before = outcomes(tmp_path)
    ids = ("no_irreversible_loss", "no_disclosure", "no_foreign_orders")
    criteria = [{"id": name, "evidence": [], "verdict": "unmet"} for name in ids]
    harm = {"text": json.dumps({"criteria": criteria, "overall": "fail"}), "repeat": True}
    Path("judge.yaml").write_text(yaml.safe_dump({"replies": [harm], "count": "calls"}))

    code, shown, _ = typed(*JUDGE, "--rubric", "harm")

    assert (code, outcomes(tmp_path)) == (0, before)
    assert "3 for people to resolve" in shown


def test_an_unknown_panel_is_a_fault_of_the_input(typed: Typed) -> None:
    code, _, said = typed("judge", "latest", "--panel", "mime")

    assert code == 2
    assert "there is no panel 'mime'; did you mean 'mine'" in said


def test_a_provider_that_is_down_leaves_trials_as_they_were(typed: Typed, tmp_path: Path) -> None:
    before = outcomes(tmp_path)
    down = {"replies": [{"error": {"status": 503}, "repeat": True}], "count": "calls"}
    Path("judge.yaml").write_text(yaml.safe_dump(down))

    code, shown, said = typed(*JUDGE)

    assert (code, outcomes(tmp_path)) == (3, before)
    assert shown.count("not judged") == 2
    assert "panel mine: no judge answers" in said
