import pytest

from tests.report import sample
from trajaudit.report.plot import TICKS, plot_of, plot_of_lengths
from trajaudit.report.schema import LimitShare
from trajaudit.report.summary import summarise


def test_every_mark_lies_inside_the_axis_and_the_rate_inside_its_bounds() -> None:
    made = sample.run()
    summary = sample.summary(made)

    plot = plot_of(summary.columns)
    assert [bar.name for bar in plot.bars] == ["strict", "lenient", "final"]
    # The axis starts at 62 and is 320 long: 10 of 30 and 11 of 30 trials.
    assert plot.bars[0].band == pytest.approx((62 + 320 * 10 / 30, 320 / 30), abs=0.1)
    for bar in plot.bars:
        assert bar.line is not None
        assert bar.dot is not None
        low, high = bar.line
        assert TICKS[0][0] <= low < bar.dot < high <= TICKS[-1][0]
        assert bar.band[0] <= bar.dot <= bar.band[0] + bar.band[1]
        assert bar.middle < plot.height


def test_a_limit_beyond_what_was_seen_has_a_band_and_no_dot() -> None:
    limits = [
        LimitShare(limit=1024, share=0.5, low=0.5, high=0.5),
        LimitShare(limit=2048, share=None, low=0.5, high=1.0),
    ]

    near, far = plot_of_lengths(limits).bars

    assert (near.name, near.band, near.dot, near.line) == ("1,024", (222, 0), 222, None)
    assert (far.name, far.band, far.dot) == ("2,048", (222, 160), None)


def test_a_column_without_a_rate_is_not_drawn() -> None:
    summary = summarise(sample.config(), [], [], [], [])

    assert plot_of(summary.columns).bars == ()
