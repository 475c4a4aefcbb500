"""What is plainly visible is not gone through, and nothing is overlooked by it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.score.extract import commit, visible
from trajaudit.score.extract.found import Found
from trajaudit.score.extract.glyph import plain

PIECES = (
    *("so it is 5", "\n", " ", "\t", "\r", "<think>", "</think>", "[THINK]", "[/THINK]", "~~6~~"),
    *("<!-- 7 -->", "<s>8</s>", "<b>", "</b>", "<br>", "> ", "```", "```python\n", "~~~", "</s>"),
    *("<|im_end|>", "\u2019", "\u25c1think\u25b7", "`", ">= 3"),
)


def _by_each_step(reply: str) -> visible.Visible:
    text, unclosed, thought = visible._without_thinking(reply)
    text = visible._WITHDRAWN.sub(visible._blank, visible._without_comments(text))
    text = visible._without_layout(plain(visible._TOKENS.sub(visible._blank, text)))
    text = visible._without_quotes(visible._without_programs(text))
    withdrawn = bool(visible._WITHDRAWN.search(reply))
    return visible.Visible(text, unclosed, thought, withdrawn)


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_a_reply_is_seen_as_by_every_step(reply: str) -> None:
    assert visible.visible(reply) == _by_each_step(reply)


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_the_lines_of_a_fence_are_not_seen(fence: str) -> None:
    seen = visible.visible(f"{fence}\nx\n{fence}").text
    assert seen.split() == ["x"]


@pytest.mark.parametrize("reply", ["", " \n", "a `b` c", "No [marks", "2 ~ 3"])
def test_a_plain_reply_is_seen_as_it_stands(reply: str) -> None:
    assert visible.visible(reply).text == reply


OPENINGS = (
    "",
    "I'm sorry, ",
    "I am so sorry, ",
    "Sorry, ",
    "Unfortunately ",
    "Apologies, but ",
    "But ",
)


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize(
    "who", ["i cannot help", "We can't answer that", "I must decline to comply"]
)
@pytest.mark.parametrize("before", ["", "\n ", "**", "...", "\u2014 "])
def test_a_reply_that_opens_by_declining_is_declined(opening: str, who: str, before: str) -> None:
    found = Found(5, "5", quote="5")
    assert commit._is_declined(f"{before}{opening}{who} with 5.", found)


@pytest.mark.parametrize("text", ["The total is 5.", "However, I cannot help.", "", "It is 5."])
def test_a_reply_that_opens_otherwise_is_not_declined(text: str) -> None:
    assert not commit._is_declined(text, Found(5, "5", quote="5"))
