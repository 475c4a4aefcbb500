"""Recorded votes are counted right: small sets whose figures can be counted by hand."""

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.judges.__main__ import HEAD, SETS, main
from bench.judges.mtbench import mtbench
from bench.judges.pandalm import pandalm
from bench.judges.row import Row
from bench.judges.tau2 import tau2

PAGE = Path(__file__).resolve().parents[2] / "docs" / "judges.md"


def rows(found: Iterable[Row]) -> dict[str, str]:
    return {row.what: f"{row.value} {row.of}" for row in found}


def lines(path: Path, records: Sequence[dict[str, Any]]) -> None:
    path.write_text("\n".join(map(json.dumps, records)))


def pair(question: int, winner: str, judge: str = "gpt4_pair", **more: str) -> dict[str, Any]:
    models = {"model_a": "x", "model_b": "y"} | more
    return {"judge": judge, **models, "question_id": question, "turn": 1, "winner": winner}


def test_a_pair_that_turned_goes_to_a_person_and_names_are_mapped_back(tmp_path: Path) -> None:
    lines(
        tmp_path / "gpt4_pair.jsonl",
        [pair(1, "model_a"), pair(2, "tie (inconsistent)"), pair(3, "tie"), pair(4, "model_b")],
    )
    turned = {"model_a": "y", "model_b": "x"}
    lines(
        tmp_path / "human.jsonl",
        [
            # x wins: the same as the judge, though the person saw the pair the other way round
            pair(1, "model_b", "p", **turned),
            pair(1, "model_a", "q"),
            pair(2, "model_a", "p"),
            pair(2, "tie", "q"),
            pair(4, "model_a", "p"),
        ],
    )
    found = rows(mtbench(tmp_path))

    assert found["turns with the order, and so goes to a person"] == "0.250 1 of 4"
    assert found["judge and a person agree, ties included"] == "0.600 3 of 5"
    assert found["judge and a person agree, without ties"] == "0.667 2 of 3"
    assert found["two people agree, ties included"] == "0.500 1 of 2"
    assert found["two people agree where the judge turned"] == "0.000 0 of 1"


def test_two_families_settle_what_they_agree_on_and_ties_settle_nothing(tmp_path: Path) -> None:
    people = [(1, 1, 1), (2, 2, 1), (1, 1, 2), (0, 0, 0), (2, 2, 2)]
    first = ["1", "2", "2", "Tie", "garbage"]
    second = [1, 2, 2, 0, 2]
    tests = [{f"annotator{n}": said[n - 1] for n in (1, 2, 3)} for said in people]
    for name, records in (
        ("testset-v1", tests),
        ("gpt-3.5-turbo-testset-v1", [{"gpt_result": one} for one in first]),
        ("pandalm-7b-testset-v1", [{"pandalm_result": one} for one in second]),
    ):
        (tmp_path / f"{name}.json").write_text(json.dumps(records))
    found = rows(pandalm(tmp_path))

    assert found["gpt-3.5-turbo: no verdict in the reply"] == "0.200 1 of 5"
    assert found["gpt-3.5-turbo: as most people say"] == "0.750 3 of 4"
    assert found["both families: settled"] == "0.600 3 of 5"
    assert found["both families: settled otherwise than most people"] == "0.333 1 of 3"
    assert found["both families: goes to a person"] == "0.400 2 of 5"


def test_words_are_read_and_four_prompts_of_one_model_settle_nothing(tmp_path: Path) -> None:
    said = {
        "one": ["pass", "satisfied", "fail"],
        "two": ["Compliant", "partially_satisfied", "pass"],
    }
    truth = [True, False, False]
    for prompt, verdicts in said.items():
        entries = [
            {"simulation_id": str(at), "judge_verdict": verdict, "tau2_success": truth[at],
             "agreement": (verdict != "fail") is truth[at] if verdict in ("pass", "fail") else None}
            for at, verdict in enumerate(verdicts)
        ]  # fmt: skip
        count = sum(one["agreement"] is True for one in entries)
        report = {"agree_count": count, "entries": entries}
        (tmp_path / f"retail-full.json.{prompt}.json").write_text(json.dumps(report))
    found = list(tau2(tmp_path))
    table = rows(found)

    for row in found[:2]:
        assert row.of.split(" of ")[0] == row.published
    assert table["one family: settled"] == "0.000 0 of 3"
    assert table["one model, four prompts: turns with the prompt"] == "0.333 1 of 3"
    assert [row.of for row in found if row.what.startswith("of all, means neither")] == ["1 of 6"]
    assert table["were each prompt a family: the first two settle"] == "0.333 1 of 3"


@pytest.fixture
def corpora() -> Path:
    """The folder of public sets, which are no part of the repository."""
    given = os.environ.get("TRAJAUDIT_CORPORA")
    found = Path(given) if given else Path(__file__).resolve().parents[3] / "shared" / "corpora"
    if not found.is_dir():
        if given:
            pytest.fail(f"{found} is not there; TRAJAUDIT_CORPORA names the folder of public sets")
        pytest.skip(f"{found} is not there: set TRAJAUDIT_CORPORA to the folder of public sets")
    return found


def test_published_agreement_of_pandalm_comes_out_to_its_last_digit(corpora: Path) -> None:
    found = [row for row in pandalm(corpora / "pandalm") if row.published]

    assert [row.published for row in found] == ["0.85", "0.88", "0.86"]
    for row in found:
        assert f"{float(row.value.removeprefix('κ ')):.2f}" == row.published


def test_published_agreement_of_mtbench_lies_in_the_interval_of_half_of_its_votes(
    corpora: Path,
) -> None:
    found = {row.what: row for row in mtbench(corpora / "mtbench_votes")}
    row = found["two people"]
    low, high = json.loads(row.interval)

    # Published: 0.47 on 3,355 votes. The set holds 1,687 of them.
    assert low < 0.47 < high
    assert abs(float(row.value.removeprefix("κ ")) - 0.47) < 0.035
    assert row.of == "1131 pairs"


def test_two_people_have_the_kappa_of_both_ways_round(tmp_path: Path) -> None:
    (tmp_path / "gpt4_pair.jsonl").write_text("")
    said = [("model_a", "model_a"), ("model_b", "model_b"), ("model_a", "model_b"), ("tie", "tie")]
    lines(
        tmp_path / "human.jsonl",
        [
            pair(number, winner, who)
            for number, both in enumerate(said)
            for who, winner in zip("pq", both, strict=True)
        ],
    )

    found = rows(mtbench(tmp_path))

    # Both ways: 6 of 8 agree; shares 3/8, 3/8, 1/4: chance 11/32.
    assert found["two people"] == f"κ {(3 / 4 - 11 / 32) / (21 / 32):.3f} 4 pairs"


def test_a_set_that_is_not_there_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), "--markdown"]) == 0

    out, err = capsys.readouterr()
    assert out.startswith("| set | what | value |")
    assert err.count("is not there") == len(SETS)


def test_the_page_has_the_rows_of_each_set() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index(HEAD) :].split("\n\n")[0]

    assert {line.split("`")[1] for line in table.splitlines()[2:]} == set(SETS)
