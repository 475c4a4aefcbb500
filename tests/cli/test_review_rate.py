"""`review rate` prints every rate side by side, and why there is none where there is none."""

import json
from pathlib import Path

import pytest

from tests.cli.reviewing import Typed, label, run_typed


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    return run_typed(tmp_path, monkeypatch, capsys)


def test_without_labels_there_is_a_reason_and_no_number(typed: Typed) -> None:
    code, shown, _ = typed("review", "rate", "latest")

    assert code == 0
    assert "12 trials of 12 tasks, 0 labelled" in shown
    assert "no estimate of these trials: " in shown
    assert "nan" not in shown.lower()


def test_all_columns_stand_beside_the_corrected_one(typed: Typed) -> None:
    small = ("--least", "6", "--floor", "2", "--passes", "0.05", "--failures", "0.1")
    typed("review", "draw", "latest", *small)
    rows = json.loads(typed("review", "draw", "latest", "--dry-run", "--json")[1])
    assert {one["name"]: one["chosen"] for one in rows["strata"]} == {
        "resolve/differ": 6,
        "rules/fail/wrong_answer": 3,
        "rules/pass": 3,
    }
    names = {f"prose{at}": "pass" for at in range(5)} | {"prose5": "fail"}
    names |= {f"plain{at}": "pass" for at in range(3)} | {"wrong0": "fail", "wrong1": "pass"}
    label(typed, names)

    _, shown, _ = typed("review", "rate", "latest")
    [found] = json.loads(typed("review", "rate", "latest", "--json")[1])

    columns = {one["name"]: one["value"] for one in found["columns"]}
    assert columns["strict"] == pytest.approx(3 / 12)
    assert columns["lenient"] == pytest.approx(9 / 12)
    # 6 in doubt: 5 pass; 3 passes: all; 3 failures: one of the two that were looked at.
    assert columns["corrected"] == pytest.approx((5 + 3 + 1.5) / 12)
    assert f"  corrected  {9.5 / 12:.3f} [" in shown
    assert "rules/fail/wrong_answer" in shown
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_what_cannot_be_asked_for_is_refused(typed: Typed) -> None:
    code, _, told = typed("review", "rate", "latest", "--of", "everything")
    assert (code, "use these|new-tasks|watched" in told) == (2, True)

    code, _, told = typed("review", "rate", "latest", "--against", "latest")
    assert (code, "cannot be held against itself" in told) == (2, True)

    assert typed("review", "rate", "latest", "--gold", "nothing")[0] == 2


def test_a_difference_to_another_run_is_told(typed: Typed) -> None:
    label(typed, {f"plain{at}": "pass" for at in range(3)})
    (first,) = [path.name for path in Path("runs").glob("2*")]
    assert typed("run", "x/y")[0] == 0

    code, shown, _ = typed("review", "rate", "latest", "--against", first)

    assert code == 0
    assert f"against {first}" in shown
