"""docs/cli.md is the help of the command, and every help has an example."""

import pytest

from tests.cli.reference import PATH, commands, text, told


def test_the_page_is_what_the_command_says() -> None:
    assert PATH.read_text() == text(), "write it again: python -m tests.cli.reference"


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_help_shows_how_the_command_is_typed(words: tuple[str, ...]) -> None:
    help_text = told(*words)

    assert help_text.startswith(f"Usage: trajaudit {' '.join(words)} ")
    assert f"trajaudit {' '.join(words)}" in help_text.partition("Example")[2]
