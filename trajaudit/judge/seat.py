"""One judge at work: notes beforehand, then its vote in one order; nothing is asked for twice."""

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trajaudit.datamodel.judged import Commitment
from trajaudit.datamodel.judging import Judge, Rubric, Vote
from trajaudit.judge.ballot import Ballot, read_ballot
from trajaudit.judge.commit import (
    Commission,
    Notes,
    denies_reference,
    messages_of,
    notes_schema,
    read_notes,
    shown_again,
)
from trajaudit.judge.notebook import text_sha256
from trajaudit.judge.prompt import Order, Prompt, pointwise, reply_schema
from trajaudit.judge.talk import Talk, asked
from trajaudit.judge.view import View
from trajaudit.llm import provider_name
from trajaudit.llm.base import ChatModel, ModelRequest, ModelResponse
from trajaudit.llm.cache import CachedModel, cache_key
from trajaudit.record.judged import VoteLedger

DEAD_AFTER = 3
"""Failures of a provider in a row; then it is not asked any more in this run."""
NOTES_TOKENS = 512
"""At most, of the notes on one task."""


@dataclass(frozen=True)
class Item:
    """One trial as it is put to judges."""

    task_id: str
    trial: int
    view: View
    agent_family: str = ""
    lenient: bool | None = None
    commission: Commission | None = None
    """What judges make notes on beforehand; None: they make none."""


@dataclass
class Seat:
    """A judge with its model. Thread-safe."""

    judge: Judge
    model: ChatModel
    family: str
    cache: Path | None = None
    ledger: VoteLedger | None = None
    """Where votes are written as they come, and found that were cast before."""
    address: str = ""
    """Where the model is asked, where neither its name nor its `base_url` says so."""
    _failures: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def named(self) -> str:
        """Which model at which address: one's answers are no other's."""
        model, at = self.place
        return f"{model}@{at}" if at else model

    @property
    def place(self) -> tuple[str, str]:
        """The model's name and its address; empty where the name alone says where it is."""
        return self.judge.model, self.judge.base_url or self.address

    @property
    def is_dead(self) -> bool:
        """Whether its provider failed so often that asking is no use."""
        return self._failures >= DEAD_AFTER

    def ask(
        self,
        item: Item,
        rubric: Rubric,
        template: str,
        *,
        seed: int,
        order: Order,
        replicate: int,
        notes: str = "",
    ) -> Vote:
        """Return the judge's vote; a provider's failure is one of its statuses.

        `notes`: its own on the task. Raises BudgetSpentError: nothing more may be sent.
        """
        salt = f"{seed}\0{item.task_id}\0{item.trial}\0{self.family}"
        again = shown_again(notes) if notes else ""
        prompt = pointwise(rubric, template, item.view, seed=salt, order=order, notes=again)
        options = self._options(prompt, rubric, order, replicate)
        body = {"messages": list(prompt.messages), **options}
        request = cache_key(self.named, "chat", body, replicate)
        known = self.ledger.find(item.task_id, item.trial, request) if self.ledger else None
        if known is not None:
            return known
        sent = Sent(self.model, self.named)
        talk = self._talk(sent, replicate, options)
        ballot = asked(
            talk,
            prompt.messages,
            lambda text, why: read_ballot(text, rubric, item.view.texts, why),
            lambda status, note: Ballot(status, note=note),
        )
        cast = self._cast(item, prompt, ballot, talk, kept=sent.calls == 0)
        own = text_sha256(notes) if notes else None
        place = {"rubric": rubric.name, "order": order, "replicate": replicate}
        question = {"request_sha256": request, "notes_sha256": own}
        vote = cast.model_copy(update={**place, **question})
        if self.ledger is not None:
            self.ledger.add(vote)
        return vote

    def _cast(self, item: Item, prompt: Prompt, ballot: Ballot, talk: Talk, *, kept: bool) -> Vote:
        """Return a vote without what its question was."""
        return Vote(
            task_id=item.task_id,
            trial=item.trial,
            rubric="",
            judge=self.judge.model,
            family=self.family,
            order=1,
            status=ballot.status,
            overall=ballot.overall,
            criteria=ballot.criteria,
            conflicts=ballot.conflicts,
            note=ballot.note,
            cached=bool(talk.raw) and kept,
            raw=tuple(talk.raw),
            shown=prompt.shown,
            view_sha256=item.view.sha256,
            view_chars=len(item.view.untrusted),
            prompt_sha256=prompt.sha256,
            prompt_tokens=talk.prompt_tokens,
            completion_tokens=talk.completion_tokens,
            cost_usd=talk.cost_usd,
        )

    def commit(self, commission: Commission, template: str) -> Commitment:
        """Return the judge's notes on a task; it is shown no attempt.

        Raises:
            BudgetSpentError: nothing more may be sent.
        """
        options: dict[str, Any] = {
            "max_tokens": min(NOTES_TOKENS, self.judge.max_tokens),
            "temperature": 0,
        }
        if self.judge.structured:
            options["response_format"] = _schema("notes", notes_schema())
        sent = Sent(self.model, self.named)
        talk = self._talk(sent, 1, options)
        notes = asked(
            talk,
            messages_of(commission, template),
            read_notes,
            lambda status, note: Notes(status, note=note),
        )
        return Commitment(
            task_id=commission.task.id,
            judge=self.judge.model,
            address=self.place[1],
            family=self.family,
            status=notes.status,
            text=notes.text,
            answer=notes.answer,
            denies_reference=denies_reference(commission.task, notes.answer),
            note=notes.note,
            cached=bool(talk.raw) and sent.calls == 0,
            raw=tuple(talk.raw),
            task_sha256=commission.sha256,
            prompt_sha256=text_sha256(template),
            prompt_tokens=talk.prompt_tokens,
            completion_tokens=talk.completion_tokens,
            cost_usd=talk.cost_usd,
        )

    def _talk(self, sent: "Sent", replicate: int, options: dict[str, Any]) -> Talk:
        return Talk(
            self._drawn(sent, replicate),
            provider_name(self.judge.model),
            options,
            lambda failed: self.note_failure(failed=failed),
            timeout_s=self.judge.timeout_s,
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
            schema = reply_schema(rubric, order, prompt.shown, brief=self.judge.brief)
            options["response_format"] = _schema("ballot", schema)
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

    def __init__(self, inner: ChatModel, named: str) -> None:
        self.model_id = named
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


def _schema(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema}}
