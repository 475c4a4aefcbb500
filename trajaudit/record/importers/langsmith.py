"""Run exports of LangSmith: JSON or JSONL, one run (span) a record.

| here | there |
|---|---|
| trial | a trace: all runs of one `trace_id`, in the order of `dotted_order` |
| messages | the last call of a model (its input holds the history, its output the reply) |
| reply of a tool | a tool message of the history, else the run of the tool with its error |
| verdict | `feedback_stats` of the root: a key whose average is 0 or 1 |
| target | `reference_outputs` where an export holds them |
"""

from collections.abc import Iterator
from typing import Any

from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import ChatReader, prompt_of
from trajaudit.record.importers.json_source import elements, head_value, is_json_file, lines
from trajaudit.record.importers.langchain import feed, messages_in
from trajaudit.record.importers.langchain_messages import chat_message
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.reference import written
from trajaudit.record.importers.shapes import (
    as_dict,
    as_list,
    as_number,
    as_text,
    first,
    json_text,
    make_task,
    task_id,
)

NAME = "langsmith"
_TYPES = frozenset({"llm", "chain", "tool", "retriever", "embedding", "prompt", "parser"})
_ANSWERS = ("output", "answer", "result", "text", "content", "response")


def sniff(source: Source) -> bool:
    """Records with a run type and a trace."""
    if source.is_folder or not is_json_file(source.path):
        return False
    value = head_value(source)
    one = as_dict(value[0] if isinstance(value, list) and value else value)
    return as_text(one.get("run_type")) in _TYPES and ("trace_id" in one or "dotted_order" in one)


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a trace, in the order in which traces begin in the file."""
    traces: dict[str, list[dict[str, Any]]] = {}
    records = (
        elements(source, losses) if source.head.lstrip()[:1] == b"[" else lines(source, losses)
    )
    for _, record in records:
        run = as_dict(record)
        name = as_text(first(run, "trace_id", "id"))
        if as_text(run.get("run_type")) not in _TYPES or not name:
            losses.malformed("run", record)
            continue
        traces.setdefault(name, []).append(run)

    def make(runs: Any) -> ForeignTrial | None:
        return _trial(runs, losses)

    items = ((f"{source.name}!{name}", runs) for name, runs in traces.items())
    yield from mapped(items, make, losses, "trace")


def _trial(runs: list[dict[str, Any]], losses: Losses) -> ForeignTrial | None:
    ordered = sorted(
        runs, key=lambda run: (as_text(run.get("dotted_order")), as_text(run.get("id")))
    )
    root = next((run for run in ordered if not run.get("parent_run_id")), ordered[0])
    _count_missing(ordered, losses)
    messages = _messages(ordered, root)
    builder = TrialBuilder(losses)
    reader = feed(builder, losses, messages)
    if not reader.steps:
        reader = _plain(builder, losses, root, ordered)
    if not reader.steps:
        losses.truncated("messages", "no run of the trace holds what was said")
    known = [found for found in map(chat_message, messages) if found is not None]
    raw, score, detail = _feedback(root)
    metadata = as_dict(as_dict(root.get("extra")).get("metadata"))
    return ForeignTrial(
        task=make_task(
            task_id(first(root, "reference_example_id", "trace_id", "id")),
            prompt_of(known) or as_text(_one_text(root.get("inputs"))),
            losses,
            target=_target(root),
        ),
        events=builder.end(*_end(root, reader)),
        origin=Origin(
            source=losses.where,
            format=NAME,
            source_id=as_text(root.get("trace_id")),
            agent=as_text(root.get("name")),
            model_id=as_text(first(metadata, "ls_model_name")) or _model(ordered),
            raw=raw,
            raw_score=score,
            raw_detail=detail,
        ),
        started=as_text(root.get("start_time")),
    )


def _end(root: dict[str, Any], reader: ChatReader) -> tuple[EndReason, str]:
    if not reader.steps:
        return "infra_error", "the trace does not hold what was said"
    if root.get("error"):
        return "agent_error", as_text(root["error"])
    return "replied", ""


def _messages(ordered: list[dict[str, Any]], root: dict[str, Any]) -> list[Any]:
    """Return the fullest history that one run holds: the root's state, or the last model's."""
    candidates = [_flat(messages_in(as_dict(root.get("outputs"))))]
    for run in ordered:
        if run.get("run_type") == "llm":
            given = _flat(messages_in(as_dict(run.get("inputs"))))
            candidates.append([*given, *_generated(as_dict(run.get("outputs")))])
    return max(candidates, key=len)


def _flat(messages: list[Any]) -> list[Any]:
    """Batches of one are stored as a list in a list."""
    return messages[0] if messages and isinstance(messages[0], list) else messages


def _generated(outputs: dict[str, Any]) -> list[Any]:
    batches = _flat(as_list(outputs.get("generations")))
    made = [as_dict(one).get("message") or as_dict(one).get("text") for one in batches[:1]]
    choices = [as_dict(one).get("message") for one in as_list(outputs.get("choices"))[:1]]
    found = [one for one in [*made, *choices, outputs.get("message")] if one]
    if not found and outputs.get("role"):
        found = [outputs]
    return [{"role": "assistant", "content": one} if isinstance(one, str) else one for one in found]


def _plain(
    builder: TrialBuilder, losses: Losses, root: dict[str, Any], ordered: list[dict[str, Any]]
) -> ChatReader:
    """A trace without messages: all there is are its input, its tools' runs and its output."""
    reader = ChatReader(builder, losses)
    prompt = _one_text(root.get("inputs"))
    if prompt:
        reader.take({"role": "user", "content": prompt})
    for run in ordered:
        if run.get("run_type") == "tool":
            text = json_text(as_dict(run.get("inputs")))
            call = builder.request(as_text(run.get("name")), text, as_text(run.get("id")))
            builder.assistant("", calls=[call])
            reply = _one_text(run.get("outputs"))
            failed = bool(run.get("error"))
            builder.answer(call.call_id, run["error"] if failed else reply, is_error=failed)
    answer = _one_text(root.get("outputs"))
    if answer:
        reader.assistant({"role": "assistant", "content": answer})
    return reader


def _one_text(value: Any) -> str:
    fields = as_dict(value)
    found = first(fields, "input", "question", *_ANSWERS)
    if found is None and len(fields) == 1:
        found = next(iter(fields.values()))
    return found if isinstance(found, str) else as_text(found) if found else ""


def _target(root: dict[str, Any]) -> Any:
    reference = first(root, "reference_outputs", "reference_output")
    text = reference if isinstance(reference, str) else _one_text(reference)
    return written(text) if text else None


def _feedback(root: dict[str, Any]) -> tuple[bool | None, float | None, str]:
    for key, stats in as_dict(root.get("feedback_stats")).items():
        average = as_number(as_dict(stats).get("avg"))
        if average is not None:
            raw = average == 1 if average in (0, 1) else None
            return raw, average, f"{key} {average}"[:100]
    return None, None, ""


def _model(ordered: list[dict[str, Any]]) -> str:
    for run in ordered:
        metadata = as_dict(as_dict(run.get("extra")).get("metadata"))
        if metadata.get("ls_model_name"):
            return as_text(metadata["ls_model_name"])
    return ""


def _count_missing(ordered: list[dict[str, Any]], losses: Losses) -> None:
    for run in ordered:
        for name in ("inputs", "outputs"):
            if not run.get(name) and run.get(f"{name}_s3_urls"):
                losses.truncated(f"run.{name}", "only in an object store")


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="LangSmith run exports: JSON or JSONL, one run a record",
)
