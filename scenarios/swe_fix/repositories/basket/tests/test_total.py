import pytest

from basket import Basket, Line

pytestmark = pytest.mark.money


def test_the_total_counts_pieces(filled):
    assert filled.total() == 590


def test_the_same_thing_is_one_line():
    made = Basket("Ola", lines=[])
    made.add("cup", 400)
    made.add("cup", 400, 2)

    assert made.lines == [Line("cup", 400, 3)]


def test_the_best_coupon_counts():
    made = Basket("Ola", lines=[Line("lamp", 2000)], coupons=["SPRING", "FRIENDS"])

    assert made.total() == 1700


def test_lines_may_be_given():
    assert Basket("Ola", lines=[Line("lamp", 2000)]).total() == 2000
