"""Patches between two worlds."""

import json

import jsonpatch
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from trajaudit.mocks.world import apply, diff

worlds = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def _written(world: JsonValue) -> str:
    return json.dumps(world, sort_keys=True)


@settings(deadline=None)
@given(before=worlds, after=worlds)
def test_a_patch_leads_from_one_world_to_the_other(before: JsonValue, after: JsonValue) -> None:
    kept = _written(before)

    assert _written(apply(before, diff(before, after))) == _written(after)
    assert _written(before) == kept


@settings(deadline=None)
@given(before=worlds, after=worlds)
def test_another_implementation_reads_the_patch_the_same(
    before: JsonValue, after: JsonValue
) -> None:
    patched = jsonpatch.apply_patch(before, list(diff(before, after)))

    assert _written(patched) == _written(after)


@settings(deadline=None)
@given(worlds)
def test_a_world_does_not_differ_from_itself(world: JsonValue) -> None:
    assert diff(world, json.loads(json.dumps(world))) == ()


def test_a_patch_names_what_changed_and_nothing_else() -> None:
    before: JsonValue = {"orders": {"A/1": {"status": "open", "items": [1, 2, 3]}}, "old": 1}
    after: JsonValue = {"orders": {"A/1": {"status": "paid", "items": [1, 2]}}, "new": True}

    assert diff(before, after) == (
        {"op": "replace", "path": "/orders/A~11/status", "value": "paid"},
        {"op": "remove", "path": "/orders/A~11/items/2"},
        {"op": "remove", "path": "/old"},
        {"op": "add", "path": "/new", "value": True},
    )


def test_keys_that_look_like_escapes_keep_their_name() -> None:
    before: JsonValue = {"~1": 1, "~0/": 1, "/": 1}
    after: JsonValue = {"~1": 2, "~0/": 3, "/": 4}

    assert apply(before, diff(before, after)) == after


@pytest.mark.parametrize(
    "change",
    [
        {"op": "remove", "path": "/b"},
        {"op": "replace", "path": "/a/x/y", "value": 1},
        {"op": "move", "path": "/a", "from": "/b"},
        {"op": "add", "path": "/a/5/z", "value": 1},
    ],
)
def test_a_patch_that_does_not_fit_is_refused(change: dict[str, JsonValue]) -> None:
    with pytest.raises(ValueError, match="patch does not fit the world"):
        apply({"a": [1]}, [change])
