import pytest

from trajaudit.report import figures
from trajaudit.report.schema import Column, Effort, RepeatedRate


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "—"),
        (0.0, "0.00"),
        (0.001, "<0.01"),
        (0.333, "0.33"),
        (0.999, ">0.99"),
        (1.0, "1.00"),
    ],
)
def test_a_rate_that_is_not_certain_is_never_written_as_zero_or_one(
    value: float | None, written: str
) -> None:
    assert figures.rate(value) == written


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (None, "—"),
        (0.04, "0.0 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.7, "1 min 00 s"),
        (185, "3 min 05 s"),
        (7620, "2 h 07 min"),
    ],
)
def test_durations(seconds: float | None, written: str) -> None:
    assert figures.duration(seconds) == written


@pytest.mark.parametrize(
    ("value", "written"), [(0, "0"), (9_999, "9,999"), (12_345, "12.3k"), (2_500_000, "2.5M")]
)
def test_quantities(value: int, written: str) -> None:
    assert figures.quantity(value) == written


def test_counts_take_the_right_noun() -> None:
    written = [figures.counted(count, "trial") for count in (0, 1, 2, 1200)]

    assert written == ["0 trials", "1 trial", "2 trials", "1,200 trials"]


def test_effort_never_adds_up_prices_it_does_not_know() -> None:
    effort = Effort(
        trials=3,
        model_calls=1,
        tool_calls=2,
        prompt_tokens=12_000,
        completion_tokens=10,
        cost_usd=1.5,
        unpriced_trials=1,
        trial_seconds=9,
        median_s=3,
        longest_s=4,
    )

    assert figures.effort(effort) == (
        "1 model call · 2 tool calls · 12.0k + 10 tokens · at least $1.50 (price unknown: 1 trial)"
        " · 3.0 s a trial, 9.0 s summed"
    )
    unknown = effort.model_copy(update={"cost_usd": None})
    assert "· cost unknown ·" in figures.effort(unknown)


def test_money() -> None:
    assert [figures.money(usd) for usd in (None, 0, 0.00123, 12.345)] == [
        "cost unknown",
        "$0.00",
        "$0.0012",
        "$12.35",
    ]


def test_a_column_of_picked_trials_shows_its_count() -> None:
    column = Column(
        name="panel",
        passes=3,
        graded=4,
        due=9,
        pass_at_1=None,
        interval=None,
        if_wrong=None,
        if_right=None,
        ungraded={"not_asked": 5},
    )

    assert figures.pass_at_1(column) == "3 of 4"
    assert figures.bounds(column) == "—"
    assert figures.reasons(column) == "5 not_asked"


def test_a_repeated_rate_names_the_tasks_it_left_out() -> None:
    assert figures.repeated(RepeatedRate(k=3, value=0.2, tasks=9, of=10)) == "0.20 (9 of 10 tasks)"
    assert figures.repeated(RepeatedRate(k=3, value=0.2, tasks=10, of=10)) == "0.20"
    assert figures.repeated(None) == "—"
