"""The request that a judge gets: the rubric in one of its orders, and the view behind a fence.

The fence's nonce is a hash over all that stands inside it, so nothing inside can contain it, and
the same question is still the same request.
"""

import hashlib
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trajaudit.datamodel.judging import CANNOT_ASSESS, Criterion, Rubric
from trajaudit.judge.view import View

Order = Literal[1, 2]
_HOLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True)
class Prompt:
    """What is sent, and what it was made from."""

    messages: tuple[dict[str, str], ...]
    shown: tuple[str, ...]
    """Ids of the criteria in the order in which they stand."""
    nonce: str

    @property
    def sha256(self) -> str:
        """Of the messages."""
        return hashlib.sha256(json.dumps(self.messages).encode()).hexdigest()


def permuted(items: Sequence[Criterion], seed: str, order: Order) -> list[Criterion]:
    """Return the items in a seeded order; order 2 is the reverse of order 1."""
    digest = hashlib.sha256(seed.encode()).hexdigest()
    found = list(items)
    random.Random(digest).shuffle(found)
    return found if order == 1 else found[::-1]


def pointwise(
    rubric: Rubric, template: str, view: View, *, seed: str, order: Order, notes: str = ""
) -> Prompt:
    """Return the prompt for one trial.

    Args:
        rubric: what is asked.
        template: the prompt's text; its placeholders are filled in one pass.
        view: what is shown.
        seed: of the first order, for example of run, trial and family.
        order: 1, or 2 for its reverse; the choices of each criterion are turned round with it.
        notes: what stands between the task and the attempt: the judge's own notes on the task.
    """
    criteria = permuted(rubric.criteria, seed, order)
    nonce = fence_nonce(view.untrusted, seed)
    values = {
        "nonce": nonce,
        "rubric": rubric.description,
        "criteria": "\n".join(_line(one, order) for one in criteria),
        "contract": contract(criteria, order),
    }
    system = _HOLE.sub(lambda match: values.get(match[1], match[0]), template)
    user = "\n\n".join(filter(None, (view.trusted, notes, fenced(view.untrusted, nonce))))
    messages = ({"role": "system", "content": system}, {"role": "user", "content": user})
    return Prompt(messages, tuple(one.id for one in criteria), nonce)


def fence_nonce(untrusted: str, seed: str) -> str:
    """Return a word that the text cannot contain."""
    salt = 0
    while True:
        text = f"{seed}\0{salt}\0{untrusted}"
        nonce = hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:20]
        if nonce not in untrusted:
            return nonce
        salt += 1


def fenced(untrusted: str, nonce: str) -> str:
    """Return the text between fences that only the nonce opens and closes."""
    return f"<<BEGIN UNTRUSTED {nonce}>>\n{untrusted}\n<<END UNTRUSTED {nonce}>>"


def _choices(criterion: Criterion, order: Order) -> list[str]:
    own = list(criterion.choices)
    return [*(own if order == 1 else own[::-1]), CANNOT_ASSESS]


def _line(criterion: Criterion, order: Order) -> str:
    return f"- `{criterion.id}`: {criterion.text} Choices: {', '.join(_choices(criterion, order))}."


def contract(criteria: Sequence[Criterion], order: Order) -> str:
    """Return the form of the reply, with the choices of each criterion."""
    each = [
        f'{{"id": "{one.id}", "evidence": [{{"step": <number>, "quote": "<words>"}}], '
        f'"reasoning": "<text>", "verdict": "<{"|".join(_choices(one, order))}>", '
        '"missing": "<text>"}'
        for one in criteria
    ]
    lines = ",\n  ".join(each)
    return f'{{"criteria": [\n  {lines}],\n "conflicts": [], "overall": "<pass|fail|abstain>"}}'


def reply_schema(
    rubric: Rubric, order: Order, shown: Sequence[str], *, brief: bool = False
) -> dict[str, Any]:
    """Return the JSON schema of the reply, for providers that hold a model to it.

    `brief`: with less room for everything that is no choice.
    """
    by_id = {one.id: one for one in rubric.criteria}
    room = _BRIEF if brief else _WIDE
    # Every criterion once, in the order that is shown.
    criteria = [_criterion_schema(by_id[name], order, room) for name in shown]
    fields: dict[str, Any] = {
        "criteria": {
            "type": "array",
            "prefixItems": criteria,
            "minItems": len(criteria),
            "maxItems": len(criteria),
        },
        "conflicts": {
            "type": "array",
            "items": {"type": "string", "maxLength": room.aside},
            "maxItems": room.quotes,
        },
        "overall": {"enum": ["pass", "fail", "abstain"]},
    }
    return _object(fields)


def _criterion_schema(criterion: Criterion, order: Order, room: "_Room") -> dict[str, Any]:
    quote = _object(
        {"step": {"type": "integer"}, "quote": {"type": "string", "maxLength": room.quote}}
    )
    return _object(
        {
            "id": {"const": criterion.id},
            "evidence": {"type": "array", "items": quote, "maxItems": room.quotes},
            "reasoning": {"type": "string", "maxLength": room.reasoning},
            "verdict": {"enum": _choices(criterion, order)},
            "missing": {"type": "string", "maxLength": room.aside},
        }
    )


@dataclass(frozen=True)
class _Room:
    """Characters and items that a reply may have."""

    quote: int
    quotes: int
    reasoning: int
    aside: int


_WIDE = _Room(quote=300, quotes=4, reasoning=600, aside=200)
_BRIEF = _Room(quote=80, quotes=1, reasoning=120, aside=60)


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
