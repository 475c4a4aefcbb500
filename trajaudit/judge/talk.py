"""What is said to one judge about one presentation: asked, read, asked once again where no use."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.errors import ProviderError
from trajaudit.judge.meter import tokens_of
from trajaudit.judge.view import shortened
from trajaudit.llm.base import ChatModel, ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.shape import CONTEXT_OVERFLOW

Message = Mapping[str, str]
MOST_CHARS = 100_000
"""Of a reply; more is kept with a cut that says so, and counts as cut."""
_AGAIN = (
    "Your reply could not be used: {note}. Reply again with one JSON object in the form that was "
    "asked for, and nothing else."
)
_HELD_BACK = re.compile(
    r"content[ _-]?(?:filter|policy|management policy)|ResponsibleAI", re.IGNORECASE
)
"""What providers and routers write when they refuse a prompt: OpenAI, Azure, LiteLLM."""


class Read(Protocol):
    """What a reply was read as."""

    @property
    def status(self) -> ReplyStatus: ...
    @property
    def note(self) -> str: ...


B = TypeVar("B", bound=Read)


@dataclass
class Talk:
    """One presentation: what came back, and what it took."""

    model: ChatModel
    name: str
    """As the provider knows the model."""
    options: dict[str, Any]
    failed: Callable[[bool], None]
    """Is told after each request whether the provider failed."""
    timeout_s: float = 120.0
    raw: list[str] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0

    def send(self, messages: Sequence[Message]) -> tuple[str, str | None]:
        """Return the text and the reason why it ended; errors as the model's."""
        body = {"model": self.name, "messages": list(messages), **self.options}
        response = self._answer(body)
        self.failed(False)
        usage = response.body.get("usage") or {}
        self.prompt_tokens += tokens_of(usage, "prompt_tokens")
        self.completion_tokens += tokens_of(usage, "completion_tokens")
        if response.cost_usd is None or self.cost_usd is None:
            self.cost_usd = None
        else:
            self.cost_usd += response.cost_usd
        choices = response.body.get("choices") or [{}]
        message = choices[0].get("message") or {}
        text, refusal = plain_text(message.get("content")), plain_text(message.get("refusal"))
        if len(text) > MOST_CHARS:  # it was asked for a page: whatever this is, it is no verdict
            self.raw.append(shortened(text, MOST_CHARS))
            return self.raw[-1], "length"
        self.raw.append(text or refusal)
        # A refusal in a field of its own is one, whatever words and text came with it.
        return text or refusal, "content_filter" if refusal else choices[0].get("finish_reason")

    def _answer(self, body: dict[str, Any]) -> ModelResponse:
        def asked(body: dict[str, Any]) -> ModelResponse:
            request = ModelRequest(endpoint="chat", body=body, timeout_s=self.timeout_s)
            return self.model.send(request)

        try:
            return asked(body)
        except ProviderReply as error:
            of_form = error.status == 400 and "response_format" in body
            if not of_form or _status_of(error) is not ReplyStatus.PROVIDER_FAILED:
                raise
        # Some providers know no schemas: the form is then held by the reader alone.
        self.options.pop("response_format")
        return asked({key: value for key, value in body.items() if key != "response_format"})


def asked(
    talk: Talk,
    messages: Sequence[Message],
    read: Callable[[str, str | None], B],
    void: Callable[[ReplyStatus, str], B],
) -> B:
    """Return what the judge said; a reply of no use is asked for once more, and never twice.

    Args:
        talk: with whom.
        messages: the presentation.
        read: text and finish reason → what it says.
        void: status and note → a reply that says nothing.

    Raises:
        BudgetSpentError: nothing more may be sent.
    """
    found: B | None = None
    try:
        text, why = talk.send(messages)
        found = read(text, why)
        if found.status.counts or found.status is ReplyStatus.REFUSED:
            return found
        again: list[Message] = [{"role": "assistant", "content": text}] if text else []
        again.append({"role": "user", "content": _AGAIN.format(note=found.note)})
        return read(*talk.send([*messages, *again]))
    except ProviderReply as error:
        if is_too_long(error) and found is not None:
            return found  # there was room for the question, and none for asking again
        return void(_status_of(error), str(error)[:300])
    except ProviderError as error:
        talk.failed(True)
        return void(ReplyStatus.PROVIDER_FAILED, str(error)[:300])


def plain_text(content: Any) -> str:
    """Return the text of a message, whole or in parts; thoughts are no text."""
    if isinstance(content, str):
        return content
    parts = (
        [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    )
    said = [part for part in parts if part.get("type", "text") in ("text", "output_text")]
    return "".join(str(part.get("text") or "") for part in said)


def _status_of(error: ProviderReply) -> ReplyStatus:
    if is_held_back(error):
        return ReplyStatus.REFUSED
    return ReplyStatus.TOO_LONG if is_too_long(error) else ReplyStatus.PROVIDER_FAILED


def is_too_long(error: ProviderReply) -> bool:
    """Whether the prompt does not fit into the model's context."""
    return error.code == CONTEXT_OVERFLOW


def is_held_back(error: ProviderReply) -> bool:
    """Whether an error says that a filter refused the prompt; routers hide the code in the text."""
    return error.status in (400, 403, 422) and _HELD_BACK.search(str(error.body)) is not None
