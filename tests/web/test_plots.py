"""The lead's pictures put each number where it belongs, and say it in words as well."""

from trajaudit.datamodel.review import ItemState
from trajaudit.web.plots import Bar, Figure, StateBar, plot_of, state_bars


def test_a_figure_is_drawn_between_zero_and_one_with_its_interval() -> None:
    plot = plot_of([Figure("people", 0.5, 0.25, 0.75), Figure("judges", None, None, None)], 0.4)

    assert plot.bars == (Bar("people", 15.0, (230.0, 410.0), 320.0, "people: 0.50 (0.25 to 0.75)"),)
    assert (plot.height, plot.least) == (50, 284.0)


def test_a_negative_agreement_is_drawn_at_zero_and_said_as_it_is() -> None:
    (bar,) = plot_of([Figure("people", -0.4, None, None)]).bars

    assert (bar.dot, bar.line, bar.says) == (140.0, None, "people: -0.40")


def test_states_are_drawn_in_the_order_of_the_work_and_empty_ones_left_out() -> None:
    bars = state_bars({ItemState.AGREED: 3, ItemState.NEW: 6, ItemState.CONFLICT: 0})

    assert bars == (
        StateBar(ItemState.NEW, 6, 300.0, "open"),
        StateBar(ItemState.AGREED, 3, 150.0, "done"),
    )
    assert state_bars({}) == ()
