"""Paths into a world."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from trajaudit.datamodel.worldpath import locate, parse_path, select

WORLD: JsonValue = {
    "orders": {
        "A-17": {"status": "lost", "items": [{"sku": "x"}, {"sku": "y"}]},
        "B-2": {"status": "sent", "items": []},
    },
    "a.b": {"*": 1, "7": "seven"},
}


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("$", [WORLD]),
        ("$.orders.A-17.status", ["lost"]),
        ("$.orders.*.status", ["lost", "sent"]),
        ("$.orders.A-17.items[1].sku", ["y"]),
        ("$.orders.A-17.items.1.sku", ["y"]),
        ("$.orders.*.items[*].sku", ["x", "y"]),
        ('$["a.b"]["*"]', [1]),
        ('$["a.b"].7', ["seven"]),
        ('$["a.b"][7]', ["seven"]),
        ("$.orders.C-3.status", []),
        ("$.orders.A-17.items[2]", []),
        ("$.orders.A-17.status.deeper", []),
        ("$.orders.A-17.items.sku", []),
    ],
)
def test_a_path_names_values(path: str, values: list[JsonValue]) -> None:
    assert select(WORLD, path) == values


@pytest.mark.parametrize(
    "path", ["", "orders", "$orders", "$.", "$.a..b", "$.a[", "$[-1]", "$.a b"]
)
def test_a_path_that_is_none_says_what_is_right(path: str) -> None:
    with pytest.raises(ValueError, match=r"\$\.orders|write \.name"):
        parse_path(path)


@settings(deadline=None)
@given(
    st.recursive(
        st.integers(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    )
)
def test_each_concrete_path_leads_back_to_its_value(world: JsonValue) -> None:
    for depth in range(3):
        for path, value in locate(world, "$" + ".*" * depth):
            assert select(world, path) == [value]
