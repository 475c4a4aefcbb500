"""Names that tell are hidden wherever they are words of their own, and nothing else is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.judge.names import brands, telling, without_names

LETTERS = st.text(st.sampled_from("kiıİſsSKK-. _ab"), min_size=1, max_size=8)


@given(text=st.lists(LETTERS).map("".join), names=st.lists(LETTERS, max_size=3))
def test_looking_first_whether_a_name_is_there_hides_the_same(text: str, names: list[str]) -> None:
    plain = text
    for name in names:
        plain = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "#", plain, flags=re.IGNORECASE)

    assert without_names(text, names, "#") == plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I am GPT-9-mini.", "I am [agent]."),
        ("gpt-9 and gpt-9-mini", "gpt-9 and [agent]"),
        ("egpt-9-minister", "egpt-9-minister"),
        ("openai/gpt-9-mini: done", "[agent]: done"),
    ],
)
def test_a_name_is_hidden_as_a_word(text: str, shown: str) -> None:
    assert without_names(text, telling([], ["openai/gpt-9-mini"])) == shown


def test_short_names_and_words_of_everyday_are_left_alone() -> None:
    assert telling(["bot", "agent", "graph"], ["x/o3"]) == ["x/o3"]


def test_what_a_model_calls_itself_is_known_by_its_family() -> None:
    assert "claude" in brands(["bedrock/eu.anthropic.claude-x"])
    assert "chatgpt" in brands(["azure/gpt-9", "unknown/model"])
