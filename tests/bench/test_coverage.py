"""The bench of coverage counts right, and its intervals hold in a small run of it."""

from pathlib import Path

import pytest

from bench.coverage import __main__ as bench
from bench.coverage import rates
from bench.coverage.figure import svg
from bench.coverage.looks import of_looks
from bench.coverage.made import TRUE_RATE, World, made
from bench.coverage.raters import SETTINGS, of_raters
from bench.coverage.row import Hits, Row
from trajaudit.stats.interval import Interval

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


def by_name(rows: list[Row]) -> dict[str, Row]:
    return {row.method: row for row in rows}


def test_an_interval_holds_what_lies_on_its_edge() -> None:
    hits = Hits()
    for interval in (Interval(0.2, 0.5), Interval(0.5, 0.5), Interval(0.51, 0.6)):
        hits.add(interval, 0.5)

    row = hits.row("m", "s", "ours")
    assert row.coverage == pytest.approx(2 / 3)
    assert row.width == pytest.approx(0.39 / 3)


@pytest.mark.parametrize(
    ("coverage", "kind", "kept"),
    [(0.95, "ours", True), (0.90, "ours", False), (1.0, "ours", False), (1.0, "guaranteed", True)],
)
def test_a_promise_is_kept_within_its_range(coverage: float, kind: str, kept: bool) -> None:
    row = Row("m", "s", kind, coverage, 0.005, 0.1, 2000)  # type: ignore[arg-type]

    assert row.is_kept is kept


def test_only_where_errors_are_rare_ours_may_hold_more_often() -> None:
    assert not Row("m", "s", "ours", 0.995, 0.002, 0.1, 2000).is_kept
    assert Row("m", "s", "ours", 0.995, 0.002, 0.1, 2000, rare=True).is_kept
    assert not Row("m", "s", "ours", 0.90, 0.002, 0.1, 2000, rare=True).is_kept


def test_pools_are_those_that_the_settings_say() -> None:
    import numpy as np

    rng = np.random.default_rng(0)
    pools = [made(rates.LARGE, rng) for _ in range(40)]

    assert np.mean([one.truth.mean() for one in pools]) == pytest.approx(TRUE_RATE, abs=0.01)
    # A tenth is in doubt, and of the rest one in twenty is wrong.
    assert np.mean([one.split().mean() for one in pools]) == pytest.approx(0.10, abs=0.01)
    wrong = [(one.majority() != one.truth)[~one.split()].mean() for one in pools]
    assert np.mean(wrong) == pytest.approx(0.053, abs=0.005)
    assert all(150 <= sum(one.drawn) <= 160 for one in pools)


def test_ours_hold_in_a_small_run_and_others_fail() -> None:
    found = by_name(list(rates.of_these(rates.LARGE, 150, seed=1)))

    for row in found.values():
        assert row.kind == "naive" or row.is_kept, row.line()
    assert found["judges' majority, Wilson"].coverage < 0.1
    assert found["disagreements fixed, Wilson"].coverage < 0.7
    new = by_name(list(rates.of_new_tasks(rates.FEW, 150, seed=2)))
    assert new["new tasks"].is_kept
    assert new["new tasks: all labelled, Wilson"].coverage < 0.93
    kinds = by_name(list(rates.of_these(rates.KINDS, 80, seed=1)))
    assert kinds["these trials"].is_kept
    assert kinds["stratified, posteriors summed"].coverage < 0.9


def test_the_same_seed_gives_the_same_rows() -> None:
    small = World("small", tasks=20, labels=40)

    assert list(rates.of_differences(small, 10, seed=3)) == list(
        rates.of_differences(small, 10, seed=3)
    )


def test_looking_again_and_again_is_what_watched_limits_are_for() -> None:
    watched, fixed = of_looks(30, seed=4)

    assert watched.coverage >= 0.95
    assert fixed.coverage < 0.9
    assert watched.width is None


def test_agreement_has_rows_for_every_figure() -> None:
    rows = list(of_raters(SETTINGS[0], 60, seed=5))

    assert len(rows) == 7
    assert all(row.kind == "naive" or row.is_kept for row in rows)


def test_the_picture_has_every_row_and_no_script() -> None:
    rows = [
        Row("a < b", "one", "ours", 0.95, 0.01, 0.1, 100),
        Row("a < b", "two", "ours", 0.99, 0.01, 0.1, 100),
        Row("c", "one", "naive", 0.4, 0.01, None, 100),
    ]
    text = svg(rows)

    assert text.count("<circle") == 3 + 3
    assert "a &lt; b" in text
    assert "<script" not in text


def test_the_page_has_every_method_of_the_bench() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index(bench.HEAD) :].split("\n\n")[0]
    methods = {line.split(" | ")[0].removeprefix("| ") for line in table.splitlines()[2:]}

    small = World("small", tasks=20, labels=40)
    wanted = {row.method for row in rates.of_these(small, 1, seed=1)}
    wanted |= {row.method for row in rates.of_new_tasks(small, 1, seed=1)}
    wanted |= {row.method for row in rates.of_differences(small, 1, seed=1)}
    assert wanted <= methods
    assert "watched, at every look" in methods
    assert (PAGE.parent / "coverage.svg").exists()
