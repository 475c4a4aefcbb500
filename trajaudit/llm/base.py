"""What a model is to us: something that answers an OpenAI-style request, synchronously."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from trajaudit.datamodel.event import Retry

Endpoint = Literal["chat", "responses"]


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """A request body in OpenAI's format; unknown fields are passed on."""

    endpoint: Endpoint
    body: Mapping[str, Any]
    """Without `stream`; `model` already holds the name that the provider knows."""
    stream: bool = False
    timeout_s: float = 120.0


@dataclass(kw_only=True)
class ModelResponse:
    """A whole answer.

    For `stream=True`, `chunks` yields the raw SSE payload objects as they come (parsed JSON), and
    `body` is assembled from them once the iterator is exhausted; otherwise `chunks` is None.
    """

    body: dict[str, Any] = field(default_factory=dict)
    chunks: Iterator[dict[str, Any]] | None = None
    retries: list[Retry] = field(default_factory=list)
    latency_s: float = 0.0
    ttft_s: float | None = None
    cost_usd: float | None = None
    """None when the price is unknown; 0.0 for local, scripted and recorded models."""


class ProviderReply(Exception):  # noqa: N818 (a reply, not a failure of ours)
    """The provider answered with an error that belongs to the request (4xx but 429).

    It is passed to the agent as it came; context overflow is told apart by `code`.
    """

    def __init__(self, status: int, body: dict[str, Any], code: str | None = None) -> None:
        self.status = status
        self.body = body
        self.code = code
        """`context_length_exceeded`, or what the provider said."""
        super().__init__(f"the provider answered {status}: {body!r}"[:500])


class ChatModel(Protocol):
    """A model behind one of the adapters. Safe to call from several threads."""

    model_id: str
    """As the user wrote it, for example `openai/gpt-9` or `local/smollm2`."""
    family: str
    """Maker's family, seen through routers; a judge never judges its own."""
    endpoints: frozenset[Endpoint]
    """What it answers natively; the gateway converts the rest."""

    def send(self, request: ModelRequest) -> ModelResponse:
        """Answer one request; retries 429, 5xx and connection errors with backoff.

        Raises:
            ProviderReply: an error that belongs to the request.
            ProviderError: the provider failed for good, or sent garbage.
        """

    def close(self) -> None:
        """Stop what was started for it; safe to call twice."""
