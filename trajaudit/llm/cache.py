"""Answers that were paid for once: kept in a folder, and given again to the same request.

The same is only what would draw the same again: model, endpoint, every field of the request that
shapes the answer, and which draw of several it is. Failed calls are never kept.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trajaudit.errors import StorageError
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
    """Asks the model behind it only for what is not in the folder. Thread-safe.

    Args:
        inner: the model behind it.
        folder: where answers are kept, one file each; made where it is not there.
        draw: counts from 1; a judge that is asked three times uses draws 1 to 3.
    """

    def __init__(self, inner: ChatModel, folder: Path, *, draw: int = 1) -> None:
        self.model_id = inner.model_id
        self.family = inner.family
        self.endpoints = inner.endpoints
        self._inner = inner
        self._folder = folder
        self._draw = draw

    def send(self, request: ModelRequest) -> ModelResponse:
        """Return the answer that was kept, free of charge, or ask for one and keep it.

        Raises:
            StorageError: an answer cannot be kept.
            ProviderReply, ProviderError: like the model behind it; nothing is kept of those.
        """
        key = cache_key(self.model_id, request.endpoint, request.body, self._draw)
        path = self._folder / key[:2] / f"{key}.json"
        kept = _read(path)
        if kept is not None:
            return answered(kept, request)
        response = self._inner.send(request)
        if response.chunks is not None:
            # The body is whole only once the stream was read.
            response.chunks = iter(list(response.chunks))
        if is_worth_keeping(response.body):
            _write(path, response.body)
        return response

    def close(self) -> None:
        """Close the model behind it."""
        self._inner.close()


def _read(path: Path) -> dict[str, Any] | None:
    try:
        body = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None  # not there, or damaged: it is asked for again
    return body if isinstance(body, dict) and is_worth_keeping(body) else None


def _write(path: Path, body: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fd, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(fd, "w", encoding="utf-8") as stream:
            json.dump(body, stream)
        Path(name).replace(path)
    except OSError as error:
        raise StorageError(f"{path}: an answer cannot be kept; {error.strerror}") from error
