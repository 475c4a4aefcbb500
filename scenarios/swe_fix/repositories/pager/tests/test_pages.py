import pytest

from pager import Pages


def test_the_last_page_holds_the_rest():
    pages = Pages(range(7), size=3)

    assert pages.count == 3
    assert pages.page(3) == [6]


def test_an_empty_list_has_one_empty_page():
    pages = Pages([], size=5)

    assert pages.count == 1
    assert pages.page(1) == []


def test_a_page_that_is_not_there_is_refused():
    with pytest.raises(IndexError, match="no page 4"):
        Pages(range(7), size=3).page(4)


def test_a_page_holds_something():
    with pytest.raises(ValueError, match="at least one"):
        Pages([1], size=0)
