"""Any provider that speaks OpenAI's API; the only module that imports `openai`.

Deliberate: request and response bodies pass through as they are, unknown fields included, and
retries are ours, so that each one is recorded. An answer is read to its end before it is given
on, streamed or not: a connection that breaks in the middle is repeated, not blamed on the agent.
"""

import contextlib
import json
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import httpx2
import openai

from trajaudit.datamodel.event import Retry
from trajaudit.errors import ProviderError
from trajaudit.llm.base import Endpoint, ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.deadline import bound, until
from trajaudit.llm.options import ModelOptions
from trajaudit.llm.pace import Gate, retry_after_s
from trajaudit.llm.price import cost_usd
from trajaudit.llm.shape import embedded_status, error_code, fault_of, refuses_stream_options
from trajaudit.llm.stream import (
    Chunk,
    CutStreamError,
    assemble,
    parse_chunk,
    split_lines,
    sse_data,
    without_usage_chunks,
)

PATHS: dict[Endpoint, str] = {"chat": "/chat/completions", "responses": "/responses"}
MAX_ANSWER_BYTES = 64_000_000
EXCERPT = 200
RETRIED_STATUS = frozenset({408, 409, 425, 429})
OURS = frozenset({401, 402, 403, 404, 405, 407})
"""4xx that say something about the configuration (key, credit, name), nothing about the request."""


class _FailedAttempt(Exception):  # noqa: N818 (a step of the retry loop, never seen outside)
    """One attempt brought no answer; the next may."""

    def __init__(
        self,
        error: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        final: bool = False,
    ) -> None:
        self.error = error
        self.status = status
        self.retry_after_s = retry_after_s
        self.final = final
        super().__init__(error)


@dataclass(kw_only=True)
class _Reading:
    """An answer while it is read."""

    deadline: float
    ttft_s: float | None = None
    chunks: list[Chunk] = field(default_factory=list)
    done: bool = False


class OpenAIModel:
    """A model behind `/chat/completions` and `/responses`. Safe to call from several threads."""

    endpoints: frozenset[Endpoint] = frozenset({"chat", "responses"})

    def __init__(
        self,
        model_id: str,
        *,
        family: str,
        base_url: str,
        api_key: str,
        options: ModelOptions,
        trust_env: bool = True,
    ) -> None:
        self.model_id = model_id
        self.family = family
        self._options = options
        self._secrets = [secret for secret in (api_key, *options.headers.values()) if secret]
        self._gate = Gate(options.concurrency, max(options.concurrency, options.max_concurrency))
        self._rng = random.Random()
        self._closed = threading.Event()
        # A redirect would lead to a host that nobody configured.
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=32)
        self._client = openai.OpenAI(
            base_url=base_url,
            api_key=api_key or "none",
            max_retries=0,
            default_headers=dict(options.headers),
            http_client=bound(
                httpx2.Client(trust_env=trust_env, follow_redirects=False, limits=limits)
            ),
        )

    def send(self, request: ModelRequest) -> ModelResponse:
        """Answer one request, retrying what a retry can mend.

        Raises:
            ProviderReply: an error that belongs to the request.
            ProviderError: the provider failed for good, or sent garbage.
        """
        policy = self._options.retry
        retries: list[Retry] = []
        for number in range(1, policy.attempts + 1):
            if number > 1:
                self._options.before_retry()
            try:
                response = self._attempt(request)
            except _FailedAttempt as failed:
                if failed.final or number == policy.attempts:
                    raise self._given_up(failed, number) from None
                wait_s = policy.wait_s(number, failed.retry_after_s, self._rng)
                retries.append(Retry(status=failed.status, wait_s=wait_s, error=failed.error))
                if self._closed.wait(wait_s):
                    raise self._given_up(failed, number) from None
            else:
                response.retries = retries
                return response
        raise AssertionError("the last attempt either returned or raised")

    def close(self) -> None:
        """Wake whoever waits and drop the connections; safe to call twice."""
        self._closed.set()
        self._gate.close()
        self._client.close()

    def _given_up(self, failed: _FailedAttempt, attempts: int) -> ProviderError:
        often = "1 attempt" if attempts == 1 else f"{attempts} attempts"
        text = f"{self.model_id}: {failed.error} (after {often})"
        return ProviderError(text, status=failed.status)

    def _attempt(self, request: ModelRequest) -> ModelResponse:
        with self._gate.slot() as since:
            try:
                response = self._ask(request)
            except _FailedAttempt as failed:
                if failed.status == 429:
                    self._gate.throttled(since)
                raise
            self._gate.succeeded()
            return response

    def _ask(self, request: ModelRequest) -> ModelResponse:
        started = time.monotonic()
        timeout_s = min(request.timeout_s, self._options.timeout_s)
        reading = _Reading(deadline=started + timeout_s)
        body = dict(request.body)
        if request.stream:
            body["stream"] = True
            if request.endpoint == "chat":
                # Without it a streamed answer has no usage, and the trial no token count.
                body["stream_options"] = {
                    **(body.get("stream_options") or {}),
                    "include_usage": True,
                }
        with until(reading.deadline):
            try:
                answer = self._post(request, body, timeout_s, reading)
            except ProviderReply as reply:
                if not (request.stream and refuses_stream_options(reply.body)):
                    raise
                body.pop("stream_options", None)
                answer = self._post(request, body, timeout_s, reading)
        self._check(answer, request.endpoint)
        return ModelResponse(
            body=answer,
            chunks=self._chunks(request, reading),
            latency_s=time.monotonic() - started,
            ttft_s=None if reading.ttft_s is None else reading.ttft_s - started,
            cost_usd=cost_usd(answer.get("usage"), self._options.price),
        )

    def _chunks(self, request: ModelRequest, reading: _Reading) -> Iterator[Chunk] | None:
        if not request.stream:
            return None
        asked = (request.body.get("stream_options") or {}).get("include_usage")
        chat = request.endpoint == "chat"
        return iter(without_usage_chunks(reading.chunks) if chat and not asked else reading.chunks)

    def _post(
        self, request: ModelRequest, body: Chunk, timeout_s: float, reading: _Reading
    ) -> dict[str, Any]:
        try:
            opened = self._client.post(
                PATHS[request.endpoint],
                cast_to=httpx2.Response,
                body=body,
                options={"timeout": timeout_s},
                stream=True,
                stream_cls=openai.Stream[object],
            )
            # With this `cast_to` the client returns the response unread, whatever its signature.
            response = cast("httpx2.Response", opened)
            with contextlib.closing(response):
                if request.stream:
                    return self._read_stream(response, request.endpoint, reading)
                return self._read_whole(response, reading)
        except openai.APIStatusError as error:
            raise self._refused(error.status_code, error.response) from None
        except (openai.APITimeoutError, httpx2.TimeoutException):
            raise _FailedAttempt(f"no answer within {timeout_s:g} s") from None
        except (openai.APIConnectionError, httpx2.HTTPError, httpx2.StreamError) as error:
            cause = error.__cause__ or error
            raise _FailedAttempt(self._clean(f"no connection: {cause}")) from None

    def _read_whole(self, response: httpx2.Response, reading: _Reading) -> dict[str, Any]:
        received = b"".join(self._pieces(response, reading))
        try:
            body = json.loads(received)
        except ValueError:
            what = self._excerpt(received)
            raise _FailedAttempt(f"not JSON: {what}", status=response.status_code) from None
        return body if isinstance(body, dict) else {"error": f"not an object: {str(body)[:80]}"}

    def _read_stream(
        self, response: httpx2.Response, endpoint: Endpoint, reading: _Reading
    ) -> dict[str, Any]:
        reading.chunks.clear()
        try:
            for data in sse_data(split_lines(self._pieces(response, reading))):
                if data.strip() == "[DONE]":
                    reading.done = True
                    break
                chunk = parse_chunk(data)
                reading.ttft_s = reading.ttft_s or time.monotonic()
                reading.chunks.append(chunk)
                if chunk.get("error"):
                    return chunk
            return assemble(reading.chunks, endpoint, done=reading.done)
        except CutStreamError as error:
            raise _FailedAttempt(self._clean(str(error)), status=response.status_code) from None

    def _pieces(self, response: httpx2.Response, reading: _Reading) -> Iterator[bytes]:
        size = 0
        for piece in response.iter_bytes():
            size += len(piece)
            if time.monotonic() > reading.deadline:
                raise _FailedAttempt("the answer was not whole within its time-out")
            if size > MAX_ANSWER_BYTES:
                raise _FailedAttempt(f"an answer of more than {MAX_ANSWER_BYTES} bytes", final=True)
            yield piece

    def _check(self, body: dict[str, Any], endpoint: Endpoint) -> None:
        fault = fault_of(body, endpoint)
        if fault is None:
            return
        status = embedded_status(body)
        if status is not None:
            raise self._judged(status, body, json.dumps(body), None)
        raise _FailedAttempt(f"{fault}: {self._excerpt(json.dumps(body).encode())}", status=200)

    def _refused(self, status: int, response: httpx2.Response) -> Exception:
        text = response.content.decode(errors="backslashreplace")
        try:
            body = json.loads(text)
        except ValueError:
            body = None
        wait_s = retry_after_s(response.headers)
        return self._judged(status, body, text, wait_s)

    def _judged(self, status: int, body: Any, text: str, wait_s: float | None) -> Exception:
        """Decide whose an error is: the request's, the configuration's, or a passing one."""
        error = f"status {status}: {self._excerpt(text.encode())}"
        code = error_code(body) if isinstance(body, dict) else None
        if status in RETRIED_STATUS or status >= 500:
            empty = code == "insufficient_quota"
            return _FailedAttempt(error, status=status, retry_after_s=wait_s, final=empty)
        if status in OURS or status < 400:
            return _FailedAttempt(error, status=status, final=True)
        shown = (
            body if isinstance(body, dict) else {"error": {"message": self._excerpt(text.encode())}}
        )
        return ProviderReply(status, json.loads(self._clean(json.dumps(shown))), code)

    def _excerpt(self, data: bytes) -> str:
        text = self._clean(" ".join(data.decode(errors="backslashreplace").split()))
        if not text:
            return "nothing at all"
        return text if len(text) <= EXCERPT else text[:EXCERPT] + "..."

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            if len(secret) > 3:
                text = text.replace(secret, "[secret]")
        return text
