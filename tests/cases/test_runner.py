"""The runner counts every case: accepted, credited or denied wrongly, or without an adapter."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases.__main__ import main


def case(name: str, op: str, response: str, verdict: str) -> dict[str, Any]:
    return {
        "id": name,
        "category": "answers",
        "op": op,
        "why": "",
        "input": {"response": response, "reference": "42", "answer_type": "number"},
        "expected": {"verdict": verdict, "accept": [verdict], "strict": False, "reading": None},
    }


def test_every_case_is_counted_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [
        case("right", "final_answer", "It is 42.", "correct"),
        case("credited", "final_answer", "It is 42.", "incorrect"),
        case("denied", "final_answer", "It is 24.", "correct"),
        case("unknown", "no_such_operation", "", ""),
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(json.dumps(one) for one in cases))

    assert main([str(file), "--json"]) == 0

    counts = json.loads(capsys.readouterr().out)
    expected = {"accepted": 1, "false_credit": 1, "false_denial": 1, "no_adapter": 1, "n": 4}
    assert counts["total"] == counts["categories"]["answers"] == expected
    assert counts["ops"]["no_such_operation"]["no_adapter"] == 1


def test_verbose_names_what_went_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(case("denied", "final_answer", "It is 24.", "correct")))

    main([str(file), "--verbose"])

    assert "false denial  denied: said incorrect" in capsys.readouterr().out
