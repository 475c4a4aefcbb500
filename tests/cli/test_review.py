"""`trajaudit review` by files: draw, export, label, import; verdicts come back and count."""

import json
from pathlib import Path

import pytest

from tests.cli.reviewing import Typed, exported, label, records, run_typed


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    return run_typed(tmp_path, monkeypatch, capsys)


def test_the_first_page_says_what_people_are_to_do(typed: Typed) -> None:
    _, shown, _ = typed("report", "latest")

    last = shown.rstrip().splitlines()[-1]
    assert last.startswith("runs/")
    assert " · trajaudit review " in last
    assert last.endswith("(6 to resolve, 6 to audit)")

    assert label(typed, {"prose0": "pass", "plain0": "pass", "wrong0": "fail"})[0] == 0
    assert typed("report", "latest")[1].rstrip().endswith("(5 to resolve, 4 to audit)")


def test_a_draw_shows_strata_and_what_it_buys_and_keeps_what_is_not_typed(typed: Typed) -> None:
    small = ("review", "draw", "latest", "--least", "2", "--floor", "1", "--passes", "0.05")

    _, shown, told = typed(*small, "--dry-run")

    assert "12 trials, 6 to resolve, 2 to audit" in shown
    assert "  rules/fail/wrong_answer                            3           1   0.33" in shown
    assert "8 labels would tell the rate of these trials within about ±0." in shown
    assert "nothing was written" in told
    assert list(Path().glob("runs/*/sample.json")) == []

    first = json.loads(typed(*small, "--json")[1])
    more = json.loads(typed("review", "draw", "latest", "--passes", "1", "--json")[1])

    assert (first["audit"], first["more"], first["fewer"], first["written"]) == (2, 8, 0, True)
    assert (more["audit"], more["more"], more["fewer"]) == (4, 2, 0)
    assert (more["plan"]["least"], more["plan"]["floor"], more["plan"]["passes"]) == (2, 1, 1.0)


def test_one_extent_of_a_draw_takes_the_place_of_the_other(typed: Typed) -> None:
    everything = json.loads(typed("review", "draw", "latest", "--everything", "--json")[1])
    smoke = json.loads(typed("review", "draw", "latest", "--smoke", "4", "--json")[1])
    again = json.loads(typed("review", "draw", "latest", "--smoke", "0", "--json")[1])

    assert everything["resolve"] + everything["audit"] == 12
    assert everything["half_width"] == 0
    assert (smoke["resolve"] + smoke["audit"], smoke["fewer"]) == (4, 8)
    assert (again["plan"]["smoke"], again["plan"]["everything"]) == (None, False)

    code, _, told = typed("review", "draw", "latest", "--everything", "--smoke", "3")
    assert code == 2
    assert "everything and smoke=3 exclude each other; give one" in told


def test_an_export_of_a_run_that_nobody_drew_says_that_defaults_hold(typed: Typed) -> None:
    _, shown, told = typed("review", "latest", "--export", "items.csv")

    # Trials of one task that read alike would be one item; these have prompts of their own.
    assert "12 items in items.csv; 0 that people settled are left out" in shown
    assert "nobody drew a sample, so the defaults hold: 6 to resolve, 6 to audit" in told
    assert "nobody drew" not in typed("review", "latest", "--export", "items.csv")[2]


def test_what_is_exported_tells_nothing_of_queues_runs_or_verdicts(typed: Typed) -> None:
    rows = exported(typed)

    text = Path("items.jsonl").read_text()
    for hidden in ("resolve", "audit", "stratum", "scripted", "lenient", "format_mismatch", "x/y"):
        assert hidden not in text
    (run,) = Path("runs").glob("2*")
    assert run.name not in text
    assert set(rows[0]) == {
        *("item_id", "prompt", "reference", "policy", "transcript"),
        *("verdict", "failure_kind", "steps", "reason", "reviewer"),
    }
    names = [row["prompt"].split(":")[0].removeprefix("Question ")[:5] for row in rows]
    assert names != sorted(names)


def test_labels_settle_outcomes_and_a_second_time_add_nothing(typed: Typed, tmp_path: Path) -> None:
    code, shown, _ = label(typed, {"prose0": "fail", "plain0": "correct", "wrong0": "not correct"})

    assert code == 0
    assert "3 labels added (Ana 3)" in shown
    assert "1 outcomes flipped" in shown
    assert "prose0/1   pass → fail" in shown
    said = {one["task_id"]: (one["human"], one["source"]) for one in records(tmp_path, "outcomes")}
    assert said["prose0"] == (False, "human")
    assert said["plain0"] == (True, "human")
    assert said["plain1"] == (None, "lenient")

    again = typed("review", "latest", "--import", "labels.jsonl", "--reviewer", "Ana")
    assert again[:2] == (0, "0 labels added\n3 were there already\n")
    assert len(records(tmp_path, "reviews")) == 3


def test_a_label_of_a_settled_item_is_kept_and_said(typed: Typed, tmp_path: Path) -> None:
    label(typed, {"prose0": "pass"})

    _, shown, _ = typed("review", "latest", "--import", "labels.jsonl", "--reviewer", "Bo")

    assert "1 are of items that people had settled; they are kept" in shown
    assert [one["reviewer"] for one in records(tmp_path, "reviews")] == ["Ana", "Bo"]


def test_two_who_differ_wait_for_an_adjudicator(typed: Typed, tmp_path: Path) -> None:
    place = tmp_path / "runs" / ".review" / "policy.json"
    place.write_text('{"double": 1.0}')
    typed("review", "add", "Ana")
    _, first, _ = label(typed, {"prose0": "pass"})
    other = Path("labels.jsonl").read_text().replace('"verdict": "pass"', '"verdict": "fail"')
    Path("other.jsonl").write_text(other)

    _, second, _ = typed("review", "latest", "--import", "other.jsonl", "--reviewer", "Bo")

    for shown in (first, second):
        assert "1 items wait for another person, or for an adjudicator" in shown
        assert "0 outcomes flipped" in shown
    said = {one["task_id"]: one["human"] for one in records(tmp_path, "outcomes")}
    assert said["prose0"] is None


def test_all_faults_of_a_file_are_told_and_nothing_is_taken(typed: Typed, tmp_path: Path) -> None:
    label(typed, {"prose0": "pass"})
    good = json.loads(Path("labels.jsonl").read_text())
    other = exported(typed)[0]
    lines = [
        {**good, "verdict": "fail", "reviewer": "Ana"},
        {**other, "verdict": "pass", "reviewer": "Ana"},
        {**other, "verdict": "hm", "reviewer": "Ana"},
        {**other, "item_id": "f" * 64, "verdict": "pass", "reviewer": "Ana"},
        {**other, "verdict": "fail", "steps": [1, 9], "reviewer": "Bo"},
    ]
    Path("bad.jsonl").write_text("\n".join(map(json.dumps, lines)))

    code, _, told = typed("review", "latest", "--import", "bad.jsonl")

    assert code == 2
    assert [line.split(";")[0] for line in told.splitlines()] == [
        "trajaudit: bad.jsonl:1: verdict: Ana labelled this item before",
        "trajaudit: bad.jsonl:3: verdict: cannot be read",
        "trajaudit: bad.jsonl:4: item_id: is of no item of these runs",
        "trajaudit: bad.jsonl:5: steps: lie beyond the trial",
    ]
    assert len(records(tmp_path, "reviews")) == 1


def test_a_broken_task_leaves_every_rate_and_is_listed_with_its_reasons(typed: Typed) -> None:
    label(typed, {"plain1": "task broken"}, reason="which France?")

    _, shown, _ = typed("review", "cases", "latest")

    assert "plain1   which France?" in shown
    assert typed("report", "latest")[1].rstrip().endswith("(6 to resolve, 5 to audit)")


def test_cases_are_listed_by_cause_and_written_as_lines(typed: Typed, tmp_path: Path) -> None:
    label(typed, {"wrong0": "pass", "wrong1": "pass", "prose0": "fail", "plain0": "pass"})

    code, shown, told = typed("review", "cases", "latest", "--out", "cases.jsonl")

    assert code == 0
    assert "3 cases among 4 trials that people passed or failed" in shown
    assert "  2  final_answer, lenient        a for a" in shown
    assert "3 cases in cases.jsonl" in told
    lines = [json.loads(line) for line in (tmp_path / "cases.jsonl").read_text().splitlines()]
    assert [(one["op"], one["category"]) for one in lines] == [
        ("final_answer", "false_credit"),
        ("final_answer", "false_denial"),
        ("final_answer", "false_denial"),
    ]
    found = json.loads(typed("review", "cases", "latest", "--json")[1])
    assert [len(one["cases"]) for one in found["groups"]] == [1, 2]


def test_exchange_options_exclude_each_other(typed: Typed) -> None:
    code, _, told = typed("review", "latest", "--export", "a.csv", "--import", "b.csv")

    assert (code, "--export and --import exclude each other" in told) == (2, True)


def test_a_run_that_was_not_scored_is_refused(typed: Typed) -> None:
    (run,) = Path("runs").glob("2*")
    (run / "outcomes.jsonl").unlink()

    code, _, told = typed("review", "draw", "latest")

    assert code == 2
    assert f"run trajaudit score {run.name} first" in told


def test_agreement_of_two_people_is_told(typed: Typed) -> None:
    label(typed, {"prose0": "pass", "wrong0": "fail", "plain0": "pass"})
    typed("review", "latest", "--import", "labels.jsonl", "--reviewer", "Bo")

    _, shown, _ = typed("review", "agreement", "latest")
    found = json.loads(typed("review", "agreement", "latest", "--json")[1])

    assert "people (Ana, Bo): 3 trials" in shown
    assert found[0]["tables"][0]["figures"]["percent"]["value"] == 1


def test_people_are_added_listed_and_removed(typed: Typed) -> None:
    code, token, told = typed("review", "add", "Ana", "--role", "lead")

    assert (code, len(token.strip())) == (0, 43)
    assert "shown this once" in told
    listed = json.loads(typed("review", "people", "--json")[1])
    assert [(one["name"], one["role"], "token_sha256" in one) for one in listed] == [
        ("Ana", "lead", False)
    ]
    assert typed("review", "add", "Bo", "--role", "boss")[0] == 2
    assert typed("review", "remove", "Ana")[1] == "Ana is removed; their labels stay\n"
    assert typed("review", "remove", "Ana")[0] == 2
    assert "nobody yet" in typed("review", "people")[1]
