"""The same judges are the same; whatever shapes a vote makes other judges of them."""

from typing import Any

import pytest

from tests.judge.made import RUBRIC
from trajaudit.datamodel.judging import Audit, Budget, Judge, Panel, TokenPrice
from trajaudit.judge.identity import panel_identity

JUDGES = (Judge(model="openai/a"), Judge(model="openai/b"))
PANEL = Panel(name="p", version=1, judges=JUDGES)


def identity(panel: Panel = PANEL, prompt: str = "text", notes: str = "notes") -> str:
    return panel_identity(panel, RUBRIC, prompt, notes)


@pytest.mark.parametrize(
    "changed",
    [
        {"budget": Budget(calls=3)},
        {"audit": Audit(least=1)},
        {"name": "other"},
        {"concurrency": 1},
        {"seed": 7},
        {"judges": (Judge(model="openai/a", price=TokenPrice(prompt=1, completion=1)), JUDGES[1])},
        {"judges": (Judge(model="openai/a", api_key_env="OTHER"), JUDGES[1])},
    ],
)
def test_what_shapes_no_vote_changes_nothing(changed: dict[str, Any]) -> None:
    assert identity(PANEL.model_copy(update=changed)) == identity()


@pytest.mark.parametrize(
    "changed",
    [
        {"judges": JUDGES[::-1]},
        {"judges": (Judge(model="openai/a", max_tokens=99), JUDGES[1])},
        {"judges": (Judge(model="openai/a", base_url="http://x/v1"), JUDGES[1])},
        {"replicates": 2},
        {"first": 3},
        {"commit_first": False},
    ],
)
def test_what_shapes_a_vote_makes_other_judges(changed: dict[str, Any]) -> None:
    assert identity(PANEL.model_copy(update=changed)) != identity()


def test_rubric_and_prompts_count() -> None:
    other = RUBRIC.model_copy(update={"description": "Was it done well?"})

    assert panel_identity(PANEL, other, "text", "notes") != identity()
    assert identity(prompt="other") != identity() != identity(notes="other")
