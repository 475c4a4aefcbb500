"""Agreement figures equal what counting by their definitions gives."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats.agreement import (
    Level,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    linear_weight,
    quadratic_weight,
    specific_agreement,
)

PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20)
RATED = st.lists(
    st.lists(st.sampled_from([1, 2, 3, None]), min_size=2, max_size=4), min_size=1, max_size=8
)


def test_cohen_by_hand() -> None:
    # po = 4/5; pe = 3/5·2/5 + 2/5·3/5 = 0.48
    found = cohen_kappa("ppffp", "pfffp")
    assert found == pytest.approx((0.32 / 0.52, 0.8, 0.48, 5))


def test_high_raw_agreement_may_be_no_more_than_chance() -> None:
    assert cohen_kappa("pppppppppf", "p" * 10)[:2] == pytest.approx((0.0, 0.9))


def test_complete_disagreement_is_minus_one() -> None:
    assert cohen_kappa("ppff", "ffpp").value == -1


def test_one_label_only_has_no_kappa() -> None:
    for found in (cohen_kappa("ppp", "ppp"), gwet_ac1("ppp", "ppp"), fleiss_kappa(["pp", "pp"])):
        assert (found.value, found.observed) == (None, 1)
    assert krippendorff_alpha([["p", "p"], ["p", "p"]]) is None


def test_a_missing_rating_is_left_out_not_a_label() -> None:
    assert cohen_kappa(["p", "f", None, "p"], ["p", "f", "f", None]) == cohen_kappa("pf", "pf")
    assert krippendorff_alpha([["x", "x"], ["y", None], ["y", "y"]]) == 1


@given(PAIRS)
def test_cohen_is_observed_against_every_pairing_of_the_two_raters(
    pairs: list[tuple[str, str]],
) -> None:
    a, b = zip(*pairs, strict=True)
    chance = Fraction(sum(x == y for x, y in product(a, b)), len(a) ** 2)
    seen = Fraction(sum(x == y for x, y in pairs), len(a))

    found = cohen_kappa(a, b)

    assert (found.observed, found.expected) == pytest.approx((float(seen), float(chance)))
    assert found.value == (None if chance == 1 else pytest.approx((seen - chance) / (1 - chance)))
    assert cohen_kappa(b, a).value == pytest.approx(found.value)


def test_weights_forgive_near_misses() -> None:
    # Po = (1 + 1/2 + 1/2)/3; linear Pe = mean of 1 - |i - j|/2 over all 9 pairings = 5/9
    a, b = [1, 2, 3], [1, 3, 2]
    assert cohen_kappa(a, b, linear_weight([1, 2, 3])).value == pytest.approx(1 / 4)
    # Po = (1 + 3/4 + 3/4)/3; quadratic Pe = mean of 1 - (i - j)²/4 = 1 - (12/4)/9 = 2/3
    assert cohen_kappa(a, b, quadratic_weight([1, 2, 3])).value == pytest.approx(1 / 2)


@given(PAIRS)
def test_with_two_labels_any_weights_are_plain_kappa(pairs: list[tuple[str, str]]) -> None:
    a, b = zip(*[(x == "a", y == "a") for x, y in pairs], strict=True)
    weights = linear_weight([False, True]), quadratic_weight([False, True])

    assert [cohen_kappa(a, b, weight) for weight in weights] == [cohen_kappa(a, b)] * 2


def test_ac1_by_hand_stays_high_where_a_label_is_rare() -> None:
    # π of f = 1/20; pe = 2·(1/20·19/20)/1
    found = gwet_ac1("pppppppppf", "p" * 10)
    assert found.value == pytest.approx((0.9 - 0.095) / (1 - 0.095))


def test_specific_agreement_tells_the_two_sides_apart() -> None:
    # both p 2, both f 1, differ 1
    assert specific_agreement("ppfp", "pfff", "p") == pytest.approx((2 / 4, 2 / 4))
    assert specific_agreement("ppfp", "ppfp", "p") == (1, 1)
    assert specific_agreement("pp", "pp", "p") == (1, None)


def test_fleiss_by_hand() -> None:
    # P of the items 1, 1/3, 1; shares 5/9 and 4/9: Pe = 41/81
    found = fleiss_kappa(["aaa", "aab", "bbb"])
    assert found == pytest.approx((((7 / 9) - 41 / 81) / (40 / 81), 7 / 9, 41 / 81, 3))


@pytest.mark.parametrize("ratings", [[], ["a"], ["aa", "aab"], [["a", "a", None], "aaa"]])
def test_fleiss_refuses_uneven_items(ratings: list[Sequence[str | None]]) -> None:
    with pytest.raises(ValueError, match="same number of ratings"):
        fleiss_kappa(ratings)


def _alpha_by_pairs(rows: list[list[int]], far: dict[tuple[int, int], float]) -> float | None:
    """Mean distance within items, weighted by their ratings, against that of all pairs."""
    values = [x for row in rows for x in row]
    within = sum(
        len(row)
        * sum(far[pair] for pair in combinations(sorted(row), 2))
        * 2
        / (len(row) * (len(row) - 1))
        for row in rows
    ) / len(values)
    among = [far[pair] for pair in combinations(sorted(values), 2)]
    chance = sum(among) / len(among)
    return 1 - within / chance if chance else None


@given(RATED, st.sampled_from(["nominal", "interval", "ordinal"]))
def test_alpha_is_what_all_pairs_of_ratings_give(
    ratings: list[list[int | None]], level: Level
) -> None:
    rows = [[x for x in row if x is not None] for row in ratings]
    rows = [row for row in rows if len(row) > 1]
    if not rows:
        with pytest.raises(ValueError, match="an item with two ratings"):
            krippendorff_alpha(ratings, level, [1, 2, 3])
        return
    values = [x for row in rows for x in row]
    between = {
        (x, y): sum(values.count(z) for z in range(x, y + 1))
        - (values.count(x) + values.count(y)) / 2
        for x in (1, 2, 3)
        for y in range(x, 4)
    }
    distances: dict[Level, dict[tuple[int, int], float]] = {
        "nominal": {(x, y): float(x != y) for x, y in between},
        "interval": {(x, y): float((x - y) ** 2) for x, y in between},
        "ordinal": {(x, y): (d if x != y else 0) ** 2 for (x, y), d in between.items()},
    }

    found = krippendorff_alpha(ratings, level, [1, 2, 3])

    wanted = _alpha_by_pairs(rows, distances[level])
    assert found == (None if wanted is None else pytest.approx(wanted))


@pytest.mark.parametrize(("a", "b"), [("pp", "p"), ([None, "p"], ["p", None]), ("", "")])
def test_nothing_to_compare_is_refused(a: list[str | None], b: list[str | None]) -> None:
    with pytest.raises(ValueError, match=r"agreement needs an item|rate the same items"):
        cohen_kappa(a, b)


def test_labels_outside_of_the_scale_are_refused() -> None:
    with pytest.raises(ValueError, match="must name each; got \\['z'\\]"):
        krippendorff_alpha([["a", "z"]], "ordinal", ["a", "b"])
    with pytest.raises(ValueError, match="needs numbers; got 'a'"):
        krippendorff_alpha([["a", "z"]], "interval")
    with pytest.raises(ValueError, match="at least two labels"):
        linear_weight(["a"])
