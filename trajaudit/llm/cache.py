"""Answers that were paid for once: kept in a file, and given again to the same request.

The same is only what would draw the same again: model, endpoint, every field of the request that
shapes the answer, and which draw of several it is. Failed calls are never kept.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trajaudit.llm.answer_store import AnswerStore
from trajaudit.llm.base import ChatModel, Endpoint, ModelRequest, ModelResponse
from trajaudit.llm.recorded import answered, request_key


def cache_key(model_id: str, endpoint: Endpoint, body: Mapping[str, Any], draw: int = 1) -> str:
    """Return the SHA-256 of what decides an answer; another draw of one prompt is another key."""
    parts = [model_id, draw, request_key(endpoint, body)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def is_worth_keeping(body: Mapping[str, Any]) -> bool:
    """Whether an answer is one: no error, and something in it."""
    if body.get("error") is not None:
        return False
    choices = body.get("choices")
    messages = [choice.get("message") or {} for choice in choices] if choices else []
    return bool(body.get("output")) or any(
        message.get("content") or message.get("tool_calls") for message in messages
    )


class CachedModel:
    """Asks the model behind it only for what was not kept. Thread-safe.

    Args:
        inner: the model behind it.
        folder: where the file of answers lies; made where it is not there.
        draw: counts from 1; a judge that is asked three times uses draws 1 to 3.
    """

    def __init__(self, inner: ChatModel, folder: Path, *, draw: int = 1) -> None:
        self.model_id = inner.model_id
        self.family = inner.family
        self.endpoints = inner.endpoints
        self._inner = inner
        self._store = AnswerStore(folder)
        self._draw = draw

    def send(self, request: ModelRequest) -> ModelResponse:
        """Return the answer that was kept, free of charge, or ask for one and keep it.

        Raises:
            StorageError: an answer cannot be kept.
            ProviderReply, ProviderError: like the model behind it; nothing is kept of those.
        """
        key = cache_key(self.model_id, request.endpoint, request.body, self._draw)
        kept = self._store.find(key)
        if kept is not None and is_worth_keeping(kept):
            return answered(kept, request)
        response = self._inner.send(request)
        if response.chunks is not None:
            # The body is whole only once the stream was read.
            response.chunks = iter(list(response.chunks))
        if is_worth_keeping(response.body):
            self._store.keep(key, self.model_id, self._draw, response.body)
        return response

    def close(self) -> None:
        """Close the model behind it."""
        self._inner.close()
