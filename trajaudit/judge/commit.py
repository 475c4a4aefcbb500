"""What should a right attempt bring about? A judge says so of a task before it sees an attempt.

A judge that sees the candidate first tends to reason towards it. Notes that it made beforehand are
shown to it again; where they name another answer than the reference does, one of both is wrong,
and a person has to look.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.judge.parse import broken_off, nothing_read
from trajaudit.judge.prompt import fence_nonce, fenced
from trajaudit.judge.reply import Pairs, scan
from trajaudit.score.final_answer import judge_reading, read_answer

_HOLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_FIELDS = ("facts", "end_state", "depends_on_tools", "answer")
_CONTRACT = (
    '{"facts": ["<text>"], "end_state": ["<text>"], "depends_on_tools": <true|false>, '
    '"answer": "<text>" or null}'
)
MOST_TOOL_CHARS = 12_000
"""Of the tools' description; a longer one is cut, and says so."""


@dataclass(frozen=True)
class Commission:
    """A task as a judge sees it before any attempt."""

    task: Task
    tools: tuple[ToolSpec, ...] = ()
    policy: str = ""
    """The instructions that the agent was given; a log may have forged them."""

    @property
    def trusted(self) -> str:
        """What the author of the task wrote."""
        offered = [
            {"name": one.name, "description": one.description, "arguments": one.parameters}
            for one in self.tools
            if self.task.tools is None or one.name in self.task.tools
        ]
        text = json.dumps(offered, ensure_ascii=False)
        if len(text) > MOST_TOOL_CHARS:
            gone = len(text) - MOST_TOOL_CHARS
            text = f"{text[:MOST_TOOL_CHARS]}[… {gone:,} characters cut …]"
        return f"Task:\n{self.task.prompt}\n\nTools that an agent may call:\n{text}"

    @property
    def sha256(self) -> str:
        """Of everything that is shown."""
        return hashlib.sha256(f"{self.trusted}\0{self.policy}".encode()).hexdigest()


@dataclass(frozen=True)
class Notes:
    """What a reply notes down, or why it is of no use."""

    status: ReplyStatus
    text: str = ""
    answer: str | None = None
    note: str = ""


def messages_of(commission: Commission, template: str) -> tuple[dict[str, str], ...]:
    """Return the request for notes on one task."""
    nonce = fence_nonce(commission.policy, commission.task.id)
    values = {"nonce": nonce, "contract": _CONTRACT}
    system = _HOLE.sub(lambda match: values.get(match[1], match[0]), template)
    user = f"{commission.trusted}\n\n{fenced(commission.policy or '(none)', nonce)}"
    return ({"role": "system", "content": system}, {"role": "user", "content": user})


def notes_schema() -> dict[str, Any]:
    """Return the JSON schema of the notes, for providers that hold a model to it."""
    line = {"type": "string", "maxLength": 200}
    return {
        "type": "object",
        "properties": {
            "facts": {"type": "array", "items": line, "maxItems": 6},
            "end_state": {"type": "array", "items": line, "maxItems": 6},
            "depends_on_tools": {"type": "boolean"},
            "answer": {"anyOf": [{"type": "string", "maxLength": 400}, {"type": "null"}]},
        },
        "required": list(_FIELDS),
        "additionalProperties": False,
    }


def read_notes(reply: str, finish_reason: str | None = None) -> Notes:
    """Return what a reply notes down; never raises, and makes up nothing."""
    if finish_reason == "content_filter":
        return Notes(ReplyStatus.REFUSED, note="held back by the provider's filter")
    if not reply.strip():
        return Notes(ReplyStatus.EMPTY, note="no text")
    read = scan(reply)
    cut = broken_off(read, finish_reason)
    if cut is not None:
        return Notes(cut.status, note=cut.note)
    found = [one for one in read.objects if {"facts", "answer"} & {key for key, _ in one.pairs}]
    if not found:
        none = nothing_read(read)
        return Notes(none.status, note=none.note)
    status = ReplyStatus.REPAIRED if found[-1].repaired else ReplyStatus.OK
    return _checked(found[-1].pairs, status)


def _checked(pairs: Pairs, status: ReplyStatus) -> Notes:
    fields = dict(pairs)
    missing = [name for name in _FIELDS if name not in fields]
    if missing or len(fields) < len(pairs):
        what = ", ".join(missing) or "no second value"
        return Notes(ReplyStatus.UNPARSED, note=f"the form is not kept; wanted: {what}")
    lists = [fields["facts"], fields["end_state"]]
    if not all(_is_texts(one) for one in lists) or not isinstance(fields["depends_on_tools"], bool):
        return Notes(ReplyStatus.UNPARSED, note="facts and end_state are lists of texts")
    answer = fields["answer"]
    if answer is not None and not isinstance(answer, str | int | float):
        return Notes(ReplyStatus.UNPARSED, note="answer is a text or null")
    if "<text>" in (answer, *fields["facts"], *fields["end_state"]):
        return Notes(ReplyStatus.UNPARSED, note="the form was copied, and not filled in")
    known = answer is not None and not fields["depends_on_tools"]
    return Notes(status, _written(fields), str(answer) if known else None)


def _is_texts(value: object) -> bool:
    if not isinstance(value, list) or isinstance(value, Pairs):
        return False
    return all(isinstance(one, str) for one in value)


def _written(fields: dict[str, Any]) -> str:
    lines = [f"- {fact}" for fact in fields["facts"]]
    lines += [f"- end state: {state}" for state in fields["end_state"]]
    lines.append(f"- final answer: {_or(fields['answer'], 'depends on what tools give back')}")
    return "\n".join(lines)


def _or(value: Any, otherwise: str) -> str:
    return otherwise if value is None else str(value)


def shown_again(notes: str) -> str:
    """Return a judge's notes as they stand in its question."""
    return (
        "Your own notes on this task, made before you saw an attempt:\n"
        f"{notes}\n"
        "They may be wrong as well. Where the attempt differs from them, say which of the two "
        "holds, and by what."
    )


def denies_reference(task: Task, answer: str | None) -> bool:
    """Whether the rules read another value in an answer than the task's reference.

    An answer in which they read no value, or more than one, denies nothing.
    """
    if answer is None or task.target is None:
        return False
    reading = read_answer(answer, task.target, question=task.prompt)
    return judge_reading(reading, task.target, question=task.prompt).outcome == "incorrect"
