"""The way of a model call: limits, parameters, the model, the journal, the answer."""

import copy
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from trajaudit.datamodel.event import ModelCall
from trajaudit.datamodel.scenario import Generation
from trajaudit.errors import ProviderError
from trajaudit.gateway.answer import params, replies, tool_names, usage
from trajaudit.gateway.history import Node
from trajaudit.gateway.item import Item, chat_items, response_items
from trajaudit.gateway.limits import Budget
from trajaudit.gateway.recorder import Recorder
from trajaudit.gateway.refusal import Refused, refused
from trajaudit.gateway.responses import chat_messages, chat_request, response_body
from trajaudit.llm import provider_name
from trajaudit.llm.base import ChatModel, Endpoint, ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.stream import to_chunks

Chunk = dict[str, Any]
CONTEXT_OVERFLOW = "context_length_exceeded"


@dataclass(kw_only=True)
class ModelAnswer:
    """A whole answer, or the chunks of one."""

    body: dict[str, Any] = field(default_factory=dict)
    chunks: Iterator[Chunk] | None = None
    """Read it to its end even when the agent is gone: only then the reply is in the journal."""


@dataclass(kw_only=True)
class _Asked:
    """One call between its request and its answer."""

    endpoint: Endpoint
    """In whose format the agent speaks."""
    request: Mapping[str, Any]
    stream: bool
    node: Node
    rewrites: int | None
    entries: list[Any]
    """Responses: the whole conversation as items."""
    messages: int
    sent: dict[str, Any] = field(default_factory=dict)
    sent_endpoint: Endpoint = "chat"


class ModelPath:
    """Calls the model for the agent of one trial. Thread-safe."""

    def __init__(
        self, model: ChatModel, recorder: Recorder, generation: Generation, budget: Budget
    ) -> None:
        self._model = model
        self._name = provider_name(model.model_id) or model.model_id
        self._recorder = recorder
        self._generation = generation
        self._budget = budget
        self._responses: dict[str, tuple[Node, list[Any]]] = {}
        """Id of an answer → its place, and the conversation up to and with it."""
        self.overflowed = False
        """The provider refused the agent's last request as too long."""

    def check(self, endpoint: Endpoint, body: Mapping[str, Any]) -> None:
        """Refuse a request that is none, before it counts."""
        if endpoint == "chat":
            if not isinstance(body.get("messages"), list):
                raise refused(400, "messages: a list is required")
            if "chat" not in self._model.endpoints:
                raise refused(400, "this model does not answer chat completions; use /v1/responses")
        elif not isinstance(body.get("input"), (str, list)):
            raise refused(400, "input: a text or a list is required")
        previous = body.get("previous_response_id")
        if endpoint == "responses" and previous and previous not in self._responses:
            raise refused(404, f"no response {str(previous)[:100]!r} in this trial")

    def call(
        self, endpoint: Endpoint, body: Mapping[str, Any], *, stream: bool, timeout_s: float
    ) -> ModelAnswer:
        """Ask the model.

        Raises:
            Refused: the provider's own refusal, or a request that cannot be converted.
            ProviderError: the model failed for good.
        """
        asked = self._begin(endpoint, body, stream=stream)
        try:
            response = self._send(asked, timeout_s)
        except BaseException:
            self._recorder.answered(asked.node)
            raise
        if response.chunks is None or response.body:
            self._finish(asked, response)
            return self._given(asked, response)
        return ModelAnswer(chunks=self._forwarded(asked, response))

    def _begin(self, endpoint: Endpoint, body: Mapping[str, Any], *, stream: bool) -> _Asked:
        start: Node | None = None
        entries: list[Any] = []
        if endpoint == "chat":
            items = chat_items(body["messages"])
        else:
            given = body["input"]
            entries = [{"role": "user", "content": given}] if isinstance(given, str) else given
            items = response_items(entries)
            start, earlier = self._responses.get(body.get("previous_response_id") or "", (None, []))
            entries = [*earlier, *entries]
            if body.get("instructions") and start is None:
                items = [Item(role="system", content=str(body["instructions"])), *items]
        node, rewrites = self._recorder.request(items, start)
        return _Asked(
            endpoint=endpoint,
            request=body,
            stream=stream,
            node=node,
            rewrites=rewrites,
            entries=entries,
            messages=len(items),
        )

    def _send(self, asked: _Asked, timeout_s: float) -> ModelResponse:
        native = asked.endpoint in self._model.endpoints
        asked.sent_endpoint = asked.endpoint if native else "chat"
        asked.sent = dict(asked.request) if native else self._as_chat(asked)
        asked.sent.pop("stream", None)
        if not asked.stream:
            asked.sent.pop("stream_options", None)
        asked.sent["model"] = self._name
        self._override(asked.sent, asked.sent_endpoint)
        request = ModelRequest(
            endpoint=asked.sent_endpoint,
            body=asked.sent,
            stream=asked.stream and native,
            timeout_s=timeout_s,
        )
        self.overflowed = False
        try:
            return self._model.send(request)
        except ProviderReply as reply:
            self.overflowed = reply.code == CONTEXT_OVERFLOW
            self._failed(asked, str(reply), reply.status)
            raise Refused(reply.status, reply.body) from None
        except ProviderError as error:
            self._failed(asked, str(error), error.status)
            raise

    def _as_chat(self, asked: _Asked) -> dict[str, Any]:
        try:
            messages, left_out = chat_messages(asked.entries)
            if asked.request.get("instructions"):
                instructions = {"role": "system", "content": asked.request["instructions"]}
                messages = [instructions, *messages]
            body, more = chat_request(asked.request, messages)
        except (AttributeError, KeyError, TypeError) as error:
            # The agent's JSON has another shape than the format says; nothing else can be told.
            raise refused(400, f"not a request in the format of Responses: {error}") from None
        for what in sorted({*left_out, *more}):
            self._recorder.warn("left_out", f"{what}: the model answers chat completions only")
        return body

    def _override(self, body: dict[str, Any], endpoint: Endpoint) -> None:
        wanted = self._generation.model_dump(exclude_none=True)
        most = wanted.pop("max_tokens", None)
        if endpoint == "responses":
            wanted = {key: wanted[key] for key in ("temperature", "top_p") if key in wanted}
        if most is not None:
            name = "max_output_tokens" if endpoint == "responses" else "max_tokens"
            name = "max_completion_tokens" if "max_completion_tokens" in body else name
            body[name] = most
        if "stop" in wanted:
            wanted["stop"] = list(wanted["stop"])
        body.update(wanted)

    def _forwarded(self, asked: _Asked, response: ModelResponse) -> Iterator[Chunk]:
        """Pass chunks on as they come, the last ones not before the answer is in the journal: an
        agent acts on them at once.
        """
        held: list[Chunk] = []
        try:
            for chunk in response.chunks or ():
                if held or _is_last(chunk):
                    held.append(chunk)
                elif _wanted(asked.request, chunk):
                    yield chunk
        except ProviderError as error:
            self._recorder.answered(asked.node)
            self._failed(asked, str(error), error.status)
            raise
        self._finish(asked, response)
        yield from (chunk for chunk in held if _wanted(asked.request, chunk))

    def _finish(self, asked: _Asked, response: ModelResponse) -> None:
        self._recorder.answered(asked.node)
        body = response.body
        told = usage(body)
        self._budget.spend(told, response.cost_usd)
        found = replies(asked.sent_endpoint, body)
        event = self._event(asked).model_copy(
            update={
                "finish_reason": found[0].finish_reason if found else None,
                "usage": told,
                "cost_usd": response.cost_usd,
                "latency_s": round(response.latency_s, 6),
                "ttft_s": response.ttft_s,
                "retries": tuple(response.retries),
            }
        )
        seq = self._recorder.append(event)
        node = asked.node
        for reply in found:
            node = self._recorder.model_reply(
                asked.node,
                reply.items,
                model_call=seq,
                finish_reason=reply.finish_reason,
                rewrites=asked.rewrites,
            )
        if asked.endpoint == "responses":
            if asked.sent_endpoint == "chat":
                response.body = response_body(body, asked.request)
            entries = [*asked.entries, *copy.deepcopy(response.body.get("output") or [])]
            self._responses[str(response.body.get("id"))] = (node, entries)

    def _given(self, asked: _Asked, response: ModelResponse) -> ModelAnswer:
        if not asked.stream:
            return ModelAnswer(body=response.body)
        chunks = response.chunks or iter(to_chunks(response.body, asked.endpoint))
        return ModelAnswer(chunks=(one for one in chunks if _wanted(asked.request, one)))

    def _failed(self, asked: _Asked, error: str, status: int | None) -> None:
        event = self._event(asked)
        self._recorder.append(event.model_copy(update={"error": error[:2000], "status": status}))

    def _event(self, asked: _Asked) -> ModelCall:
        text = json.dumps(asked.sent, sort_keys=True)
        return ModelCall(
            model_id=self._model.model_id,
            endpoint=asked.endpoint,
            streamed=asked.stream,
            params=params(asked.sent),
            request_sha256=hashlib.sha256(text.encode()).hexdigest(),
            messages=asked.messages,
            tools=tool_names(asked.sent),
        )


def _wanted(request: Mapping[str, Any], chunk: Mapping[str, Any]) -> bool:
    """A chunk that holds usage only makes an agent stumble that did not ask for it."""
    if chunk.get("choices") or "usage" not in chunk:
        return True
    options = request.get("stream_options")
    return isinstance(options, Mapping) and bool(options.get("include_usage"))


def _is_last(chunk: Mapping[str, Any]) -> bool:
    if str(chunk.get("type", "")) in (
        "response.completed",
        "response.incomplete",
        "response.failed",
    ):
        return True
    choices = chunk.get("choices") or ()
    return any(isinstance(one, Mapping) and one.get("finish_reason") for one in choices)
