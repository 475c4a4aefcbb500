"""Figures from sums equal published values, other programs, and what counting gives."""

import warnings
from collections.abc import Sequence
from importlib import import_module
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats.agreement import (
    Label,
    Weight,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    linear_weight,
    quadratic_weight,
    specific_agreement,
)
from trajaudit.stats.tallied import FigureName, Ratings, Tallies

NO = None
FOUR_RATERS: list[list[int | None]] = [
    [1, 1, NO, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NO, 5, 5, 5], [NO, NO, 1, 1], [NO, 3, NO, NO],
]  # fmt: skip
"""Twelve units and four raters, of Krippendorff (2011), which Gwet (2014) took over."""
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
"""Two raters of 100 files, of Gwet (2014)."""
SCALE = [1, 2, 3, 4, 5]
ROWS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", None]), min_size=3, max_size=3), max_size=8
)
PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20)


def value(
    rows: Sequence[Ratings],
    name: FigureName,
    *,
    labels: Sequence[Label] = (),
    weight: Weight | None = None,
    positive: Label | None = None,
) -> float | None:
    return Tallies([rows], labels=labels, weight=weight, positive=positive).value(name)


def from_table(table: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    cells = product(range(len(table)), repeat=2)
    return [(k, m) for k, m in cells for _ in range(table[k][m])]


@pytest.mark.parametrize(
    ("name", "published"),
    # As the documentation of irrCAC prints them; α as Krippendorff (2011) does, too.
    [("percent", 0.8181818), ("ac1", 0.77544), ("alpha", 0.74342)],
)
def test_published_values_of_four_raters(name: FigureName, published: float) -> None:
    assert value(FOUR_RATERS, name) == pytest.approx(published, abs=5e-6)


def test_published_alpha_of_the_interval_level() -> None:
    # Krippendorff (2011) prints 0.849; squared distances are quadratic weights.
    found = value(FOUR_RATERS, "alpha_weighted", weight=quadratic_weight(SCALE))

    assert found == pytest.approx(0.849, abs=5e-4)
    assert found == pytest.approx(krippendorff_alpha(FOUR_RATERS, "interval"))


@pytest.mark.parametrize(
    ("name", "published"),
    [("kappa", 0.7964094), ("ac1", 0.8493305), ("alpha", 0.7972585), ("percent", 0.89)],
)
def test_published_values_of_two_raters(name: FigureName, published: float) -> None:
    assert value(from_table(ABSTRACTORS), name) == pytest.approx(published, abs=5e-8)


def _ac2_by_pairs(rows: Sequence[Sequence[int | None]], weight: Weight) -> float:
    """Gwet's AC2 over all pairs of ratings of an item, and all pairs of labels."""
    given = [[x for x in row if x is not None] for row in rows]
    agree = [
        sum(weight(x, y) for x, y in permutations(row, 2)) / (len(row) * (len(row) - 1))
        for row in given
        if len(row) > 1
    ]
    shares = [sum(row.count(k) / len(row) for row in given) / len(given) for k in SCALE]
    spread = sum(share * (1 - share) for share in shares)
    chance = sum(weight(x, y) for x, y in product(SCALE, SCALE)) / 20 * spread
    seen = sum(agree) / len(agree)
    return (seen - chance) / (1 - chance)


@pytest.mark.parametrize("weight", [linear_weight(SCALE), quadratic_weight(SCALE)])
def test_ac2_is_what_all_pairs_give(weight: Weight) -> None:
    found = value(FOUR_RATERS, "ac2", weight=weight)

    assert found == pytest.approx(_ac2_by_pairs(FOUR_RATERS, weight))
    plain = value(FOUR_RATERS, "ac2", weight=lambda x, y: float(x == y))
    assert plain == pytest.approx(0.77544, abs=5e-6)


@given(PAIRS)
def test_two_raters_have_the_figures_of_each_formula_by_itself(
    pairs: list[tuple[str, str]],
) -> None:
    a, b = zip(*pairs, strict=True)
    specific = specific_agreement(a, b, "a")

    assert value(pairs, "kappa") == pytest.approx(cohen_kappa(a, b).value)
    assert value(pairs, "ac1") == pytest.approx(gwet_ac1(a, b).value)
    assert value(pairs, "alpha") == pytest.approx(krippendorff_alpha(pairs))
    assert value(pairs, "positive", positive="a") == pytest.approx(specific.positive)
    assert value(pairs, "negative", positive="a") == pytest.approx(specific.negative)


@given(ROWS)
def test_alpha_and_fleiss_are_those_of_the_formulas_with_missing_ratings(
    rows: list[list[str | None]],
) -> None:
    whole = [row for row in rows if None not in row]

    if any(sum(x is not None for x in row) > 1 for row in rows):
        assert value(rows, "alpha") == pytest.approx(krippendorff_alpha(rows))
    else:
        assert value(rows, "alpha") is None
    if whole:
        assert value(whole, "fleiss") == pytest.approx(fleiss_kappa(whole).value)


def test_statsmodels_gives_the_same_kappas() -> None:
    raters = import_module("statsmodels.stats.inter_rater")
    found = raters.cohens_kappa(ABSTRACTORS)
    weighted = raters.cohens_kappa(ABSTRACTORS, wt="quadratic")
    pairs = from_table(ABSTRACTORS)
    table, _categories = raters.aggregate_raters([row for row in FOUR_RATERS if None not in row])

    assert value(pairs, "kappa") == pytest.approx(float(found.kappa))
    assert value(pairs, "kappa_weighted", weight=quadratic_weight(range(3))) == pytest.approx(
        float(weighted.kappa)
    )
    full = [row for row in FOUR_RATERS if None not in row]
    with warnings.catch_warnings():
        assert value(full, "fleiss") == pytest.approx(float(raters.fleiss_kappa(table)))


@given(ROWS, ROWS)
def test_taking_some_items_off_leaves_the_others(
    kept: list[list[str | None]], gone: list[list[str | None]]
) -> None:
    tallies = Tallies([kept, gone], labels="abc", positive="a")
    alone = Tallies([kept], labels="abc", positive="a")
    off = next((one for one in tallies.groups[::-1]), None)
    if off is None or not any(sum(x is not None for x in row) > 1 for row in gone):
        return

    left = tallies.whole.less(off)

    assert left.coincidences == pytest.approx(alone.whole.coincidences)
    assert tallies.figure("alpha", left) == pytest.approx(alone.figure("alpha", alone.whole))


def test_the_number_of_labels_that_could_be_given_moves_ac1_alone() -> None:
    pairs = from_table([[5, 1], [1, 5]])

    three = value(pairs, "ac1", labels=[0, 1, 2])

    # π = 1/2 and 1/2: chance 1/2 of two labels, 1/4 of three.
    assert value(pairs, "ac1") == pytest.approx((10 / 12 - 1 / 2) / (1 / 2))
    assert three == pytest.approx((10 / 12 - 1 / 4) / (3 / 4))
    assert value(pairs, "kappa", labels=[0, 1, 2]) == value(pairs, "kappa")


def test_one_label_only_has_no_figure_beyond_chance() -> None:
    tallies = Tallies([[("p", "p")] * 9], labels="pf", positive="p")

    for name in ("kappa", "alpha", "ac1"):
        assert tallies.value(name) is None
        assert "one label" in tallies.why_none(name)
    assert tallies.value("percent") == 1
    assert tallies.value("positive") == 1
    assert tallies.value("negative") is None
    assert tallies.why_none("negative") == "nobody gave the label"


def test_uneven_items_have_no_fleiss_kappa_and_say_so() -> None:
    tallies = Tallies([["aab", ("a", "b", None)]])

    assert tallies.value("fleiss") is None
    assert "differ in how many" in tallies.why_none("fleiss")


def test_labels_outside_of_the_scale_are_refused() -> None:
    with pytest.raises(ValueError, match=r"one of \['a', 'b'\]; got \['c'\]"):
        Tallies([["ac"]], labels="ab")


def test_specific_agreement_of_three_raters_counts_pairs() -> None:
    rows = ["aab", "abb", "aaa"]
    pairs = [pair for row in rows for pair in combinations(row, 2)]
    both, differ = (sum(x == y == "a" for x, y in pairs), sum(x != y for x, y in pairs))

    assert value(rows, "positive", positive="a") == pytest.approx(2 * both / (2 * both + differ))
