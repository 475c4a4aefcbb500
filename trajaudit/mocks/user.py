"""Who answers when the agent asks: a scripted user, or a model that plays one."""

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from trajaudit.datamodel.tool import ScriptedReply, UserSpec
from trajaudit.errors import ProviderError, ScenarioError

Conversation = Sequence[tuple[str, str]]
"""(`agent` or `user`, text) of what both have said since the task's prompt, oldest first."""

Ask = Callable[[list[dict[str, str]]], str]
"""Sends chat messages (`role`, `content`) to a model and returns its reply."""

STOP = "[[END OF CONVERSATION]]"
"""What a model that plays the user says when it wants nothing more; agents never see it."""

READ_CHARS = 20_000
"""Of an agent's message, so much is searched by a reply's `when`."""


class SimulatedUser(Protocol):
    """Answers from the conversation alone: the same conversation always gets the same answer,
    apart from what a model adds.
    """

    def answer(self, conversation: Conversation) -> str | None:
        """Return what the user says next; None: nothing more, the trial ends.

        Raises:
            ProviderError: the model that plays the user failed.
        """


class ScriptedUser:
    """Says each reply at most once.

    To each message of the agent, the first reply that was not said yet and fits is said: a reply
    with `when` fits when the message holds that text, a plain one always fits. When none fits,
    the conversation is over.
    """

    def __init__(self, spec: UserSpec) -> None:
        """Prepare the replies; ScenarioError when a `/regex/` is none."""
        self._max_turns = spec.max_turns
        self._replies = [(reply.say, _condition(reply)) for reply in spec.replies]

    def answer(self, conversation: Conversation) -> str | None:
        left = list(self._replies)
        said: str | None = None
        turns = [text for who, text in conversation if who == "agent"]
        if not 0 < len(turns) <= self._max_turns:
            return None
        for text in turns:
            fitting = next((reply for reply in left if reply[1](text[:READ_CHARS])), None)
            said = None if fitting is None else fitting[0]
            if fitting is not None:
                left.remove(fitting)
        return said


def _condition(reply: ScriptedReply) -> Callable[[str], bool]:
    when = reply.when
    if when is None:
        return lambda _: True
    if len(when) > 2 and when.startswith("/") and when.endswith("/"):
        try:
            pattern = re.compile(when[1:-1], re.IGNORECASE)
        except re.error as error:
            raise ScenarioError([f"user: reply {reply.say!r}: when: {error}"]) from error
        return lambda text: pattern.search(text) is not None
    wanted = when.casefold()
    return lambda text: wanted in text.casefold()


class ModelUser:
    """A persona played by a model, which sees the conversation from the user's side."""

    def __init__(self, spec: UserSpec, prompt: str, ask: Ask) -> None:
        self._max_turns = spec.max_turns
        self._system = _SYSTEM.format(persona=spec.persona or "", prompt=prompt, stop=STOP)
        self._ask = ask

    def answer(self, conversation: Conversation) -> str | None:
        if sum(1 for who, _ in conversation if who == "agent") > self._max_turns:
            return None
        messages = [{"role": "system", "content": self._system}]
        messages += [
            {"role": "user" if who == "agent" else "assistant", "content": text}
            for who, text in conversation
        ]
        reply = self._ask(messages).strip()
        if not reply:
            raise ProviderError("the model that plays the user said nothing; wanted a message")
        return None if STOP in reply else reply


_SYSTEM = """\
You play a person who talks to an assistant. Stay in this role.

Who you are, and what you want and know:
{persona}

You opened the conversation with:
{prompt}

Answer the assistant's last message in one or two short sentences, as this person would. Tell only
what this person knows, and only when asked. Never do the assistant's work. When the assistant has
done what you want, or cannot do it, reply with {stop} and nothing else."""


def simulated_user(spec: UserSpec, *, prompt: str, ask: Ask | None) -> SimulatedUser:
    """Return the user that a scenario describes; `ask` reaches the model that plays it.

    Raises:
        ScenarioError: a condition is no regular expression, or a model is wanted and none is there.
    """
    if spec.kind == "scripted":
        return ScriptedUser(spec)
    if ask is None:
        raise ScenarioError(["user: kind model needs a model; got none"])
    return ModelUser(spec, prompt, ask)
