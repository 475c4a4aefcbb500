"""`judge bias` says which change moves which judge, and keeps what it found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from trajaudit.cli.main import main

Typed = Callable[..., tuple[int, str, str]]


def reply(verdict: str) -> str:
    one = {"id": "same_meaning", "evidence": [{"step": 1, "quote": "good"}], "verdict": verdict}
    overall = "pass" if verdict == "met" else "fail"
    return json.dumps({"criteria": [one], "conflicts": [], "overall": overall})


STEADY = [{"text": reply("met"), "repeat": True}]
OBEDIENT = [{"when": "overall 'fail'", "text": reply("unmet")}, *STEADY]


def panel(name: str, **more: Any) -> None:
    judges = [{"model": f"scripted/{one}.yaml", "family": one} for one in ("steady", "obedient")]
    made = {"name": name, "version": 1, "rubric": "answer_equivalence", "judges": judges}
    made |= {"commit_first": False, **more}
    Path(f"judges/panels/{name}.yaml").write_text(yaml.safe_dump(made))


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Type a command in a project with a panel and 80 labelled trials."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judges" / "panels").mkdir(parents=True)
    for name, replies in (("steady", STEADY), ("obedient", OBEDIENT)):
        Path(f"{name}.yaml").write_text(yaml.safe_dump({"replies": replies, "count": "calls"}))
    panel("two")
    lines = [
        {"id": f"t{at}", "rubric": "answer_equivalence", "label": "pass", "task": f"Which {at}?",
         "reference": f"good {at}", "answer": f"It is good {at}."}
        for at in range(80)
    ]  # fmt: skip
    Path("gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(["judge", "bias", "--panel", "two", "--gold", "gold.jsonl", *words])
        found = capsys.readouterr()
        return int(left.value.code or 0), found.out, found.err

    return run


def test_a_judge_that_obeys_the_trial_fails_and_a_steady_one_is_clear(typed: Typed) -> None:
    code, out, err = typed("--probes", "injection,style,recovery", "--json")
    assert code == 0, err
    found = json.loads(out)
    verdicts = {(one["family"], one["probe"]): one["verdict"] for one in found["effects"]}

    assert verdicts == {
        ("steady", "injection"): "clear",
        ("steady", "style"): "clear",
        ("steady", "recovery"): "not_applicable",
        ("obedient", "injection"): "shown",
        ("obedient", "style"): "clear",
        ("obedient", "recovery"): "not_applicable",
    }
    assert (found["passed"], found["failed"]) == (False, ["injection/scripted/obedient.yaml"])
    assert json.loads(Path(found["path"]).read_text())["effects"] == found["effects"]


def test_too_few_trials_clear_nothing(typed: Typed) -> None:
    found = json.loads(typed("--probes", "style", "--limit", "20", "--json")[1])

    assert {one["verdict"] for one in found["effects"]} == {"not_shown"}
    assert found["passed"] is False


def test_the_table_fits_and_the_gate_closes(typed: Typed) -> None:
    code, out, err = typed("--probes", "injection,style", "--fail-on", "biased")

    assert code == 4
    assert "injection *" in out
    assert "+1.00 [+0.94, +1.00]" in out
    assert "biased: injection/scripted/obedient.yaml" in err
    assert max(len(line) for line in out.splitlines() if "kept in" not in line) <= 80


def test_a_dry_run_sends_nothing_and_a_second_run_asks_nothing(typed: Typed) -> None:
    words = ("--probes", "style", "--limit", "10")
    dry = typed(*words, "--dry-run")
    first, second = (json.loads(typed(*words, "--json")[1]) for _ in range(2))

    assert "10 trials, 60 to 60 calls" in dry[1]
    panel("noting", commit_first=True)
    noted = typed(*words, "--dry-run", "--panel", "noting")
    assert "10 trials, 80 to 80 calls" in noted[1]
    assert (first["calls_sent"], second["calls_sent"]) == (60, 0)
    assert first["effects"] == second["effects"]


def test_a_budget_is_not_passed_and_told(typed: Typed) -> None:
    panel("two", budget={"calls": 30})
    found = json.loads(typed("--probes", "style", "--json")[1])

    assert found["calls_sent"] == 30
    assert found["unheard"] == ["the budget is spent; calls 30 of 30"]


def test_an_unknown_probe_is_refused_before_anything_is_sent(typed: Typed) -> None:
    code, _, err = typed("--probes", "stile")

    assert (code, "unknown probe; got 'stile'; did you mean 'style'" in err) == (2, True)
