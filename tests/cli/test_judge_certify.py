"""`judge certify` admits judges by bounds, keeps what they showed, and later judging says it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from trajaudit.cli.main import main

SCENARIO = """\
trajaudit: 1
agent:
  kind: scripted
  tasks:
    one: [{reply: "It is a good one."}]
    two: [{reply: "It is a bad one."}]
tasks:
  - {id: one, prompt: "Which?", target: good}
  - {id: two, prompt: "Which?", target: good}
"""
Typed = Callable[..., tuple[int, str, str]]


def reply(verdict: str, quote: str) -> str:
    one = {"id": "same_meaning", "evidence": [{"step": 1, "quote": quote}], "verdict": verdict}
    overall = {"met": "pass", "unmet": "fail", "cannot_assess": "abstain"}[verdict]
    return json.dumps({"criteria": [one], "conflicts": [], "overall": overall})


GOOD = {"when": "good", "text": reply("met", "good")}
BAD = {"when": "bad", "text": reply("unmet", "bad")}
ALWAYS = {"text": reply("met", "one"), "repeat": True}


def script(name: str, *replies: dict[str, Any]) -> None:
    Path(name).write_text(yaml.safe_dump({"replies": list(replies), "count": "calls"}))


def panel(name: str, *scripts: str, **more: Any) -> None:
    judges = [{"model": f"scripted/{one}", "family": f"f{at}"} for at, one in enumerate(scripts)]
    made = {"name": name, "version": 1, "rubric": "answer_equivalence", "judges": judges}
    made |= {"commit_first": False, **more}
    Path(f"judges/panels/{name}.yaml").write_text(yaml.safe_dump(made))


def gold(pairs: int) -> None:
    lines = [
        {
            "id": f"{word}{at}",
            "rubric": "answer_equivalence",
            "label": label,
            "task": f"Which is number {at}?",
            "answer": f"It is a {word} one.",
            **({"of": f"good{at}", "fault": "wrong"} if word == "bad" else {}),
        }
        for at in range(pairs)
        for word, label in (("good", "pass"), ("bad", "fail"))
    ]
    Path("gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Type a command in an empty project; returns its exit code and its output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judges" / "panels").mkdir(parents=True)
    script("right.yaml", GOOD, BAD)
    script("always.yaml", ALWAYS)
    panel("able", "right.yaml", "right.yaml")
    panel("agreeable", "always.yaml", "always.yaml")
    gold(15)

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(list(words))
        found = capsys.readouterr()
        return int(left.value.code or 0), found.out, found.err

    return run


def certify(typed: Typed, name: str, *more: str) -> Any:
    code, out, err = typed(
        "judge", "certify", "--panel", name, "--gold", "gold.jsonl", "--json", *more
    )
    assert code == 0, err
    return json.loads(out)


def test_judges_that_are_right_are_certified(typed: Typed) -> None:
    found = certify(typed, "able")

    assert found["certified"] is True
    assert [one["admitted"] for one in found["judges"]] == [True, True]
    assert found["panel_standing"]["passes"] == {
        "hits": 15,
        "of": 15,
        "lower": pytest.approx(0.05 ** (1 / 15)),
    }
    assert [one["kappa"] for one in found["judges"]] == [1.0, 1.0]
    assert set(found["sha256"]) >= {
        "panels/able.yaml",
        "prompts/pointwise.md",
        "rubrics/answer_equivalence.yaml",
    }


def test_judges_that_pass_everything_stay_advisory_and_the_gate_says_so(typed: Typed) -> None:
    found = certify(typed, "agreeable")
    gated = typed(
        "judge", "certify", "--panel", "agreeable", "--gold", "gold.jsonl", "--fail-on",
        "not_certified",
    )  # fmt: skip

    assert found["certified"] is False
    assert found["panel_standing"]["fails"]["hits"] == 0
    assert gated[0] == 4
    assert "advisory" in gated[1]


def test_too_few_labels_certify_nobody(typed: Typed) -> None:
    assert certify(typed, "able", "--limit", "20")["certified"] is False
    assert certify(typed, "able", "--limit", "20", "--least", "0.6")["certified"] is True


def test_a_judge_that_abstains_is_not_wrong_and_decides_less(typed: Typed) -> None:
    script("shy.yaml", {"when": "number 3?", "text": reply("cannot_assess", "one")}, GOOD, BAD)
    panel("mixed", "shy.yaml", "right.yaml")

    found = certify(typed, "mixed")

    shy = found["judges"][0]
    assert (shy["passes"]["hits"], shy["passes"]["of"]) == (14, 14)
    assert shy["statuses"] == {"abstained": 2, "decided": 28}
    assert found["panel_standing"]["statuses"] == {"decided": 28, "to_a_person": 2}


def test_what_was_paid_for_once_is_not_asked_again(typed: Typed) -> None:
    first, second = certify(typed, "able"), certify(typed, "able")

    assert (first["calls_sent"], second["calls_sent"]) == (120, 0)
    assert second["panel_standing"] == first["panel_standing"]


def test_a_panel_that_makes_notes_is_measured_with_them(typed: Typed) -> None:
    notes = {"facts": ["so"], "end_state": [], "depends_on_tools": False, "answer": None}
    asked = {"when": "Tools that an agent may call", "text": json.dumps(notes)}
    # What is certified is a judge that saw its own notes: without them it says nothing of use.
    seen = {"when": "/(?s)- so.*good/", "text": GOOD["text"]}
    other = {"when": "/(?s)- so.*bad/", "text": BAD["text"]}
    for name in ("one.yaml", "two.yaml"):
        script(name, asked, seen, other, {"text": "Well.", "repeat": True})
    panel("noting", "one.yaml", "two.yaml", commit_first=True)
    words = ("judge", "certify", "--panel", "noting", "--gold", "gold.jsonl", "--dry-run")

    found = certify(typed, "noting")

    assert found["certified"] is True
    # Twins are one task: one set of notes for each judge serves both.
    assert found["calls_sent"] == 150
    assert "30 trials, 150 to 150 calls" in typed(*words)[1]


def test_labels_that_served_another_version_of_the_judges_are_told_to_be_used(
    typed: Typed,
) -> None:
    certify(typed, "able")

    assert certify(typed, "able")["earlier_uses"] == 0
    assert certify(typed, "agreeable")["earlier_uses"] == 1


def test_later_judging_says_what_the_same_judges_showed(typed: Typed) -> None:
    Path("scenarios/x").mkdir(parents=True)
    Path("scenarios/x/y.yaml").write_text(SCENARIO)
    assert typed("run", "scenarios/x/y.yaml", "--trials", "1")[0] == 0

    def said(name: str) -> str:
        code, out, err = typed("judge", "latest", "--panel", name, "--all", "--json")
        assert code == 0, err
        return str(json.loads(out)["certified"])

    assert said("able") == "no"
    certify(typed, "able")
    certify(typed, "agreeable")
    assert said("able") == "yes"
    assert said("agreeable") == "advisory"
    # A budget shapes no vote; another output limit may.
    panel("able", "right.yaml", "right.yaml", budget={"calls": 5000})
    assert said("able") == "yes"
    panel("able", "right.yaml", "right.yaml", first=2, replicates=2)
    assert said("able") == "no"


def test_labels_of_people_on_a_run_certify_as_well(typed: Typed) -> None:
    Path("scenarios/x").mkdir(parents=True)
    Path("scenarios/x/y.yaml").write_text(SCENARIO)
    assert typed("run", "scenarios/x/y.yaml", "--trials", "1")[0] == 0
    lines = [{"task_id": "one", "label": "pass"}, {"task_id": "two", "label": "fail"}]
    Path("labels.jsonl").write_text("\n".join(map(json.dumps, lines)))

    code, out, err = typed(
        "judge", "certify", "--panel", "able", "--run", "latest", "--gold", "labels.jsonl", "--json"
    )

    assert code == 0, err
    assert json.loads(out)["panel_standing"]["passes"]["hits"] == 1
    code, _, err = typed("judge", "certify", "--panel", "able", "--run", "latest")
    assert (code, "no trial has a person's verdict" in err) == (2, True)


def test_a_dry_run_sends_nothing_and_a_budget_is_not_passed(typed: Typed) -> None:
    code, out, _ = typed("judge", "certify", "--panel", "able", "--gold", "gold.jsonl", "--dry-run")
    assert (code, "30 trials, 120 to 120 calls" in out) == (0, True)
    panel("poor", "right.yaml", "right.yaml", budget={"calls": 10})

    found = certify(typed, "poor")

    assert found["calls_sent"] == 10
    assert len(found["unheard"]) > 20
    assert found["certified"] is False


def test_the_table_names_bounds_and_what_was_not_decided(typed: Typed) -> None:
    passing = {"text": reply("met", "one")}
    failing = {"text": reply("unmet", "one"), "repeat": True}
    script("turning.yaml", passing, passing, passing, failing)
    panel("turning", "turning.yaml", "right.yaml", concurrency=1)
    code, out, _ = typed("judge", "certify", "--panel", "turning", "--gold", "gold.jsonl")

    assert code == 0
    assert "scripted/right.yaml 15/15 (≥ 0.82)  15/15 (≥ 0.82)  30/30" in out
    assert "not decided: 1 flipped" in out
    assert max(len(line) for line in out.splitlines() if "kept in" not in line) <= 80
