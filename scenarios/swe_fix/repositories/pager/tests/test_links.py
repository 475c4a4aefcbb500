from pager import links


def test_gaps_are_marked():
    assert links(10, 20) == [1, None, 8, 9, 10, 11, 12, None, 20]


def test_few_pages_are_all_shown():
    assert links(1, 3) == [1, 2, 3]
