"""Answers from a script: a list of replies, for tests and for trying a scenario out."""

import hashlib
import itertools
import json
import re
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, JsonValue, TypeAdapter, ValidationError, field_validator

from trajaudit.datamodel._base import Record
from trajaudit.errors import ProviderError, UsageError
from trajaudit.llm.answers import chat_body, last_text, responses_body, turns
from trajaudit.llm.base import Endpoint, ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.recorded import answered
from trajaudit.llm.shape import error_code


class ScriptedError(Record):
    """An error in place of an answer: 4xx belong to the request, others are failures."""

    status: int = Field(ge=400, le=599)
    message: str = "scripted"
    code: str | None = None


class Reply(Record):
    """One answer of the script."""

    text: str | None = None
    tool_calls: tuple[dict[str, JsonValue], ...] = ()
    """`{tool: {arguments}}`; a string instead of the arguments is sent as raw text."""
    finish_reason: str | None = None
    """None: `tool_calls` or `stop`."""
    error: ScriptedError | None = None
    delay_s: float = Field(default=0.0, ge=0)
    when: str | None = None
    """Only if the last message contains it: case-insensitive text, or `/regex/`."""
    n: int | None = Field(default=None, ge=1)
    """Only as the n-th answer."""
    repeat: bool = False
    """Stands for all further answers too."""

    @field_validator("when")
    @classmethod
    def _is_readable(cls, when: str | None) -> str | None:
        try:
            _contains("", when)
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error
        return when


class Script(Record):
    """The replies, and what is counted: a conversation's answers, or all calls of the model."""

    replies: tuple[Reply, ...] = Field(min_length=1)
    count: Literal["conversation", "calls"] = "conversation"


def open_scripted(model_id: str, name: str, _options: object = None) -> "ScriptedModel":
    """Open `scripted/<path>`: YAML or JSON, a list of replies or `{replies, count}`.

    Raises:
        UsageError: the script cannot be read, or a reply is wrong.
    """
    path = Path(name)
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"cannot read the script {path}: {error}") from error
    try:
        script = TypeAdapter(Script).validate_python(
            {"replies": data} if isinstance(data, list) else data
        )
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        raise UsageError(f"{path}: {'; '.join(faults)}") from error
    return ScriptedModel(script, model_id=model_id)


class ScriptedModel:
    """Answers by the script. Thread-safe.

    Of the replies that fit (`when`, `n`), one with `when` comes first, then one with `n`; the
    plain ones are taken in turn. A conversation's answers are counted from the request itself, so
    trials that run at the same time do not take each other's replies.
    """

    endpoints: frozenset[Endpoint] = frozenset({"chat", "responses"})

    def __init__(
        self,
        script: Script | Sequence[Reply],
        *,
        model_id: str = "scripted/list",
        family: str = "scripted",
    ) -> None:
        self.model_id = model_id
        self.family = family
        self._script = script if isinstance(script, Script) else Script(replies=tuple(script))
        self._calls = itertools.count(1)
        self._lock = threading.Lock()

    def send(self, request: ModelRequest) -> ModelResponse:
        """Answer.

        Raises:
            ProviderReply: the reply is an error of the request.
            ProviderError: the reply is a failure, comes too late, or none is left.
        """
        began = time.monotonic()
        number = self._number(request)
        reply = self._choose(number, last_text(request))
        time.sleep(min(reply.delay_s, request.timeout_s))
        if reply.delay_s > request.timeout_s:
            raise ProviderError(f"{self.model_id}: no answer within {request.timeout_s:g} s")
        if reply.error is not None:
            raise _as_error(self.model_id, reply.error)
        response = answered(_body(reply, request, number), request)
        response.latency_s = time.monotonic() - began
        return response

    def close(self) -> None:
        """Nothing was started."""

    def _number(self, request: ModelRequest) -> int:
        if self._script.count == "conversation":
            return turns(request) + 1
        with self._lock:
            return next(self._calls)

    def _choose(self, number: int, text: str) -> Reply:
        fitting = [
            reply
            for reply in self._script.replies
            if reply.n in (None, number) and _contains(text, reply.when)
        ]
        special = [r for r in fitting if r.when is not None] or [r for r in fitting if r.n]
        if special:
            return special[0]
        plain = [r for r in self._script.replies if r.when is None and r.n is None]
        if number <= len(plain):
            return plain[number - 1]
        if plain and plain[-1].repeat:
            return plain[-1]
        raise ProviderError(f"{self.model_id}: the script has no reply to call {number}")


def _contains(text: str, when: str | None) -> bool:
    if when is None:
        return True
    if len(when) > 1 and when.startswith("/") and when.endswith("/"):
        return re.search(when[1:-1], text) is not None
    return when.casefold() in text.casefold()


def _as_error(model_id: str, error: ScriptedError) -> Exception:
    fails = error.status >= 500 or error.status == 429
    if fails:
        text = f"{model_id}: status {error.status}: {error.message}"
        return ProviderError(text, status=error.status)
    body = {"error": {"message": error.message, "code": error.code}}
    return ProviderReply(error.status, body, error_code(body))


def _body(reply: Reply, request: ModelRequest, number: int) -> dict[str, Any]:
    seen = json.dumps([number, dict(request.body)], sort_keys=True, default=str)
    answer_id = hashlib.sha256(seen.encode()).hexdigest()[:24]
    calls = [
        (f"call_{number}_{index}", name, _arguments(arguments))
        for index, (name, arguments) in enumerate(_pairs(reply.tool_calls), 1)
    ]
    build = responses_body if request.endpoint == "responses" else chat_body
    return build(request, answer_id, reply.text, calls, reply.finish_reason)


def _pairs(calls: Sequence[Mapping[str, JsonValue]]) -> list[tuple[str, JsonValue]]:
    return [(name, arguments) for call in calls for name, arguments in call.items()]


def _arguments(arguments: JsonValue) -> str:
    if isinstance(arguments, str):
        return arguments
    return json.dumps({} if arguments is None else arguments, ensure_ascii=False)
