"""An agreement's interval draws whole groups; with few of them there is none."""

import random

import pytest

from trajaudit.stats.agreement import cohen_kappa
from trajaudit.stats.resampled import LEAST_GROUPS, kappa_interval

AGREE, DIFFER = ("p", "p"), ("p", "f")


def test_the_interval_lies_round_the_value_and_shrinks_with_more_groups() -> None:
    few = [[("p", "p"), ("f", "f")]] * 15 + [[("p", "f"), ("f", "f")]] * 5
    narrow = kappa_interval(few * 8, rng=random.Random(1))
    wide = kappa_interval(few, rng=random.Random(1))
    flat = [pair for group in few for pair in group]
    value = cohen_kappa([a for a, _ in flat], [b for _, b in flat]).value

    assert wide is not None
    assert narrow is not None
    assert value is not None
    assert wide.low < narrow.low < value < narrow.high < wide.high


def test_items_of_one_group_are_no_independent_evidence() -> None:
    alone = [[("p", "p")], [("f", "f")], [("p", "f")], [("f", "f")]] * 10
    twice = [group * 10 for group in alone[:: len(alone) // 10]]
    one = kappa_interval(alone, rng=random.Random(2))
    other = kappa_interval([*twice, *twice[:2]], rng=random.Random(2))

    assert one is not None
    assert other is None or other.high - other.low > one.high - one.low


def test_too_few_groups_or_a_single_label_have_no_interval() -> None:
    few = [[AGREE, DIFFER]] * (LEAST_GROUPS - 1)

    assert kappa_interval(few, rng=random.Random(0)) is None
    assert kappa_interval([[AGREE]] * 30, rng=random.Random(0)) is None


def test_the_same_seed_gives_the_same_interval() -> None:
    groups = [[("p", "p"), ("f", "f")], [("p", "f"), ("f", "f")]] * 10

    assert kappa_interval(groups, rng=random.Random(5)) == kappa_interval(
        groups, rng=random.Random(5)
    )


def test_whole_groups_are_drawn() -> None:
    groups = [[("p", "p")] * 3 + [("f", "p")]] * 12

    assert kappa_interval(groups, rng=random.Random(0)) == pytest.approx((0.0, 0.0))
