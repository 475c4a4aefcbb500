from decimal import Decimal

import pytest

from bill import report, split


def test_what_divides_evenly_is_split_evenly():
    assert split("30.00", 3) == [Decimal("10.00")] * 3


def test_one_pays_all():
    assert split("12.34", 1) == [Decimal("12.34")]


def test_somebody_pays():
    with pytest.raises(ValueError, match="0 people"):
        split("1.00", 0)


def test_the_report_is_aligned():
    assert report("9.00", ["Al", "Berta"]) == "Al         4.50\nBerta      4.50"
