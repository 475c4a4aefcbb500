"""What a user may set about a model beside its name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from trajaudit.llm.pace import RetryPolicy
from trajaudit.llm.price import Price


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """How a provider is reached and how hard it is asked."""

    base_url: str | None = None
    """For example `http://127.0.0.1:8000/v1`; None: $OPENAI_BASE_URL, else OpenAI's own where a
    key is set."""
    api_key_env: str | None = None
    """Name of the environment variable with the key; None: OPENAI_API_KEY."""
    send_key: bool = True
    """False where the address came from a scenario: a stranger's file must not collect keys."""
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Sent with every request; their values never show up in an error."""
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    before_retry: Callable[[], None] = lambda: None
    """Is called before each attempt but a request's first; what it raises ends the request."""
    concurrency: int = 4
    """Requests in flight at the start."""
    max_concurrency: int = 64
    price: Price | None = None
    timeout_s: float = 600.0
    """Upper bound of one attempt, whatever the request asks for."""
    start_timeout_s: float = 120.0
    """How long an embedded model may take to start."""
