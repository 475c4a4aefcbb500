"""The same thing is told from an equal one."""

from trajaudit.score.identity import Same


def test_the_same_objects_are_the_same_key() -> None:
    one: dict[str, int] = {}

    assert Same(one, "a") == Same(one, "a")
    assert len({Same(one), Same(one)}) == 1


def test_equal_objects_are_not() -> None:
    assert Same({"a": 1}) != Same({"a": 1})


def test_the_number_and_the_order_of_things_count() -> None:
    one, other = object(), object()

    assert Same(one, other) != Same(other, one)
    assert Same(one) != Same(one, one)
    assert Same(one) != (id(one),)


def test_a_key_keeps_its_things_so_that_no_identity_is_given_away() -> None:
    key = Same({"a": 1})

    assert key.things == ({"a": 1},)
    assert all(Same({"a": 1}) != key for _ in range(100))
