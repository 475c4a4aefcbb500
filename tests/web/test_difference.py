"""Patches and changes of a world are laid out so that a person sees them."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from trajaudit.web.difference import MOST_LINES, Changed, Line, changed, patch_view

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3),
    max_leaves=8,
)


def test_lines_of_a_patch_are_told_apart_by_kind_and_sign() -> None:
    text = (
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n--- was a rule\n+++ is one\n"
    )

    view = patch_view(text)
    assert view.lines == (
        Line("file", "diff --git a/x b/x"),
        Line("file", "--- a/x"),
        Line("file", "+++ b/x"),
        Line("hunk", "@@ -1,2 +1,2 @@"),
        Line("", " same"),
        Line("del", "--- was a rule"),
        Line("add", "+++ is one"),
    )
    assert (view.added, view.removed, view.more) == (1, 1, 0)


def test_a_huge_patch_says_how_much_is_left_out_and_can_be_had_whole() -> None:
    text = "@@ -0,0 +1 @@\n" + "+x\n" * (MOST_LINES + 10)

    assert patch_view(text).more == 11
    assert patch_view(text, whole=True).more == 0


def test_changes_name_their_place_and_both_values() -> None:
    before: JsonValue = {"orders": [{"id": 1, "state": "open"}], "gone": 1, "same": True}
    after: JsonValue = {"orders": [{"id": 1, "state": "refunded"}, 2], "same": 1, "new": None}

    assert changed(before, after) == (
        (
            Changed("/orders/0/state", '"open"', '"refunded"'),
            Changed("/orders/1", None, "2"),
            Changed("/gone", "1", None),
            Changed("/same", "true", "1"),
            Changed("/new", None, "null"),
        ),
        True,
    )


@given(JSON, JSON)
def test_equal_worlds_have_no_change_and_different_ones_have_some(
    one: JsonValue, other: JsonValue
) -> None:
    assert changed(one, one) == ((), True)
    assert bool(changed(one, other)[0]) is (repr(one) != repr(other) and one_differs(one, other))


def one_differs(one: JsonValue, other: JsonValue) -> bool:
    """Whether two JSON values differ; true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() != other.keys() or any(one_differs(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other, strict=False)
        return len(one) != len(other) or any(one_differs(*pair) for pair in pairs)
    return type(one) is not type(other) or one != other


def test_a_world_with_many_changes_says_that_there_are_more() -> None:
    found, whole = changed({str(n): 0 for n in range(1000)}, {})

    assert (len(found), whole) == (400, False)
