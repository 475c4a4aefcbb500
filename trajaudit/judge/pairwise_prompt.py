"""The request that a judge gets about two trials, in one of its two orders.

Which trial comes first in order 1 is drawn from what is shown, not from the order in which the runs
were named: A against B asks the same questions as B against A, and no run is favoured by its name.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trajaudit.datamodel.pairwise import PairCriterion, PairRubric, Side
from trajaudit.judge.prompt import Order, fence_nonce, fenced
from trajaudit.judge.view import View

LETTERS = ("A", "B")
CHOICES = ("A", "B", "tie", "cannot_tell")
_HOLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True)
class PairPrompt:
    """What is sent, and which run stands behind which letter."""

    messages: tuple[dict[str, str], ...]
    shown: tuple[str, ...]
    """Ids of the criteria in the order in which they stand."""
    sides: Mapping[str, Side]
    """Letter → run."""
    nonce: str

    @property
    def sha256(self) -> str:
        """Of the messages."""
        return hashlib.sha256(json.dumps(self.messages).encode()).hexdigest()


def pairwise(
    rubric: PairRubric,
    template: str,
    views: Mapping[Side, View],
    *,
    seed: str,
    order: Order,
    notes: str = "",
) -> PairPrompt:
    """Return the prompt for two trials.

    Args:
        rubric: what is asked.
        template: the prompt's text; its placeholders are filled in one pass.
        views: what is shown of the trial of either run; the task is the same.
        seed: of the first order, for example of panel, trial and family.
        order: 1, or 2 for its reverse: trials, criteria and choices the other way round.
        notes: what stands between the task and the trials: the judge's own notes on the task.
    """
    sides = _sides(views, seed, order)
    shown = _permuted(rubric.criteria, seed, order)
    first, second = (views[sides[letter]] for letter in LETTERS)
    both = sorted((first.untrusted, second.untrusted))
    nonce = fence_nonce("\0".join(both), seed)
    values = {
        "nonce": nonce,
        "rubric": rubric.description,
        "criteria": "\n".join(_line(one, rubric, order) for one in shown),
        "contract": _contract(shown, order),
    }
    system = _HOLE.sub(lambda match: values.get(match[1], match[0]), template)
    parts = (
        first.trusted,
        notes,
        f"Trial A:\n{fenced(first.untrusted, nonce)}",
        f"Trial B:\n{fenced(second.untrusted, nonce)}",
    )
    user = "\n\n".join(filter(None, parts))
    messages = ({"role": "system", "content": system}, {"role": "user", "content": user})
    return PairPrompt(messages, tuple(one.id for one in shown), sides, nonce)


def _sides(views: Mapping[Side, View], seed: str, order: Order) -> dict[str, Side]:
    sides: list[Side] = sorted(("a", "b"), key=lambda side: views[side].sha256)
    digest = hashlib.sha256(f"sides\0{seed}".encode()).digest()
    turned = bool(digest[0] & 1) ^ (order == 2)
    return dict(zip(LETTERS, sides[::-1] if turned else sides, strict=True))


def _permuted(items: Sequence[PairCriterion], seed: str, order: Order) -> list[PairCriterion]:
    def place(one: PairCriterion) -> str:
        return hashlib.sha256(f"{seed}\0{one.id}".encode()).hexdigest()

    found = sorted(items, key=place)
    return found if order == 1 else found[::-1]


def _choices(order: Order) -> list[str]:
    return list(CHOICES) if order == 1 else ["B", "A", "tie", "cannot_tell"]


def _line(criterion: PairCriterion, rubric: PairRubric, order: Order) -> str:
    rank = rubric.criteria.index(criterion) + 1
    choices = ", ".join(_choices(order))
    return f"- `{criterion.id}` (rank {rank}): {criterion.text} Choices: {choices}."


def _contract(criteria: Sequence[PairCriterion], order: Order) -> str:
    choices = "|".join(_choices(order))
    letters = "|".join(_choices(order)[:2])
    each = [
        f'{{"id": "{one.id}", "evidence": '
        f'[{{"trial": "<{letters}>", "step": <number>, "quote": "<words>"}}], '
        f'"reasoning": "<text>", "verdict": "<{choices}>", "missing": "<text>"}}'
        for one in criteria
    ]
    lines = ",\n  ".join(each)
    return f'{{"criteria": [\n  {lines}],\n "conflicts": [], "overall": "<{choices}>"}}'


def pair_schema(order: Order, shown: Sequence[str], *, brief: bool = False) -> dict[str, Any]:
    """Return the JSON schema of the reply, for providers that hold a model to it.

    `brief` leaves less room for quotes and reasons.
    """
    choices = _choices(order)
    quote = _object(
        {
            "trial": {"enum": choices[:2]},
            "step": {"type": "integer"},
            "quote": {"type": "string", "maxLength": 80 if brief else 300},
        }
    )
    criteria = [_criterion(name, quote, choices, brief=brief) for name in shown]
    fields: dict[str, Any] = {
        # Every criterion once, in the order that is shown.
        "criteria": {
            "type": "array",
            "prefixItems": criteria,
            "minItems": len(criteria),
            "maxItems": len(criteria),
        },
        "conflicts": {"type": "array", "items": {"type": "string", "maxLength": 200}},
        "overall": {"enum": choices},
    }
    return _object(fields)


def _criterion(
    name: str, quote: dict[str, Any], choices: list[str], *, brief: bool
) -> dict[str, Any]:
    return _object(
        {
            "id": {"const": name},
            "evidence": {"type": "array", "items": quote, "maxItems": 1 if brief else 4},
            "reasoning": {"type": "string", "maxLength": 80 if brief else 600},
            "verdict": {"enum": choices},
            "missing": {"type": "string", "maxLength": 40 if brief else 200},
        }
    )


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
