"""The beta distribution equals scipy's, also where it is far from both ends."""

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats.beta import beta_below, beta_quantile

special = import_module("scipy.special")
parameters = st.floats(0.5, 5000)


@given(st.floats(0, 1 - 1e-9), parameters, parameters)
def test_shares_are_those_of_scipy(x: float, a: float, b: float) -> None:
    assert beta_below(x, a, b) == pytest.approx(float(special.betainc(a, b, x)), abs=1e-10)


@given(st.floats(0.001, 0.999), parameters, parameters)
def test_a_quantile_is_where_its_share_lies(share: float, a: float, b: float) -> None:
    assert beta_below(beta_quantile(share, a, b), a, b) == pytest.approx(share, abs=1e-9)


def test_by_hand() -> None:
    # I_x(1, 1) = x; I_x(2, 1) = x²
    assert beta_below(0.3, 1, 1) == pytest.approx(0.3)
    assert beta_below(0.3, 2, 1) == pytest.approx(0.09)
    assert (beta_below(0, 2, 3), beta_below(1, 2, 3)) == (0, 1)


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(ValueError, match="0 ≤ x ≤ 1 and positive"):
        beta_below(1.1, 1, 1)
    with pytest.raises(ValueError, match="0 ≤ x ≤ 1 and positive"):
        beta_below(0.5, 0, 1)
    with pytest.raises(ValueError, match="a share lies between"):
        beta_quantile(-0.1, 1, 1)
