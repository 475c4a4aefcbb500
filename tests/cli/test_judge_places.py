"""Judges at an address: what one said is no other's, and what cannot be answered is asked once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.llm.provider import Answer, Provider, chat, error, good, provider
from trajaudit.cli.main import main

SCENARIO = """\
trajaudit: 1
name: zebra_scenario
description: About yaks.
tags: [newt]
agent:
  kind: scripted
  tasks:
    ocelot: [{reply: "The capital city of France is Paris, of course."}]
tasks:
  - {id: ocelot, prompt: "What is the capital of France? Name only.", target: Paris, tags: [lemur]}
"""
PANEL = """\
name: gecko
version: 1
description: Of ibexes.
concurrency: 1
judges:
  - {model: openai/heron, family: a, %s}
  - {model: openai/stork, family: b, %s}
"""
NOTES = {"facts": ["It is so."], "end_state": [], "depends_on_tools": False, "answer": None}
IDS = ("goal_reached", "answer_true", "nothing_beyond")
CRITERIA = [
    {"id": name, "evidence": [{"step": 1, "quote": "Paris"}], "reasoning": "", "verdict": "met"}
    for name in IDS
]
BALLOT = {"criteria": CRITERIA, "conflicts": [], "overall": "pass"}
TOO_LONG = error(400, "This model's maximum context length is 10 tokens.")
Typed = Callable[..., str]


def answers(*first: Answer) -> list[Answer]:
    """Notes and two ballots for each of two judges."""
    each = [good(chat(json.dumps(one))) for one in (NOTES, BALLOT, BALLOT)]
    return [*first, *each, *each]


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Type a command in a project with a scored run; returns what it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    (tmp_path / "scenarios" / "x").mkdir(parents=True)
    (tmp_path / "judges" / "panels").mkdir(parents=True)
    (tmp_path / "scenarios" / "x" / "y.yaml").write_text(SCENARIO)

    def typed(*words: str) -> str:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(words)
        said = capsys.readouterr()
        assert left.value.code == 0, said
        return said.out

    typed("run", "x/y")
    return typed


def seat_at(*scripts: Provider) -> None:
    places = tuple(f'base_url: "{one.url}"' for one in scripts)
    Path("judges/panels/gecko.yaml").write_text(PANEL % (places * (2 // len(places))))


def judged(typed: Typed) -> dict[str, object]:
    found: dict[str, object] = json.loads(typed("judge", "latest", "--panel", "gecko", "--json"))
    return found


def lines(name: str) -> list[dict[str, object]]:
    (path,) = Path.cwd().glob(f"runs/*/{name}.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def asked_for_notes(script: Provider) -> int:
    return sum("Tools that an agent may call" in str(one) for one in script.requests)


def test_another_address_is_another_judge_also_for_notes_and_votes_that_are_there(
    typed: Typed,
) -> None:
    with provider(*answers()) as first, provider(*answers()) as second:
        seat_at(first)
        assert judged(typed)["calls_sent"] == 6
        assert judged(typed)["calls_sent"] == 0
        seat_at(second)
        assert judged(typed)["calls_sent"] == 6
        seat_at(first)
        assert judged(typed)["calls_sent"] == 0

        assert [asked_for_notes(one) for one in (first, second)] == [2, 2]
        places = {(one["judge"], one["address"]) for one in lines("commitments")}
        assert places == {
            (name, one.url) for name in ("openai/heron", "openai/stork") for one in (first, second)
        }


def test_an_address_from_the_environment_counts_as_one(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("judges/panels/gecko.yaml").write_text(PANEL.replace(", %s", ""))
    with provider(*answers()) as first, provider(*answers()) as second:
        for script in (first, second):
            monkeypatch.setenv("OPENAI_BASE_URL", script.url)
            assert judged(typed)["calls_sent"] == 6
            assert judged(typed)["calls_sent"] == 0


def test_a_prompt_that_is_too_long_goes_to_a_person_and_is_not_sent_again(typed: Typed) -> None:
    with provider(TOO_LONG) as script:
        seat_at(script)
        first = judged(typed)
        sent = len(script.requests)
        second = judged(typed)

        assert first["replies"] == {"too_long": 4}
        assert (first["calls_sent"], second["calls_sent"], len(script.requests)) == (6, 0, sent)
    assert first["unheard"] == []
    (entry,) = lines("queue")
    assert (entry["queue"], entry["triggers"]) == ("resolve", ["INVALID", "TRUNCATED"])
    assert {one["status"] for one in lines("commitments")} == {"too_long"}


def test_a_repeat_is_a_call_and_the_sitting_says_so(typed: Typed) -> None:
    with provider(*answers(error(503, retry_after_ms="1"))) as script:
        seat_at(script)
        found = judged(typed)

    assert (found["calls_sent"], len(script.requests)) == (7, 7)
    (sitting,) = lines("sittings")
    assert (sitting["sent"], sitting["retries"]) == (7, 1)
    (page,) = Path("runs").glob("*/report.html")
    assert "7 calls sent (1 of them repeats)" in page.read_text()


def test_no_request_names_run_scenario_task_panel_or_another_judge(typed: Typed) -> None:
    with provider(*answers()) as script:
        seat_at(script)
        judged(typed)

    (run,) = Path("runs").glob("*/run.json")
    hidden = [run.parent.name, "zebra", "yak", "newt", "ocelot", "lemur", "gecko", "ibex"]
    hidden += ["scripted", "lenient", "strict", "127.0.0.1"]
    for number, request in enumerate(script.requests):
        words = json.dumps(request).casefold()
        other = "stork" if number < 3 else "heron"
        assert [name for name in (*hidden, other) if name in words] == []
