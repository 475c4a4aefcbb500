"""One judge asked about two trials in one order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.datamodel.pairwise import PairRubric, PairVote, Side
from trajaudit.judge.commit import Commission, shown_again
from trajaudit.judge.notebook import text_sha256
from trajaudit.judge.pairwise_prompt import PairPrompt, pair_schema, pairwise
from trajaudit.judge.pairwise_reply import PairBallot, read_pair
from trajaudit.judge.prompt import Order
from trajaudit.judge.seat import Seat, Sent
from trajaudit.judge.talk import Talk, asked
from trajaudit.judge.view import View
from trajaudit.llm import provider_name
from trajaudit.llm.base import ChatModel
from trajaudit.llm.cache import CachedModel


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two trials of one task as they are put to judges."""

    task_id: str
    trial: int
    views: Mapping[Side, View]
    families: frozenset[str] = frozenset()
    """Of the two agents' models."""
    ruled: tuple[bool | None, bool | None] = (None, None)
    commission: Commission | None = None
    """What judges make notes on beforehand; None: they make none."""

    @property
    def fits(self) -> bool:
        """Whether both can be shown."""
        return all(view.fits for view in self.views.values())


@dataclass(frozen=True, kw_only=True)
class Cell:
    """Which order, and which draw of it."""

    seed: int
    order: Order
    replicate: int
    notes: str = ""
    """The judge's own on the task, made before it saw an attempt."""


def ask_pair(seat: Seat, pair: Pair, rubric: PairRubric, template: str, cell: Cell) -> PairVote:
    """Return the judge's vote; a provider's failure is one of its statuses.

    Raises:
        BudgetSpentError: nothing more may be sent.
    """
    salt = f"{cell.seed}\0{pair.task_id}\0{pair.trial}\0{seat.family}"
    again = shown_again(cell.notes) if cell.notes else ""
    prompt = pairwise(rubric, template, pair.views, seed=salt, order=cell.order, notes=again)
    sent = Sent(seat.model, seat.named)
    talk = _talk(seat, sent, prompt, cell)
    texts = {side: view.texts for side, view in pair.views.items()}
    ballot = asked(
        talk,
        prompt.messages,
        lambda text, why: read_pair(text, rubric, texts, prompt.sides, why),
        lambda status, note: PairBallot(status, note=note),
    )
    return PairVote(
        task_id=pair.task_id,
        trial=pair.trial,
        rubric=rubric.name,
        judge=seat.judge.model,
        family=seat.family,
        order=cell.order,
        replicate=cell.replicate,
        first=prompt.sides["A"],
        **vars(ballot),
        cached=bool(talk.raw) and sent.calls == 0,
        raw=tuple(talk.raw),
        shown=prompt.shown,
        views_sha256=(pair.views["a"].sha256, pair.views["b"].sha256),
        prompt_sha256=prompt.sha256,
        notes_sha256=text_sha256(cell.notes) if cell.notes else None,
        prompt_tokens=talk.prompt_tokens,
        completion_tokens=talk.completion_tokens,
        cost_usd=talk.cost_usd,
    )


def _talk(seat: Seat, sent: Sent, prompt: PairPrompt, cell: Cell) -> Talk:
    model: ChatModel = sent
    if seat.cache is not None:
        model = CachedModel(sent, seat.cache, draw=cell.replicate)
    return Talk(
        model=model,
        name=provider_name(seat.judge.model),
        options=_options(seat, prompt, cell),
        failed=lambda failed: seat.note_failure(failed=failed),
        timeout_s=seat.judge.timeout_s,
    )


def _options(seat: Seat, prompt: PairPrompt, cell: Cell) -> dict[str, Any]:
    options: dict[str, Any] = {"max_tokens": seat.judge.max_tokens}
    if cell.replicate == 1:
        options["temperature"] = 0
    if seat.judge.structured:
        schema = {
            "name": "preference",
            "schema": pair_schema(cell.order, prompt.shown, brief=seat.judge.brief),
        }
        options["response_format"] = {"type": "json_schema", "json_schema": schema}
    return options


def is_heard(vote: PairVote) -> bool:
    """Whether there was a reply at all."""
    return vote.status is not ReplyStatus.PROVIDER_FAILED
