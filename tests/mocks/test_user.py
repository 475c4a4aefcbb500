"""Simulated users."""

import pytest

from trajaudit.datamodel.tool import UserSpec
from trajaudit.errors import ProviderError, ScenarioError
from trajaudit.mocks.user import STOP, Conversation, simulated_user

PROMPT = "My parcel never came."


def _scripted(*replies: dict[str, str], max_turns: int = 8) -> UserSpec:
    return UserSpec.model_validate({"replies": replies, "max_turns": max_turns})


def _answers(spec: UserSpec, *messages: str) -> list[str | None]:
    """What the user says to each message of an agent."""
    user = simulated_user(spec, prompt=PROMPT, ask=None)
    conversation: list[tuple[str, str]] = []
    answers: list[str | None] = []
    for message in messages:
        conversation.append(("agent", message))
        answers.append(user.answer(conversation))
        conversation.append(("user", answers[-1] or ""))
    return answers


SHOPPER = _scripted({"when": "order number", "say": "A-17"}, {"say": "Yes, please."})


@pytest.mark.parametrize(
    ("messages", "answers"),
    [
        (("Your ORDER NUMBER?", "Refund it?", "Done."), ["A-17", "Yes, please.", None]),
        (("Refund it?", "The order number?", "Done."), ["Yes, please.", "A-17", None]),
        (("Order number?", "Order number?", "Order number?"), ["A-17", "Yes, please.", None]),
    ],
)
def test_each_reply_is_said_once_where_it_fits(
    messages: tuple[str, ...], answers: list[str | None]
) -> None:
    assert _answers(SHOPPER, *messages) == answers


def test_a_regular_expression_ignores_case() -> None:
    spec = _scripted({"when": "/which (order|parcel)/", "say": "A-17"})

    assert _answers(spec, "What?", "Which Parcel is it?") == [None, "A-17"]


def test_a_user_falls_silent_after_its_turns() -> None:
    spec = _scripted({"say": "one"}, {"say": "two"}, {"say": "three"}, max_turns=2)

    assert _answers(spec, "?", "?", "?") == ["one", "two", None]


def test_a_condition_that_is_no_expression_is_refused() -> None:
    with pytest.raises(ScenarioError, match="unterminated"):
        simulated_user(_scripted({"when": "/(/", "say": "x"}), prompt=PROMPT, ask=None)


PLAYED = UserSpec(kind="model", persona="You are Ines. Your order is A-17.", max_turns=2)


def _play(reply: str, conversation: Conversation) -> tuple[str | None, list[dict[str, str]]]:
    asked: list[dict[str, str]] = []

    def ask(messages: list[dict[str, str]]) -> str:
        asked.extend(messages)
        return reply

    return simulated_user(PLAYED, prompt=PROMPT, ask=ask).answer(conversation), asked


def test_a_model_sees_the_conversation_from_the_side_of_the_user() -> None:
    answer, asked = _play(
        " A-17. ", [("agent", "Hello?"), ("user", "Hi."), ("agent", "Which order?")]
    )

    assert answer == "A-17."
    assert [message["role"] for message in asked] == ["system", "user", "assistant", "user"]
    assert "You are Ines. Your order is A-17." in asked[0]["content"]
    assert PROMPT in asked[0]["content"]


def test_the_stop_token_ends_the_conversation_and_is_never_shown() -> None:
    assert _play(f"Thank you! {STOP}", [("agent", "Done.")])[0] is None


def test_a_model_is_not_asked_beyond_its_turns() -> None:
    assert _play("more", [("agent", "?")] * 3) == (None, [])


def test_a_model_that_says_nothing_is_a_failed_provider() -> None:
    with pytest.raises(ProviderError, match="said nothing"):
        _play("  ", [("agent", "?")])


def test_a_user_that_needs_a_model_is_refused_without_one() -> None:
    with pytest.raises(ScenarioError, match="needs a model"):
        simulated_user(PLAYED, prompt=PROMPT, ask=None)
