"""OTLP: spans as JSON or protobuf, brought into one plain form."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from trajaudit.record.importers.base import Source, SourceError
from trajaudit.record.importers.json_source import LINE_BYTES, document, is_json_file, lines
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_list, as_text

PROTOBUF = frozenset({".pb", ".bin", ".otlp", ".binpb"})
_ERROR = frozenset({2, "2", "STATUS_CODE_ERROR"})


@dataclass(frozen=True)
class Span:
    """One span; times in seconds, 0 where the trace does not tell them."""

    trace: str
    span_id: str
    parent: str
    name: str
    start: float
    end: float
    attributes: dict[str, Any] = field(default_factory=dict)
    events: tuple[tuple[str, dict[str, Any]], ...] = ()
    """(name, attributes) of each event; a body stands under the key `body`."""
    error: str | None = None


def spans(source: Source, losses: Losses) -> Iterator[Span]:
    """Yield the spans of a file.

    Raises:
        SourceError: it is no OTLP.
    """
    for where, request in _requests(source, losses):
        losses.where = where
        for resource in as_list(request.get("resourceSpans") or request.get("resource_spans")):
            fields = as_dict(resource)
            scopes = fields.get("scopeSpans") or fields.get("instrumentationLibrarySpans")
            for scope in as_list(scopes or fields.get("scope_spans")):
                for span in as_list(as_dict(scope).get("spans")):
                    yield _span(as_dict(span))


def is_otlp(value: Any) -> bool:
    """Return whether a JSON value is an export of spans."""
    found = as_dict(value)
    return isinstance(found.get("resourceSpans") or found.get("resource_spans"), list)


def _requests(source: Source, losses: Losses) -> Iterator[tuple[str, dict[str, Any]]]:
    if source.path.suffix.lower() in PROTOBUF:
        yield source.name, _from_protobuf(source)
    elif is_json_file(source.path) and source.path.suffix.lower() != ".json":
        for where, value in lines(source, losses):
            yield where, as_dict(value)
    else:
        value = document(source)
        for one in value if isinstance(value, list) else [value]:
            yield source.name, as_dict(one)


def _from_protobuf(source: Source) -> dict[str, Any]:
    from google.protobuf.json_format import MessageToDict
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

    size = source.path.stat().st_size
    if size > LINE_BYTES:
        raise SourceError(f"{source.name}: too large; got {size} bytes; at most {LINE_BYTES}")
    try:
        message = TracesData.FromString(source.path.read_bytes())
        found: dict[str, Any] = MessageToDict(message)
    except (DecodeError, ValueError, RecursionError) as error:
        raise SourceError(f"{source.name}: no OTLP protobuf; {error}") from error
    for resource in as_list(found.get("resourceSpans")):
        for scope in as_list(as_dict(resource).get("scopeSpans")):
            for span in as_list(as_dict(scope).get("spans")):
                # Protobuf's JSON writes bytes as base64, OTLP's writes ids as hex.
                for key in ("traceId", "spanId", "parentSpanId"):
                    if isinstance(span.get(key), str):
                        span[key] = base64.b64decode(span[key]).hex()
    return found


def _span(span: dict[str, Any]) -> Span:
    status = as_dict(span.get("status"))
    failed = status.get("code") in _ERROR
    events = tuple(_event(as_dict(event)) for event in as_list(span.get("events")))
    thrown = [
        as_text(attributes.get("exception.message"))
        for name, attributes in events
        if name == "exception"
    ]
    error = as_text(status.get("message")) or "".join(thrown[:1]) or "failed"
    return Span(
        trace=as_text(span.get("traceId")),
        span_id=as_text(span.get("spanId")),
        parent=as_text(span.get("parentSpanId")),
        name=as_text(span.get("name")),
        start=_seconds(span.get("startTimeUnixNano")),
        end=_seconds(span.get("endTimeUnixNano")),
        attributes=attributes_of(span.get("attributes")),
        events=events,
        error=error if failed else None,
    )


def _event(event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    attributes = attributes_of(event.get("attributes"))
    if "body" in event:
        attributes["body"] = value_of(event["body"])
    name = as_text(event.get("name")) or as_text(attributes.get("event.name"))
    return name, attributes


def attributes_of(found: Any) -> dict[str, Any]:
    """Return attributes as a mapping; some exporters write them as one already."""
    if isinstance(found, dict):
        return {str(key): value_of(value) for key, value in found.items()}
    return {
        as_text(as_dict(one).get("key")): value_of(as_dict(one).get("value"))
        for one in as_list(found)
    }


def value_of(value: Any) -> Any:
    """Return the plain value of an OTLP value; a plain one as it is."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    kind, inner = next(iter(value.items()))
    match kind:
        case "stringValue" | "boolValue" | "doubleValue" | "bytesValue":
            return inner
        case "intValue":
            return int(inner) if isinstance(inner, str) and len(inner) < 30 else inner
        case "arrayValue":
            return [value_of(one) for one in as_list(as_dict(inner).get("values"))]
        case "kvlistValue":
            return attributes_of(as_dict(inner).get("values"))
        case _:
            return value


def _seconds(nano: Any) -> float:
    try:
        return max(int(nano) / 1e9, 0.0) if isinstance(nano, (int, str)) else 0.0
    except (ValueError, OverflowError):
        return 0.0
