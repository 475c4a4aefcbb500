"""The difference of two rates of the same items: a published example, and what has to hold."""

import math
import random

import pytest

from trajaudit.stats.interval import wilson
from trajaudit.stats.paired_rates import newcombe, phi


def pairs(both: int, first: int, second: int, neither: int) -> list[tuple[bool, bool]]:
    kinds = {(True, True): both, (True, False): first, (False, True): second}
    kinds[False, False] = neither
    return [kind for kind, times in kinds.items() for _ in range(times)]


def test_a_published_example() -> None:
    # Bentur et al. (2009), hyperresponsiveness before and after, as Fagerland, Lydersen and
    # Laake (2014) print it: -0.286 with Newcombe's interval from -0.507 to -0.026.
    found = newcombe(pairs(1, 1, 7, 12))

    assert found.value == pytest.approx(-0.2857, abs=5e-5)
    assert found.interval.low == pytest.approx(-0.507, abs=5e-4)
    assert found.interval.high == pytest.approx(-0.026, abs=5e-4)


def test_where_nothing_differs_the_width_is_wilsons() -> None:
    found = newcombe(pairs(0, 0, 0, 73))

    assert found.interval.high == pytest.approx(wilson(0, 73).high)
    assert found.interval.high < 0.05 < newcombe(pairs(0, 0, 0, 72)).interval.high
    assert found.p_value == 1.0


def test_a_weak_correlation_of_the_pairs_is_moved_to_none() -> None:
    # 3·3 - 2·2 = 5 is n/2: nothing is left of it, and both limits come from Wilson's alone.
    found = newcombe(pairs(3, 2, 2, 3))
    limits = wilson(5, 10)

    assert found.interval.high == pytest.approx(
        math.hypot(limits.high - 0.5, 0.5 - limits.low), abs=1e-12
    )
    strong = newcombe(pairs(5, 0, 0, 5))
    assert strong.interval.high < found.interval.high


def test_exchanging_the_sides_turns_the_interval_round() -> None:
    one, other = newcombe(pairs(4, 9, 2, 30)), newcombe(pairs(4, 2, 9, 30))

    assert one.value == -other.value
    assert one.interval.low == pytest.approx(-other.interval.high)
    assert (one.first_only, one.second_only) == (other.second_only, other.first_only)


def test_the_p_value_is_the_exact_one_sided_tail() -> None:
    # 7 of 8 that differ, one way: (8 + 1)/2^8
    assert newcombe(pairs(3, 7, 1, 10)).p_value == pytest.approx(9 / 256)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(7)
    truth, held = 0.05, 0
    for _ in range(600):
        drawn = [(rng.random() < 0.1, rng.random() < 0.05) for _ in range(80)]
        interval = newcombe(drawn).interval
        held += interval.low <= truth <= interval.high

    assert 0.93 <= held / 600 <= 0.99


def test_phi_is_one_for_equal_columns_and_nothing_where_one_never_varies() -> None:
    assert phi(pairs(5, 0, 0, 5)) == pytest.approx(1.0)
    assert phi(pairs(0, 5, 5, 0)) == pytest.approx(-1.0)
    assert phi(pairs(0, 0, 4, 6)) is None


def test_no_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a pair"):
        newcombe([])
