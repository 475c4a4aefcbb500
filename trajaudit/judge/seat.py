"""One judge at work: asks in one order, reads the reply, asks once again where it was no use."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trajaudit.datamodel.judging import Judge, ReplyStatus, Rubric, Vote
from trajaudit.errors import ProviderError
from trajaudit.judge.ballot import Ballot, read_ballot
from trajaudit.judge.meter import tokens_of
from trajaudit.judge.prompt import Order, Prompt, pointwise, reply_schema
from trajaudit.judge.view import View
from trajaudit.llm import provider_name
from trajaudit.llm.base import ChatModel, ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.cache import CachedModel

DEAD_AFTER = 3
"""Failures of a provider in a row; then it is not asked any more in this run."""
_AGAIN = (
    "Your reply could not be used: {note}. Reply again with one JSON object in the form that was "
    "asked for, and nothing else."
)


@dataclass(frozen=True)
class Item:
    """One trial as it is put to judges."""

    task_id: str
    trial: int
    view: View
    agent_family: str = ""
    lenient: bool | None = None


@dataclass
class Seat:
    """A judge with its model. Thread-safe."""

    judge: Judge
    model: ChatModel
    family: str
    cache: Path | None = None
    _failures: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def is_dead(self) -> bool:
        """Whether its provider failed so often that asking is no use."""
        return self._failures >= DEAD_AFTER

    def ask(
        self, item: Item, rubric: Rubric, template: str, *, seed: int, order: Order, replicate: int
    ) -> Vote:
        """Return the judge's vote; a provider's failure is one of its statuses.

        Raises:
            BudgetSpentError: nothing more may be sent.
        """
        salt = f"{seed}\0{item.task_id}\0{item.trial}\0{self.family}"
        prompt = pointwise(rubric, template, item.view, seed=salt, order=order)
        sent = Sent(self.model)
        talk = _Talk(
            self,
            self._drawn(sent, replicate),
            prompt,
            self._options(prompt, rubric, order, replicate),
        )
        ballot = _asked(talk, lambda text, why: read_ballot(text, rubric, item.view.texts, why))
        return Vote(
            task_id=item.task_id,
            trial=item.trial,
            rubric=rubric.name,
            judge=self.judge.model,
            family=self.family,
            order=order,
            replicate=replicate,
            status=ballot.status,
            overall=ballot.overall,
            criteria=ballot.criteria,
            conflicts=ballot.conflicts,
            note=ballot.note,
            cached=bool(talk.raw) and sent.calls == 0,
            raw=tuple(talk.raw),
            shown=prompt.shown,
            view_sha256=item.view.sha256,
            prompt_sha256=prompt.sha256,
            prompt_tokens=talk.prompt_tokens,
            completion_tokens=talk.completion_tokens,
            cost_usd=talk.cost_usd,
        )

    def _drawn(self, sent: "Sent", replicate: int) -> ChatModel:
        return sent if self.cache is None else CachedModel(sent, self.cache, draw=replicate)

    def _options(
        self, prompt: Prompt, rubric: Rubric, order: Order, replicate: int
    ) -> dict[str, Any]:
        options: dict[str, Any] = {"max_tokens": self.judge.max_tokens}
        if replicate == 1:
            options["temperature"] = 0
        if self.judge.structured:
            schema = {"name": "ballot", "schema": reply_schema(rubric, order, prompt.shown)}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        return options

    def note_failure(self, *, failed: bool) -> None:
        """Count failures in a row."""
        with self._lock:
            self._failures = self._failures + 1 if failed else 0

    def close(self) -> None:
        """Close the model."""
        self.model.close()


class Sent:
    """The model behind a cache, and how often it was really asked for one vote."""

    def __init__(self, inner: ChatModel) -> None:
        self.model_id = inner.model_id
        self.family = inner.family
        self.endpoints = inner.endpoints
        self.calls = 0
        self._inner = inner

    def send(self, request: ModelRequest) -> ModelResponse:
        """Count, and ask."""
        self.calls += 1
        return self._inner.send(request)

    def close(self) -> None:
        """Nothing of its own to stop."""


@dataclass
class _Talk:
    """What was said to one judge about one presentation, and what it took."""

    seat: Seat
    model: ChatModel
    prompt: Prompt
    options: dict[str, Any]
    raw: list[str] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0

    def send(self, messages: list[dict[str, str]]) -> tuple[str, str | None]:
        """Return the text and the reason why it ended."""
        body = {"model": provider_name(self.seat.judge.model), "messages": messages, **self.options}
        response = self._answer(body)
        self.seat.note_failure(failed=False)
        usage = response.body.get("usage") or {}
        self.prompt_tokens += tokens_of(usage, "prompt_tokens")
        self.completion_tokens += tokens_of(usage, "completion_tokens")
        if response.cost_usd is None or self.cost_usd is None:
            self.cost_usd = None
        else:
            self.cost_usd += response.cost_usd
        choices = response.body.get("choices") or [{}]
        message = choices[0].get("message") or {}
        text = message.get("content") or message.get("refusal") or ""
        self.raw.append(text)
        return text, choices[0].get("finish_reason")

    def _answer(self, body: dict[str, Any]) -> ModelResponse:
        try:
            return self.model.send(ModelRequest(endpoint="chat", body=body))
        except ProviderReply as error:
            if error.status != 400 or "response_format" not in body:
                raise
        # Some providers know no schemas: the form is then held by the reader alone.
        self.options.pop("response_format")
        plain = {key: value for key, value in body.items() if key != "response_format"}
        return self.model.send(ModelRequest(endpoint="chat", body=plain))


def _asked(talk: _Talk, read: Callable[[str, str | None], Ballot]) -> Ballot:
    messages = list(talk.prompt.messages)
    try:
        text, why = talk.send(messages)
        ballot = read(text, why)
        if ballot.status.counts or ballot.status is ReplyStatus.REFUSED:
            return ballot
        again = [{"role": "assistant", "content": text}] if text else []
        again.append({"role": "user", "content": _AGAIN.format(note=ballot.note)})
        return read(*talk.send([*messages, *again]))
    except ProviderReply as error:
        refused = error.code in {"content_filter", "content_policy_violation"}
        status = ReplyStatus.REFUSED if refused else ReplyStatus.PROVIDER_FAILED
        return Ballot(status, note=str(error)[:300])
    except ProviderError as error:
        talk.seat.note_failure(failed=True)
        return Ballot(ReplyStatus.PROVIDER_FAILED, note=str(error)[:300])
