"""`judge pairs` compares the trials that two runs share, and sends nothing twice."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from trajaudit.audit.pairwise_match import PairOptions, comparison_of
from trajaudit.cli.main import main
from trajaudit.record.pairs import read_pair_decisions, read_pair_summary, read_pair_votes
from trajaudit.record.rundir import RunDir

SCENARIO = """\
trajaudit: 1
agent:
  kind: scripted
  tasks:
    city: [{{reply: "{city}"}}]
    sum: [{{reply: "{sum}"}}]
    other: [{{reply: "The same to all."}}]
    {more}: [{{reply: "x"}}]
tasks:
  - {{id: city, prompt: "Capital of France? Name only.", target: Paris}}
  - {{id: sum, prompt: "What is 12 times 30, less 45?", target: {{number: 315}}}}
  - {{id: other, prompt: "Say something.", target: {{rubric: It is a greeting.}}}}
  - {{id: {more}, prompt: "x", target: y}}
"""
PANEL = """\
name: mine
version: 1
judges:
  - {model: scripted/judge.yaml, family: s}
  - {model: scripted/judge.yaml, family: t}
"""
NAMES = ("goal_reached", "nothing_beyond", "answer_true")
Typed = Callable[..., tuple[int, str, str]]


def reply(choice: str, quote: str = "") -> str:
    evidence = [{"trial": choice, "step": 1, "quote": quote}] if quote else []
    first = {"id": NAMES[0], "evidence": evidence, "reasoning": "", "verdict": choice}
    rest = [{"id": name, "evidence": [], "reasoning": "", "verdict": "tie"} for name in NAMES[1:]]
    return json.dumps({"criteria": [first, *rest], "conflicts": [], "overall": choice})


NOTES = {"facts": [], "end_state": [], "depends_on_tools": True, "answer": None}
REPLIES = [
    {"when": "Tools that an agent may call", "text": json.dumps(NOTES)},
    # Whoever said Paris; of the sums, whichever comes first.
    {
        "when": "/Trial A:[^<]*<<BEGIN[^>]*>>\\s*\\S+ final answer: Paris/",
        "text": reply("A", "Paris"),
    },
    {
        "when": "/Trial B:[^<]*<<BEGIN[^>]*>>\\s*\\S+ final answer: Paris/",
        "text": reply("B", "Paris"),
    },
    {"when": "12 times", "text": reply("A", "It is")},
]


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Type a command in a project with two scored runs; returns exit code and output."""
    monkeypatch.chdir(tmp_path)
    for folder in ("scenarios/x", "judges/panels"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "judges/panels/mine.yaml").write_text(PANEL)
    one = SCENARIO.format(city="Paris", sum="It is 315.", more="only")
    two = SCENARIO.format(city="Lyon", sum="It is 316.", more="lonely")
    (tmp_path / "scenarios/x/one.yaml").write_text(one)
    (tmp_path / "scenarios/x/two.yaml").write_text(two)
    judges(tmp_path)

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(words)
        assert isinstance(left.value.code, int)
        return left.value.code, *capsys.readouterr()

    assert typed("run", "x/one")[0] == 0
    assert typed("run", "x/two")[0] == 0
    return typed


def judges(folder: Path) -> None:
    script = {"replies": [{**one, "repeat": True} for one in REPLIES], "count": "calls"}
    (folder / "judge.yaml").write_text(yaml.safe_dump(script))


def run_of(folder: Path, name: str) -> str:
    """Return where the run of a scenario lies."""
    paths = folder.glob("runs/*/run.json")
    (found,) = (path for path in paths if f"/{name}.yaml" in path.read_text())
    return str(found.parent)


def runs(folder: Path) -> tuple[str, str]:
    return run_of(folder, "one"), run_of(folder, "two")


def test_it_says_who_wins_what_turned_and_what_goes_to_people(typed: Typed, tmp_path: Path) -> None:
    code, shown, said = typed("judge", "pairs", *runs(tmp_path), "--panel", "mine")

    assert (code, said) == (0, "")
    assert "3 pairs: A wins 1, B wins 0, 1 ties, 1 inconsistent, 0 undecided, 0 not judged" in shown
    assert re.search(r"win rate of A 1\.000 \[0\.\d+, 1\.000\] over 1 pairs with a winner", shown)
    assert "between 0.500 and 1.000 with the unsettled ones" in shown
    assert "order, s: turned 1 of 2" in shown
    assert "1 to the first shown, 0 to the second" in shown
    assert "1 for people to resolve, 1 to audit" in shown
    assert "left out: 1 trial only in" in shown
    assert "10 calls sent" in shown


def test_votes_decisions_and_summary_are_kept_beside_the_first_run(
    typed: Typed, tmp_path: Path
) -> None:
    _, shown, _ = typed("judge", "pairs", *runs(tmp_path), "--panel", "mine", "--json")
    found = json.loads(shown)
    folder = Path(found["folder"])

    assert folder.parent == Path(runs(tmp_path)[0]) / "pairs"
    assert len(list(read_pair_votes(folder))) == 8
    decided = {one.task_id: (str(one.result), one.queue) for one in read_pair_decisions(folder)}
    assert decided == {
        "city": ("a", "audit"),
        "sum": ("inconsistent", "resolve"),
        "other": ("tie", "none"),
    }
    assert len((folder / "commitments.jsonl").read_text().splitlines()) == 4
    assert read_pair_summary(folder).calls_sent == 10
    assert set(found["sha256"]) >= {"rubrics/pair_outcome.yaml", "prompts/pairwise.md"}


def test_a_second_time_and_the_other_way_round_nothing_is_sent(
    typed: Typed, tmp_path: Path
) -> None:
    one, two = runs(tmp_path)
    typed("judge", "pairs", one, two, "--panel", "mine")

    again = json.loads(typed("judge", "pairs", one, two, "--panel", "mine", "--json")[1])
    back = json.loads(typed("judge", "pairs", two, one, "--panel", "mine", "--json")[1])

    assert (again["calls_sent"], back["calls_sent"]) == (0, 0)
    assert back["figures"]["results"]["b"] == again["figures"]["results"]["a"] == 1


def test_a_dry_run_sends_and_writes_nothing(typed: Typed, tmp_path: Path) -> None:
    code, shown, _ = typed("judge", "pairs", *runs(tmp_path), "--panel", "mine", "--dry-run")

    assert code == 0
    assert "3 pairs, 12 to 12 calls without cache" in shown
    assert "24 calls where every reply has to be asked for again" in shown
    assert not list(tmp_path.glob("runs/*/pairs"))


def test_a_provider_that_is_down_leaves_pairs_undecided(typed: Typed, tmp_path: Path) -> None:
    down = {"replies": [{"error": {"status": 503}, "repeat": True}], "count": "calls"}
    Path("judge.yaml").write_text(yaml.safe_dump(down))

    code, shown, _ = typed("judge", "pairs", *runs(tmp_path), "--panel", "mine")

    assert (code, shown.count("not judged:")) == (0, 2)
    judges(tmp_path)
    assert "10 calls sent" in typed("judge", "pairs", *runs(tmp_path), "--panel", "mine")[1]


def test_what_cannot_be_compared_is_refused(typed: Typed, tmp_path: Path) -> None:
    one, two = runs(tmp_path)

    code, _, said = typed("judge", "pairs", one, one, "--panel", "mine")
    assert (code, "two runs are compared; got" in said) == (2, True)

    code, _, said = typed("judge", "pairs", one, two, "--panel", "mine", "--rubric", "harm")
    assert (code, "judges/rubrics/harm.yaml" in said, "pairwise" in said) == (2, True, True)

    code, _, said = typed("judge", one, "--panel", "mine", "--rubric", "pair_outcome")
    assert (code, "pairwise" in said) == (2, True)


def test_runs_without_a_task_in_common_are_refused(typed: Typed, tmp_path: Path) -> None:
    text = (tmp_path / "scenarios/x/two.yaml").read_text()
    for name in ("France", "12 times 30", "something"):
        text = text.replace(name, "the moon")
    (tmp_path / "scenarios/x/moon.yaml").write_text(text)
    typed("run", "x/moon")
    code, _, said = typed(
        "judge", "pairs", runs(tmp_path)[0], run_of(tmp_path, "moon"), "--panel", "mine"
    )

    assert code == 2
    assert "share no trial to compare" in said
    assert "3 of tasks that differ" in said


def test_a_ceiling_of_cost_over_unknown_prices_is_refused(typed: Typed, tmp_path: Path) -> None:
    path = tmp_path / "judges/panels/mine.yaml"
    judges = "  - {model: openai/a, base_url: 'http://127.0.0.1:1/v1'}\n"
    path.write_text(f"{PANEL}{judges}budget: {{cost_usd: 1}}\n")

    code, _, said = typed("judge", "pairs", *runs(tmp_path), "--panel", "mine")

    assert (code, "got no price of openai/a" in said) == (2, True)
    assert not list(tmp_path.glob("runs/*/pairs/*/votes.jsonl"))


def test_a_panel_that_only_the_scenario_names_gets_no_keys(typed: Typed, tmp_path: Path) -> None:
    found = [RunDir(Path(one)) for one in runs(tmp_path)]
    typed_panel = PairOptions(panel="mine", start=tmp_path)

    assert comparison_of(found[0], found[1], typed_panel).send_keys
    assert not comparison_of(found[0], found[1], PairOptions(start=tmp_path)).send_keys
