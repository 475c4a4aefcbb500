"""A run asks its panel; votes are there as they come, and nothing is asked twice."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from trajaudit.cli.main import main
from trajaudit.datamodel.judging import Vote

SCENARIO = """\
trajaudit: 1
agent:
  kind: scripted
  tasks:
    plain: [{reply: Paris}]
    prose: [{reply: "The capital city of France is Paris, of course."}]
    both: [{reply: "315 or 316 seats"}]
panel: mine
tasks:
  - {id: plain, prompt: "Capital of France? Name only.", target: Paris}
  - {id: prose, prompt: "What is the capital of France? Name only.", target: Paris}
  - {id: both, prompt: "12 rows of 30 seats, 45 sold. How many are free?", target: {number: 315}}
"""
PANEL = """\
name: mine
version: 1
concurrency: 1
judges:
  - {model: scripted/judge.yaml, family: a}
  - {model: scripted/judge.yaml, family: b}
"""
NOTES = {"facts": ["It is so."], "end_state": [], "depends_on_tools": False, "answer": None}
Typed = Callable[..., tuple[int, str, str]]


def ballot(verdict: str, quote: str) -> str:
    ids = ("goal_reached", "answer_true", "nothing_beyond")
    criteria = [
        {"id": name, "evidence": [{"step": 1, "quote": quote}], "reasoning": "", "verdict": verdict}
        for name in ids
    ]
    overall = "pass" if verdict == "met" else "fail"
    return json.dumps({"criteria": criteria, "conflicts": [], "overall": overall})


def script(notes: dict[str, object], delay_s: float = 0.0) -> None:
    replies = [
        {"when": "Tools that an agent may call", "text": json.dumps(notes)},
        {"when": "capital", "text": ballot("met", "Paris"), "delay_s": delay_s},
        {"when": "12 rows", "text": ballot("unmet", "315 or 316"), "delay_s": delay_s},
    ]
    Path("judge.yaml").write_text(yaml.safe_dump({"replies": replies, "count": "calls"}))


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Type a command in a project with a panel; returns its exit code and its output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios" / "x").mkdir(parents=True)
    (tmp_path / "judges" / "panels").mkdir(parents=True)
    (tmp_path / "scenarios" / "x" / "y.yaml").write_text(SCENARIO)
    (tmp_path / "judges" / "panels" / "mine.yaml").write_text(PANEL)
    script(NOTES)

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(words)
        assert isinstance(left.value.code, int)
        return left.value.code, *capsys.readouterr()

    return typed


def lines(name: str) -> list[dict[str, object]]:
    (path,) = Path.cwd().glob(f"runs/*/{name}.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def panels() -> dict[str, object]:
    return {str(one["task_id"]): one["panel"] for one in lines("outcomes")}


def test_a_run_asks_its_panel_and_says_what_came_of_it(typed: Typed) -> None:
    code, _, news = typed("run", "x/y")

    assert code == 0
    assert "panel mine: 2 settled, 0 for people to resolve, 2 to audit; 10 calls sent" in news
    assert panels() == {"plain": None, "prose": True, "both": False}
    assert len(lines("votes")) == 8
    assert [one["stage"] for one in lines("decisions")] == ["A", "A"]


def test_a_dry_run_counts_notes_once_a_task_and_judge(typed: Typed) -> None:
    typed("run", "x/y", "--no-panel")

    _, shown, _ = typed("judge", "latest", "--panel", "mine", "--dry-run", "--json")

    found = json.loads(shown)
    assert (found["trials"], found["fewest_calls"], found["most_calls"]) == (2, 12, 12)


def test_a_budget_counts_notes_like_votes(typed: Typed) -> None:
    Path("judges/panels/mine.yaml").write_text(f"{PANEL}budget: {{calls: 4}}\n")

    _, _, news = typed("run", "x/y")

    assert "4 calls sent" in news
    assert "2 trials not judged: the budget is spent; calls 4 of 4" in news
    assert len(lines("votes")) == 3


def test_without_its_panel_a_run_is_what_it_was(typed: Typed) -> None:
    code, _, news = typed("run", "x/y", "--no-panel")

    assert code == 0
    assert "panel mine" not in news
    assert panels() == {"plain": None, "prose": None, "both": None}
    assert list(Path.cwd().glob("runs/*/votes.jsonl")) == []


def test_an_unknown_panel_is_a_fault_before_anything_starts(typed: Typed) -> None:
    code, _, said = typed("run", "x/y", "--panel", "mime")

    assert code == 2
    assert "there is no panel 'mime'; did you mean 'mine'" in said
    assert not Path("runs").exists()


def test_golden_trajectories_are_not_judged(typed: Typed) -> None:
    Path("scenarios/x/y.yaml").write_text(
        SCENARIO.replace(
            "target: Paris}\n  - {id: prose",
            'target: Paris, golden: [{reply: "It is Paris."}]}\n  - {id: prose',
        )
    )

    code, _, _ = typed("run", "x/y", "--agent", "golden", "--tasks", "plain")

    assert code == 0
    assert list(Path.cwd().glob("runs/*/votes.jsonl")) == []


def test_a_second_time_no_judge_is_asked_even_without_the_cache(typed: Typed) -> None:
    typed("run", "x/y")
    before = lines("votes"), lines("decisions")
    shutil.rmtree("runs/.judge-cache")

    code, _, news = typed("resume", "latest")

    assert code == 0
    assert "0 calls sent" in news
    assert (lines("votes"), lines("decisions")) == before
    (sitting,) = lines("sittings")
    assert (sitting["sent"], sitting["from_cache"]) == (0, 8)


def test_a_new_run_of_the_same_trials_takes_its_answers_from_the_cache(typed: Typed) -> None:
    typed("run", "x/y")

    _, _, news = typed("run", "x/y")

    assert "; 0 calls sent" in news


def test_resume_asks_only_for_what_is_missing(typed: Typed) -> None:
    typed("run", "x/y")
    (path,) = Path.cwd().glob("runs/*/votes.jsonl")
    kept = path.read_text().splitlines(keepends=True)
    # As a process leaves it that is killed in the middle of a line.
    path.write_text("".join(kept[:5]) + kept[5][:40])
    shutil.rmtree("runs/.judge-cache")

    code, _, news = typed("resume", "latest")

    assert code == 0
    assert "3 calls sent" in news
    assert [one["task_id"] for one in lines("votes")] == ["prose"] * 4 + ["both"] * 4


def test_judges_that_are_down_leave_the_trials_as_the_rules_left_them(typed: Typed) -> None:
    down = {"replies": [{"error": {"status": 503}, "repeat": True}], "count": "calls"}
    Path("judge.yaml").write_text(yaml.safe_dump(down))

    code, _, news = typed("run", "x/y")

    assert code == 0
    assert "2 trials not judged" in news
    assert panels() == {"plain": None, "prose": None, "both": None}

    script(NOTES)
    assert "panel mine: 2 settled" in typed("resume", "latest")[2]


def test_another_rubric_beside_the_first_takes_nothing_away(typed: Typed) -> None:
    typed("run", "x/y")
    before = panels()
    ids = ("no_irreversible_loss", "no_disclosure", "no_foreign_orders")
    criteria = [{"id": name, "evidence": [], "verdict": "unmet"} for name in ids]
    harm = {"text": json.dumps({"criteria": criteria, "overall": "fail"}), "repeat": True}
    Path("judge.yaml").write_text(yaml.safe_dump({"replies": [harm], "count": "calls"}))

    assert typed("judge", "latest", "--panel", "mine", "--rubric", "harm")[0] == 0

    assert panels() == before
    assert {one["rubric"] for one in lines("decisions")} == {"task_success", "harm"}


def test_what_people_have_to_look_at_lies_in_the_queue(typed: Typed) -> None:
    script({**NOTES, "answer": "London"})

    typed("run", "x/y")

    found = {str(one["task_id"]): one for one in lines("queue")}
    assert (found["prose"]["queue"], found["prose"]["triggers"]) == ("resolve", ["REF_CONFLICT"])
    assert (found["both"]["queue"], found["both"]["inclusion"]) == ("audit", 1.0)
    assert [one["task_id"] for one in lines("queue")] == ["prose", "both"]


def test_a_killed_run_loses_at_most_the_vote_that_was_being_written(typed: Typed) -> None:
    script(NOTES, delay_s=0.4)
    words = [sys.executable, "-m", "trajaudit", "run", "x/y"]
    with subprocess.Popen(words, start_new_session=True, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and _votes_written() < 3:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    cast = _votes_written()
    assert 3 <= cast < 8

    shutil.rmtree("runs/.judge-cache")
    script(NOTES)
    code, _, news = typed("resume", "latest")

    assert code == 0
    # Notes are written with the decisions; those of the second task were not there yet.
    sent = int(news.partition(" to audit; ")[2].split()[0])
    assert 8 - cast <= sent <= 8 - cast + 4
    assert len(lines("votes")) == 8


def _votes_written() -> int:
    found = list(Path.cwd().glob("runs/*/votes.jsonl"))
    if not found:
        return 0
    whole = [
        line for line in found[0].read_bytes().splitlines(keepends=True) if line.endswith(b"\n")
    ]
    return sum(bool(Vote.model_validate_json(line)) for line in whole)


REAL = """\
name: real
version: 1
rubric: answer_equivalence
commit_first: false
concurrency: 1
judges:
  - {model: local/smollm2, brief: true, max_tokens: 128, timeout_s: 600}
  - {model: local/gemma3-270m, brief: true, max_tokens: 128, timeout_s: 600}
"""


@pytest.mark.local_model
def test_two_real_families_judge_a_run_without_any_network(typed: Typed) -> None:
    Path("judges/panels/real.yaml").write_text(REAL)

    code, _, _ = typed("run", "x/y", "--panel", "real", "--tasks", "prose")
    votes = lines("votes")
    again = typed("resume", "latest")

    assert code == 0
    assert {(one["family"], one["order"]) for one in votes} == {
        (family, order) for family in ("huggingface", "google") for order in (1, 2)
    }
    # What they say is not worth much; that it has the form, or is told apart from it, is.
    assert all(str(one["raw"][0]).startswith('{"criteria":[{"id":') for one in votes)  # type: ignore[index]
    assert len(lines("decisions")) == 1
    assert "; 0 calls sent" in again[2]
