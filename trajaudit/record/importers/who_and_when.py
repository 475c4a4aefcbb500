"""Who&When: one failed run of several agents a JSON file, with the step that was decisive.

| here | there |
|---|---|
| task, target | `question`, `ground_truth` |
| step | entry of `history`; its first line names the agent, which nothing else here can hold |
| call | code that an agent wrote, where the terminal is the next to speak; what an orchestrator
says in between, in the logs made by hand, does not count |
| message of the user | entry of role human |
| raw verdict | `is_correct` |
| in the raw detail | `mistake_agent`, `mistake_step`, `mistake_reason`: what people found |
"""

import re
from collections.abc import Iterator
from typing import Any

from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.json_source import document, elements, head_keys, is_json_file
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    as_dict,
    as_list,
    as_text,
    first,
    json_text,
    make_task,
    task_id,
)
from trajaudit.record.importers.tau_task import tools_named

NAME = "who_and_when"
_KNOWN = frozenset(
    {"question", "ground_truth", "groundtruth", "history", "is_correct", "question_ID", "level"}
    | {"labels", "mistake_agent", "mistake_step", "mistake_reason", "system_prompt", "is_corrected"}
)
_KNOWN_ENTRY = frozenset({"content", "name", "role"})
_TERMINAL = "Computer_terminal"
_TERMINALS = frozenset({_TERMINAL, "ComputerTerminal"})
_HUMAN = "human"
_BETWEEN = re.compile(r"Orchestrator\b")
_CODE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)
_FAILED = re.compile(r"exitcode:\s*(?!0\b)-?\d+")
_NUMBER = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?")


def sniff(source: Source) -> bool:
    """A record with a question, a history and the step of the mistake."""
    if source.is_folder or not is_json_file(source.path):
        return False
    # A long history may lie between them: the head need not hold all of the keys.
    keys = head_keys(source)
    return "history" in keys and bool({"mistake_step", "question_ID"} & keys)


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a record."""
    stem = source.path.stem

    def make(record: Any) -> ForeignTrial | None:
        return _trial(as_dict(record), stem, losses)

    is_list = source.head.lstrip()[:1] == b"["
    records = elements(source, losses) if is_list else iter([(source.name, document(source))])
    yield from mapped(records, make, losses, "run")


def _trial(record: dict[str, Any], stem: str, losses: Losses) -> ForeignTrial | None:
    history = [as_dict(one) for one in as_list(record.get("history"))]
    if not history:
        losses.malformed("run", "no history")
        return None
    losses.unknown("", record, _KNOWN)
    builder = TrialBuilder(losses)
    question = as_text(record.get("question"))
    builder.prompt("user", question, first=True)
    asked: str | None = None
    for number, entry in enumerate(history):
        losses.unknown("history", entry, _KNOWN_ENTRY)
        asked = _entry(entry, _next_name(history, number), asked, builder)
    correct = record.get("is_correct")
    return ForeignTrial(
        task=make_task(
            task_id(first(record, "question_ID") or stem),
            question,
            losses,
            target=_target(as_text(first(record, "ground_truth", "groundtruth")).strip()),
        ),
        events=builder.end("replied"),
        origin=Origin(
            source=losses.where,
            format=NAME,
            source_id=stem,
            agent="several",
            raw=correct if isinstance(correct, bool) else None,
            raw_detail=_detail(record),
        ),
        tools=tools_named([_TERMINAL]),
    )


def _name(entry: dict[str, Any]) -> str:
    return as_text(first(entry, "name", "role"))


def _next_name(history: list[dict[str, Any]], number: int) -> str:
    """Return who speaks after an entry, an orchestrator's planning passed over."""
    after = map(_name, history[number + 1 :])
    return next((name for name in after if _BETWEEN.match(name) is None), "")


def _entry(
    entry: dict[str, Any], after: str, asked: str | None, builder: TrialBuilder
) -> str | None:
    """Take one entry; `asked` is the call that waits for the terminal. Return the next one.

    `after`: who speaks next.
    """
    name, text = _name(entry), as_text(entry.get("content"))
    if name in _TERMINALS and asked is not None:
        builder.answer(asked, text, is_error=_FAILED.search(text) is not None)
        return None
    if name in _TERMINALS or name == _HUMAN:
        builder.prompt("user", text)
        return asked if name == _HUMAN else None
    code = "\n".join(_CODE.findall(text)) if after in _TERMINALS else ""
    calls = []
    if code:
        calls = [builder.request(_TERMINAL, json_text({"code": code}), f"code-{builder.seq}")]
    builder.assistant(f"{name}:\n{text}", calls=calls)
    if calls:
        return calls[0].call_id
    return asked if _BETWEEN.match(name) is not None else None


def _target(answer: str) -> dict[str, Any] | None:
    if not answer:
        return None
    return {"number": answer} if _NUMBER.fullmatch(answer) else {"text": answer}


def _detail(record: dict[str, Any]) -> str:
    agent, step = as_text(record.get("mistake_agent")), as_text(record.get("mistake_step"))
    reason = " ".join(as_text(record.get("mistake_reason")).split())[:300]
    return f"mistake of {agent} at step {step}: {reason}" if agent else ""


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="Who&When: failed runs of several agents with the decisive step",
)
