import pytest

from trajaudit.report import figures
from trajaudit.report.schema import Column, RepeatedRate


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
