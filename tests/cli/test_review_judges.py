"""What people say of trials goes back to the judges: their risk, and their certificate."""

import json
from pathlib import Path

import pytest

from tests.cli.reviewing import Typed, label, records, run_typed


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """A run whose six trials in prose a panel settled as passes, three of them to be audited."""
    found = run_typed(tmp_path, monkeypatch, capsys)
    assert found("judge", "latest", "--panel", "mine")[0] == 0
    return found


def audited(folder: Path) -> list[str]:
    return [one["task_id"] for one in records(folder, "decisions") if one["queue"] == "audit"]


def test_the_panels_own_sample_is_put_to_people(typed: Typed) -> None:
    found = json.loads(typed("review", "draw", "latest", "--dry-run", "--json")[1])

    assert {one["name"]: (one["size"], one["chosen"]) for one in found["strata"]} == {
        "panel/pass/ruled": (6, 3),
        "rules/fail/wrong_answer": (3, 3),
        "rules/pass": (3, 3),
    }


def test_a_kind_that_was_wrong_too_often_goes_to_people_without_asking_a_judge_again(
    typed: Typed, tmp_path: Path
) -> None:
    drawn = audited(tmp_path)
    before = records(tmp_path, "votes")

    _, shown, _ = label(typed, dict.fromkeys(drawn, "fail"))

    assert "3 more trials go to people: others like them were wrong too often" in shown
    rest = [one for one in records(tmp_path, "decisions") if one["task_id"] not in drawn]
    assert [(one["queue"], one["triggers"]) for one in rest] == [("resolve", ["AUDITED_RISK"])] * 3
    assert {one["task_id"] for one in records(tmp_path, "queue")} == {
        one["task_id"] for one in rest
    }
    assert records(tmp_path, "votes") == before
    # They stay in their stratum, all of which people look at now.
    found = json.loads(typed("review", "draw", "latest", "--dry-run", "--json")[1])
    assert ("panel/pass/ruled", 6, 6) in {tuple(one.values()) for one in found["strata"]}


def test_judging_again_sees_what_people_said_too(typed: Typed, tmp_path: Path) -> None:
    label(typed, dict.fromkeys(audited(tmp_path), "fail"))

    code, shown, _ = typed("judge", "latest", "--panel", "mine", "--json")

    found = json.loads(shown)
    risky = [one for one in found["decisions"] if "AUDITED_RISK" in one["triggers"]]
    assert (code, found["calls_sent"], len(risky)) == (0, 0, 3)


def test_a_kind_that_people_agree_with_stays_settled(typed: Typed, tmp_path: Path) -> None:
    label(typed, dict.fromkeys(audited(tmp_path), "pass"))

    # (0 + ½)/(3 + 1) · 10 > 1, so that even three right ones are too few at these costs.
    assert [one["queue"] for one in records(tmp_path, "decisions")].count("resolve") == 3

    panel = (tmp_path / "judges" / "panels" / "mine.yaml").read_text()
    cheap = panel.replace("error: 10", "error: 5")
    (tmp_path / "judges" / "panels" / "mine.yaml").write_text(cheap)
    typed("judge", "latest", "--panel", "mine")
    assert [one["queue"] for one in records(tmp_path, "decisions")].count("resolve") == 0


def test_a_panel_is_certified_by_what_people_said_of_a_run(typed: Typed) -> None:
    label(typed, {"plain0": "pass", "plain1": "pass", "wrong0": "fail", "wrong1": "fail"})

    code, shown, _ = typed("judge", "certify", "--panel", "mine", "--run", "latest", "--json")

    found = json.loads(shown)
    assert code == 0
    assert found["gold"].startswith("people's verdicts in ")
    standing = found["panel_standing"]
    assert (standing["passes"]["hits"], standing["passes"]["of"]) == (2, 2)
    assert (standing["fails"]["hits"], standing["fails"]["of"]) == (2, 2)


def test_a_run_without_labels_certifies_nobody(typed: Typed) -> None:
    code, _, told = typed("judge", "certify", "--panel", "mine", "--run", "latest")

    assert (code, "no trial has a person's verdict" in told) == (2, True)
