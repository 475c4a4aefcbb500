import pytest

from tests.report import sample
from trajaudit.report.plot import TICKS, plot_of
from trajaudit.report.summary import summarise


def test_every_mark_lies_inside_the_axis_and_the_rate_inside_its_bounds() -> None:
    made = sample.run()
    summary = sample.summary(made)

    plot = plot_of(summary.columns)
    assert [bar.name for bar in plot.bars] == ["strict", "lenient", "final"]
    # The axis starts at 62 and is 320 long: 10 of 30 and 11 of 30 trials.
    assert plot.bars[0].band == pytest.approx((62 + 320 * 10 / 30, 320 / 30), abs=0.1)
    for bar in plot.bars:
        low, high = bar.line
        assert TICKS[0][0] <= low < bar.dot < high <= TICKS[-1][0]
        assert bar.band[0] <= bar.dot <= bar.band[0] + bar.band[1]
        assert bar.middle < plot.height


def test_a_column_without_a_rate_is_not_drawn() -> None:
    summary = summarise(sample.config(), [], [], [], [])

    assert plot_of(summary.columns).bars == ()
