"""OpenTelemetry traces of agents: GenAI conventions, OpenLLMetry, OpenInference; JSON or protobuf.

| here | there |
|---|---|
| trial | a trace that holds a call of a model |
| step | a message of the model, once, however often the history repeats it |
| call id, raw arguments | `tool_call` parts, `gen_ai.tool.call.*`, `tool_call.function.*` |
| reply of a tool | `tool_call_response` parts or tool messages, else the span of the tool |
| tools | `gen_ai.tool.definitions`, `llm.tools`: never taken for calls |
| verdict | event `gen_ai.evaluation.result` |

A trace whose messages were not recorded (many exporters leave them out) is imported as not graded.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import ChatReader, prompt_of, tools_of
from trajaudit.record.importers.json_source import head_keys, head_value, is_json_file
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.otel_dialects import Message, key_of, messages_of, nested, parsed
from trajaudit.record.importers.otlp import PROTOBUF, Span, is_otlp, spans
from trajaudit.record.importers.shapes import (
    as_count,
    as_dict,
    as_list,
    as_number,
    as_text,
    first,
    make_task,
    task_id,
)

NAME = "otel"
_MODEL_OPERATIONS = frozenset({"chat", "generate_content", "text_completion"})
_PASSED = {"pass": True, "passed": True, "true": True, "correct": True} | {
    "fail": False,
    "failed": False,
    "false": False,
    "incorrect": False,
}
_READ_TIMES = ("gen_ai.evaluation.score.label", "gen_ai.evaluation.score.value")


def sniff(source: Source) -> bool:
    """OTLP JSON, whole or one export a line; or protobuf by its suffix."""
    if source.is_folder:
        return False
    if source.path.suffix.lower() in PROTOBUF:
        return b"gen_ai." in source.head or b"openinference." in source.head
    if not is_json_file(source.path):
        return False
    value = head_value(source)
    if value is None:
        return "resourceSpans" in head_keys(source)
    return is_otlp(value[0] if isinstance(value, list) and value else value)


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a trace, in the order in which traces begin in the file."""
    traces: dict[str, list[Span]] = {}
    for span in spans(source, losses):
        traces.setdefault(span.trace, []).append(span)

    def make(found: Any) -> ForeignTrial | None:
        return _trial(found, losses)

    items = ((f"{source.name}!{trace}", found) for trace, found in traces.items())
    yield from mapped(items, make, losses, "trace")


def _trial(found: Sequence[Span], losses: Losses) -> ForeignTrial | None:
    ordered = sorted(found, key=lambda span: (span.start, span.end))
    models = [span for span in ordered if _is_model(span)]
    if not models:
        losses.dropped("trace", "no call of a model in it")
        return None
    builder = TrialBuilder(losses)
    reader = _TraceReader(builder, losses, ordered)
    for span in models:
        reader.take(span)
    recorded = reader.chat.steps > 0
    if not recorded:
        losses.truncated("messages", "the trace does not hold what was said")
    conversation = first(ordered[0].attributes, "gen_ai.conversation.id", "session.id")
    return ForeignTrial(
        task=make_task(
            task_id(conversation or found[0].trace or "trace"),
            prompt_of(reader.first_input),
            losses,
        ),
        events=builder.end("replied")
        if recorded
        else builder.end("infra_error", "the trace does not hold what was said"),
        origin=_origin(ordered, models[0], losses),
        tools=tools_of(next(filter(None, map(_tools, models)), None), losses),
        duration_s=_duration(ordered),
    )


def _origin(ordered: Sequence[Span], model: Span, losses: Losses) -> Origin:
    raw, detail = _verdict(ordered)
    return Origin(
        source=losses.where,
        format=NAME,
        source_id=model.trace,
        agent=as_text(_first_of(ordered, "gen_ai.agent.name")),
        model_id=_model(model),
        raw=raw,
        raw_detail=detail,
    )


def _duration(ordered: Sequence[Span]) -> float:
    started = min((span.start for span in ordered if span.start), default=0.0)
    return max((span.end for span in ordered), default=started) - started if started else 0.0


class _TraceReader:
    """Reads the model spans of a trace in their order; repeated history is taken once."""

    def __init__(self, builder: TrialBuilder, losses: Losses, ordered: Sequence[Span]) -> None:
        self._builder = builder
        self._losses = losses
        self._seen: set[str] = set()
        self._answered: set[str] = set()
        self._tools = [span for span in ordered if _tool_name(span)]
        self.chat = ChatReader(builder, losses)
        self.first_input: list[Message] = []

    def take(self, span: Span) -> None:
        given, made = messages_of(span)
        self.first_input = self.first_input or given
        for message in given:
            self._message(message)
        if made:
            usage, reason = _usage(span), _finish(span)
            call = self._builder.model_call(
                _model(span), usage=usage, latency_s=span.end - span.start, error=span.error
            )
            for message in made:
                self._seen.add(key_of(message))
                self.chat.assistant(message, finish_reason=reason, model_call=call)
                self._served(message, span)
        elif span.error is not None:
            self._builder.model_call(_model(span), error=span.error)

    def _message(self, message: Message) -> None:
        key = key_of(message)
        if key in self._seen:
            return
        self._seen.add(key)
        if message.get("role") == "tool":
            call_id = as_text(message.get("tool_call_id"))
            if call_id and call_id in self._answered:
                return
            self._answered.add(call_id)
        self.chat.take(message)

    def _served(self, message: Message, span: Span) -> None:
        """Answer calls of which the trace holds a span of the tool: it knows errors and times."""
        for call in as_list(message.get("tool_calls")):
            call_id = as_text(as_dict(call).get("id"))
            name = as_text(as_dict(as_dict(call).get("function")).get("name"))
            found = self._tool_span(call_id, name, span)
            if found is None:
                continue
            self._tools.remove(found)
            result = _result(found)
            if result is None and found.error is None:
                continue
            self._answered.add(call_id)
            self._builder.answer(
                call_id or None,
                found.error if result is None else result,
                tool=name,
                is_error=found.error is not None,
                duration_s=found.end - found.start,
            )

    def _tool_span(self, call_id: str, name: str, after: Span) -> Span | None:
        known = [span for span in self._tools if _call_id(span) and _call_id(span) == call_id]
        unnamed = [
            span
            for span in self._tools
            if not _call_id(span) and _tool_name(span) == name and span.start >= after.start
        ]
        return next(iter(known or unnamed), None)


def _is_model(span: Span) -> bool:
    attributes = span.attributes
    return (
        attributes.get("gen_ai.operation.name") in _MODEL_OPERATIONS
        or attributes.get("openinference.span.kind") == "LLM"
        or attributes.get("llm.request.type") in {"chat", "completion"}
        or any(name == "gen_ai.choice" for name, _ in span.events)
    )


def _tool_name(span: Span) -> str:
    attributes = span.attributes
    is_tool = (
        attributes.get("gen_ai.operation.name") == "execute_tool"
        or attributes.get("openinference.span.kind") == "TOOL"
        or attributes.get("traceloop.span.kind") == "tool"
    )
    if not is_tool:
        return ""
    given = first(attributes, "gen_ai.tool.name", "tool.name", "traceloop.entity.name")
    return as_text(given) or span.name.removeprefix("execute_tool ")


def _call_id(span: Span) -> str:
    return as_text(first(span.attributes, "gen_ai.tool.call.id", "tool_call.id"))


def _result(span: Span) -> str | None:
    found = first(
        span.attributes, "gen_ai.tool.call.result", "output.value", "traceloop.entity.output"
    )
    return None if found is None else as_text(found)


def _model(span: Span) -> str:
    return as_text(
        first(
            span.attributes,
            "gen_ai.response.model",
            "gen_ai.request.model",
            "llm.model_name",
        )
    )


def _usage(span: Span) -> Usage | None:
    found = span.attributes
    prompt = first(found, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
    completion = first(found, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
    prompt = prompt or found.get("llm.token_count.prompt")
    completion = completion or found.get("llm.token_count.completion")
    if prompt is None and completion is None:
        return None
    return Usage(prompt_tokens=as_count(prompt), completion_tokens=as_count(completion))


def _finish(span: Span) -> str | None:
    reasons = as_list(parsed(span.attributes.get("gen_ai.response.finish_reasons")))
    return as_text(reasons[0]) if reasons else None


def _tools(span: Span) -> Any:
    defined = parsed(span.attributes.get("gen_ai.tool.definitions"))
    if as_list(defined):
        return defined
    listed = as_list(as_dict(nested(span.attributes, "llm")).get("tools"))
    return [parsed(as_dict(as_dict(one).get("tool")).get("json_schema")) for one in listed]


def _first_of(ordered: Sequence[Span], name: str) -> Any:
    return next((span.attributes[name] for span in ordered if name in span.attributes), None)


def _verdict(ordered: Sequence[Span]) -> tuple[bool | None, str]:
    for span in ordered:
        for name, found in span.events:
            if name == "gen_ai.evaluation.result":
                label, value = (found.get(one) for one in _READ_TIMES)
                said = f"{as_text(found.get('gen_ai.evaluation.name'))} {label or value}".strip()
                raw = _PASSED.get(as_text(label).lower())
                score = as_number(value)
                if raw is None and label is None and score in (0, 1):
                    raw = score == 1
                return raw, said[:100]
    return None, ""


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="OpenTelemetry: GenAI conventions, OpenLLMetry, OpenInference; OTLP JSON, protobuf",
    needs=("opentelemetry-proto",),
)
