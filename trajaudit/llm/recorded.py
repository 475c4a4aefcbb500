"""Answers from a cassette: a recorded request and its answer a line, replayed without a network."""

import hashlib
import json
import threading
from collections import defaultdict, deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from trajaudit.errors import ProviderError, UsageError
from trajaudit.llm.base import ChatModel, Endpoint, ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.stream import to_chunks

Policy = Literal["strict", "fifo"]
VOLATILE = frozenset(
    {"model", "stream", "stream_options", "user", "metadata", "store"}
    | {"prompt_cache_key", "safety_identifier", "service_tier"}
)
"""Fields that change nothing about what is asked; `model` is the cassette's own name on replay."""


def request_key(endpoint: Endpoint, body: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what is asked, the same however the request is written."""
    asked = {key: _plain(value) for key, value in body.items() if key not in VOLATILE}
    text = json.dumps([endpoint, asked], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Write a whole number without a decimal point: a temperature of 1 and one of 1.0 are one."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def open_recorded(model_id: str, name: str, _options: object = None) -> "RecordedModel":
    """Open `recorded/<path>`, with `?fifo` at its end for answers in the order of the cassette.

    Raises:
        UsageError: the cassette cannot be read; a faulty line is named.
    """
    path, _, policy = name.partition("?")
    if policy not in ("", "strict", "fifo"):
        raise UsageError(f"unknown policy {policy!r} of {model_id}; known: fifo, strict")
    lines = _read(Path(path))
    return RecordedModel(model_id, lines, policy="fifo" if policy == "fifo" else "strict")


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the cassette {path}: {error}") from error
    return [_entry(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _entry(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{path}:{number}: not JSON: {error}") from error
    if not isinstance(entry, dict) or not {"endpoint", "request"} <= entry.keys():
        raise UsageError(f"{path}:{number}: a line holds endpoint, request and response or error")
    if isinstance(entry.get("response"), dict) == isinstance(entry.get("error"), dict):
        raise UsageError(f"{path}:{number}: a line holds either a response or an error")
    return entry


class RecordedModel:
    """Replays a cassette. `strict`: an answer to the same request, each once, in their order;
    `fifo`: the next answer, whatever is asked. What is not there is refused. Thread-safe.
    """

    family = "recorded"
    endpoints: frozenset[Endpoint] = frozenset({"chat", "responses"})

    def __init__(
        self, model_id: str, entries: list[dict[str, Any]], *, policy: Policy = "strict"
    ) -> None:
        self.model_id = model_id
        self._policy = policy
        self._lock = threading.Lock()
        self._left: dict[str, deque[dict[str, Any]]] = defaultdict(deque)
        for entry in entries:
            self._left[self._place(entry["endpoint"], entry["request"])].append(entry)
        self._size = len(entries)

    def send(self, request: ModelRequest) -> ModelResponse:
        """Return the recorded answer.

        Raises:
            ProviderReply: the recorded answer is an error.
            ProviderError: the cassette holds no answer, or none any more.
        """
        place = self._place(request.endpoint, request.body)
        with self._lock:
            left = self._left.get(place)
            entry = left.popleft() if left else None
        if entry is None:
            why = "no answer is left" if left is not None else "it holds no such request"
            text = f"{self.model_id}: {why} (policy {self._policy}, {self._size} recorded)"
            raise ProviderError(text)
        if "error" in entry:
            error = entry["error"]
            raise ProviderReply(error["status"], error["body"], error.get("code"))
        return answered(entry["response"], request)

    def close(self) -> None:
        """Nothing was started."""

    def _place(self, endpoint: Endpoint, body: Mapping[str, Any]) -> str:
        return "" if self._policy == "fifo" else request_key(endpoint, body)


def answered(body: dict[str, Any], request: ModelRequest) -> ModelResponse:
    """Return a whole answer as one that was asked for: streamed or not, free of charge."""
    asked = (request.body.get("stream_options") or {}).get("include_usage")
    chunks = to_chunks(body, request.endpoint, usage=bool(asked)) if request.stream else None
    return ModelResponse(
        body=body, chunks=None if chunks is None else iter(chunks), cost_usd=0.0, ttft_s=None
    )


class RecordingModel:
    """Passes requests on and appends each one with its answer to a cassette. Thread-safe."""

    def __init__(self, inner: ChatModel, path: Path) -> None:
        self.model_id = inner.model_id
        self.family = inner.family
        self.endpoints = inner.endpoints
        self._inner = inner
        self._path = path
        self._lock = threading.Lock()

    def send(self, request: ModelRequest) -> ModelResponse:
        """Answer through the inner model; errors of a request are recorded, failures are not."""
        try:
            response = self._inner.send(request)
        except ProviderReply as reply:
            error = {"status": reply.status, "body": reply.body, "code": reply.code}
            self._append(request, {"error": error})
            raise
        if response.chunks is not None:
            # The body is whole only once the stream was read.
            response.chunks = iter(list(response.chunks))
        self._append(request, {"response": response.body})
        return response

    def close(self) -> None:
        """Close the inner model."""
        self._inner.close()

    def _append(self, request: ModelRequest, outcome: dict[str, Any]) -> None:
        entry = {
            "key": request_key(request.endpoint, request.body),
            "endpoint": request.endpoint,
            "request": dict(request.body),
            **outcome,
        }
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(line)
