from math import pi, tan

import pytest

from trajaudit.stats.student import student_quantile


@pytest.mark.parametrize(
    ("degrees", "expected"),
    # Table of the 97.5 % points, Abramowitz and Stegun 26.10.
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042), (120, 1.980)],
)
def test_it_agrees_with_the_printed_table(degrees: int, expected: float) -> None:
    assert student_quantile(0.975, degrees=degrees) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("probability", [0.5, 0.6, 0.9, 0.999])
def test_one_and_two_degrees_have_closed_forms(probability: float) -> None:
    odds = probability * (1 - probability)
    two = (2 * probability - 1) / (2 * odds) ** 0.5

    one = student_quantile(probability, degrees=1)
    assert one == pytest.approx(tan(pi * (probability - 0.5)), abs=1e-9)
    assert student_quantile(probability, degrees=2) == pytest.approx(two, abs=1e-9)


@pytest.mark.parametrize("probability", [0.75, 0.975, 0.9995])
def test_series_and_expansion_meet(probability: float) -> None:
    series = student_quantile(probability, degrees=399)
    expansion = student_quantile(probability, degrees=400)

    assert 0 < series - expansion < 1e-4


def test_what_has_no_quantile_is_refused() -> None:
    with pytest.raises(ValueError, match="degrees of freedom start at 1; got 0"):
        student_quantile(0.9, degrees=0)
    with pytest.raises(ValueError, match=r"probability lies in \[0.5, 1\); got 1"):
        student_quantile(1, degrees=3)
