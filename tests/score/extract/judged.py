"""How a reply is judged, in one word: the tables of the readers' tests are written with it."""

from typing import Any

from pydantic import TypeAdapter

from trajaudit.datamodel.target import Target
from trajaudit.score.final_answer import judge_reply

_TARGET: TypeAdapter[Target] = TypeAdapter(Target)


def judged(
    reply: str, target: Any, question: str = "", *, finish_reason: str | None = "stop"
) -> str:
    """The lenient outcome."""
    _, lenient = judge_reply(
        reply, _TARGET.validate_python(target), question=question, finish_reason=finish_reason
    )
    return lenient.outcome
