"""Texts of an Inspect sample that lie in its attachments are put back, and others are let be."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from trajaudit.record.importers.inspect_text import Texts
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import json_text

_REFERENCES = [
    "attachment://a",
    "attachment://gone",
    "see attachment://a",
    "attachment:/",
    "\ud800",
]
_TEXTS = st.sampled_from(_REFERENCES) | st.text(max_size=4)
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
)


@given(_VALUES)
def test_the_json_of_a_value_is_that_of_the_value_with_its_attachments(value: Any) -> None:
    quick, slow = Losses(), Losses()
    attached = {"a": "the text", "": "nothing"}.get

    assert Texts(attached, quick).json(value) == json_text(Texts(attached, slow).tree(value))
    assert quick.report() == slow.report()


def test_a_text_that_is_none_is_empty() -> None:
    texts = Texts({"a": "the text"}.get, Losses())

    assert [texts.text(value) for value in (None, 1, ["attachment://a"], "attachment://a")] == [
        "",
        "1",
        '["the text"]',
        "the text",
    ]
