"""Two columns of the same trials are compared pair by pair."""

import random
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats.paired import holm, mcnemar, paired_bootstrap

GRADES = st.sampled_from([True, False, None])


def test_mcnemar_by_hand() -> None:
    # 1 and 5 of 6 differing pairs: 2·(C(6, 0) + C(6, 1))/64
    first = [True] + [False] * 5 + [True, None]
    second = [False] + [True] * 5 + [True, True]
    assert mcnemar(first, second) == pytest.approx((1, 5, 14 / 64))


@given(st.lists(st.tuples(GRADES, GRADES), min_size=1, max_size=12))
def test_mcnemar_counts_the_splits_that_are_at_least_as_uneven(
    pairs: list[tuple[bool | None, bool | None]],
) -> None:
    graded = [(x, y) for x, y in pairs if x is not None and y is not None]
    first, second = zip(*pairs, strict=True)
    if not graded:
        with pytest.raises(ValueError, match="graded on both sides"):
            mcnemar(first, second)
        return
    b, c = sum(x > y for x, y in graded), sum(y > x for x, y in graded)
    splits = [abs(2 * sum(coins) - b - c) for coins in product((0, 1), repeat=b + c)]

    found = mcnemar(first, second)

    assert found.p_value == pytest.approx(sum(s >= abs(b - c) for s in splits) / len(splits))


def test_pairs_need_two_equally_long_lists() -> None:
    with pytest.raises(ValueError, match="equally long lists; got 1 and 2"):
        mcnemar([True], [True, False])


def test_the_bootstrap_is_close_to_every_possible_draw() -> None:
    tasks = [(0.0, 0.5), (0.5, 0.5), (1.0, 0.5), (0.0, 1.0)]
    differences = [0.5, 0.0, -0.5, 1.0]
    means = sorted(sum(drawn) / 4 for drawn in product(differences, repeat=4))
    inner = means[int(0.1 * len(means))], means[len(means) - 1 - int(0.1 * len(means))]

    found = paired_bootstrap(tasks, rng=random.Random(1), confidence=0.8)

    assert found.value == 0.25
    assert found.interval == pytest.approx(inner, abs=0.13)
    assert found == paired_bootstrap(tasks, rng=random.Random(1), confidence=0.8)


@pytest.mark.parametrize("tasks", [[], [(0.0, 1.0)], [(0.0, 1.0), (0.0, 1.0)]])
def test_a_bootstrap_of_nothing_that_varies_is_refused(tasks: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match="differ from each other"):
        paired_bootstrap(tasks, rng=random.Random(1))


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    with pytest.raises(ValueError, match=r"between 0 and 1; got \[1\.5\]"):
        holm([0.5, 1.5])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_bonferroni_over_every_set_that_holds_the_test(p_values: list[float]) -> None:
    places = range(len(p_values))
    sets = [chosen for size in places for chosen in combinations(places, size + 1)]
    wanted = [
        max(min(1, len(s) * min(p_values[i] for i in s)) for s in sets if place in s)
        for place in places
    ]
    assert holm(p_values) == pytest.approx(wanted)
