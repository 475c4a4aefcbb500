"""ReAct transcripts as plain text: `Thought 1:`, `Action 1: Search[...]`, `Observation 1:`.

| here | there |
|---|---|
| prompt | `Question: ...` |
| step | a thought and the action after it |
| call | `Name[argument]`, kept as `{"text": argument}` |
| answer | `Finish[...]` |
| verdict | `Answer is CORRECT` or `INCORRECT`; a transcript that was halted has none |
| target | `Correct answer: ...` |
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.answer_columns import id_of
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.reference import written
from trajaudit.record.importers.shapes import json_text, make_task

NAME = "react_text"
_LINE = re.compile(r"(Thought|Action|Observation) (\d{1,4}):\s?(.*)")
_CALL = re.compile(r"\s*([A-Za-z_]\w{0,40})\[(.*)\]\s*", re.DOTALL)
_PROMPT = "Question: "
_REFERENCE = "Correct answer: "
_MOST_LINES = 20_000


@dataclass
class _Transcript:
    question: str
    parts: list[tuple[str, str]] = field(default_factory=list)
    """(Thought, Action or Observation; text)."""
    reference: str | None = None


def sniff(source: Source) -> bool:
    """A text with a question and a first thought and action."""
    head = source.head
    return b"\nThought 1:" in head and b"\nAction 1:" in head and _PROMPT.encode() in head


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a transcript."""

    def make(transcript: Any) -> ForeignTrial | None:
        return _trial(transcript, losses)

    yield from mapped(_transcripts(source, losses), make, losses, "transcript")


def _transcripts(source: Source, losses: Losses) -> Iterator[tuple[str, _Transcript]]:
    found: _Transcript | None = None
    where, kept = source.name, 0
    with source.path.open(encoding="utf-8", errors="backslashreplace") as stream:
        for number, line in enumerate(stream, start=1):
            text = line.rstrip("\n")
            if text.startswith(_PROMPT):
                if found is not None:
                    yield where, found
                found, where, kept = (
                    _Transcript(text.removeprefix(_PROMPT)),
                    f"{source.name}:{number}",
                    0,
                )
            elif found is not None:
                kept += 1
                if kept > _MOST_LINES:
                    losses.truncated("transcript", f"more than {_MOST_LINES} lines")
                else:
                    _take(found, text)
    if found is not None:
        yield where, found


def _take(found: _Transcript, text: str) -> None:
    match = _LINE.match(text)
    if match:
        found.parts.append((match[1], match[3]))
    elif text.startswith(_REFERENCE):
        found.reference = text.removeprefix(_REFERENCE)
    elif found.reference is None and found.parts and text and set(text) - set("#-"):
        kind, before = found.parts[-1]
        if not text.startswith(("BEGIN ", "Trial summary:", "-------")):
            found.parts[-1] = (kind, f"{before}\n{text}")


def _trial(found: _Transcript, losses: Losses) -> ForeignTrial | None:
    if not found.parts:
        losses.malformed("transcript", "no thought and no action")
        return None
    builder = TrialBuilder(losses)
    builder.prompt("user", found.question, first=True)
    raw = _steps(builder, found, losses)
    answered = any(kind == "Action" and text.startswith("Finish[") for kind, text in found.parts)
    reference = (found.reference or "").strip()
    return ForeignTrial(
        task=make_task(
            id_of({}, found.question), found.question, losses, target=written(reference)
        ),
        events=builder.end("replied" if answered else "step_limit"),
        origin=Origin(
            source=losses.where,
            format=NAME,
            agent="react",
            raw=raw,
            raw_detail="halted" if raw is None else f"answer is {'' if raw else 'in'}correct",
        ),
    )


def _steps(builder: TrialBuilder, found: _Transcript, losses: Losses) -> bool | None:
    """Add the steps; return what the transcript says of the answer."""
    raw: bool | None = None
    thought, is_open = "", False
    for kind, text in found.parts:
        if kind == "Thought":
            thought = text
        elif kind == "Action":
            is_open = _act(builder, thought, text, losses)
            thought = ""
        elif text.startswith("Answer is "):
            raw = text.startswith("Answer is CORRECT")
        elif is_open:
            builder.answer(None, text)
            is_open = False
    if thought:
        builder.assistant(thought)
    return raw


def _act(builder: TrialBuilder, thought: str, text: str, losses: Losses) -> bool:
    """Add a step with its action; return whether an observation may follow."""
    call = _CALL.fullmatch(text)
    if call is not None and call[1] == "Finish":
        builder.assistant(thought)
        builder.submit(call[2])
        return False
    if call is None:
        losses.malformed("action", text[:80])
    name, argument = (call[1], call[2]) if call else ("(unreadable)", text)
    request = builder.request(name, json_text({"text": argument}), None)
    builder.assistant(thought, calls=[request])
    return True


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="ReAct transcripts as text: Thought, Action, Observation",
)
