"""OpenTelemetry traces in five dialects."""

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from hypothesis import given
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from tests.record.importers.dialects import (
    INFERENCE,
    LATEST,
    LLMETRY,
    OLD,
    as_attributes,
    as_events,
)
from tests.record.importers.fuzzing import as_bytes, assert_survives, fuzzed, mangled, mutated
from trajaudit.datamodel.event import MessageEvent, ObservationEvent, ToolCallEvent
from trajaudit.record.importers import IMPORTERS, otel
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise


def _span(number: int, trace: str = "ab" * 16, **fields: Any) -> dict[str, Any]:
    return {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "name": "chat m1",
        "startTimeUnixNano": str(number * 10**9),
        "endTimeUnixNano": str(number * 10**9 + 5 * 10**8),
        **fields,
    }


def _export(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def _of(*attributes: dict[str, Any]) -> dict[str, Any]:
    spans = [_span(n, attributes=as_attributes(one)) for n, one in enumerate(attributes, start=1)]
    # Exporters do not sort.
    return _export(*reversed(spans))


DETAILS = _export(
    *(
        _span(
            number,
            attributes=as_attributes({"gen_ai.operation.name": "chat"}),
            events=as_events(("gen_ai.client.inference.operation.details", found)),
        )
        for number, found in enumerate(LATEST, start=1)
    )
)
LEGACY = _export(
    *(
        _span(n, events=found, attributes=as_attributes({"gen_ai.operation.name": "chat"}))
        for n, found in enumerate(OLD, start=1)
    )
)


def _read(path: Path, losses: Losses | None = None) -> list[ForeignTrial]:
    source = open_source(path, path.parent)
    assert recognise(source, IMPORTERS) is otel.IMPORTER
    return list(otel.read(source, losses or Losses()))


def _json(folder: Path, value: Any) -> Path:
    path = folder / "trace.json"
    path.write_text(json.dumps(value))
    return path


def _told(trial: ForeignTrial) -> list[str]:
    found = []
    for event in trial.events:
        if isinstance(event, MessageEvent):
            found.append(f"{event.role}: {event.content}")
        elif isinstance(event, ToolCallEvent):
            found.append(f"call {event.tool}")
        elif isinstance(event, ObservationEvent):
            found.append(f"reply {event.content}")
    return found


@pytest.mark.parametrize(
    "export",
    [_of(*LATEST), DETAILS, LEGACY, _of(*LLMETRY), _of(*INFERENCE)],
    ids=["latest", "details", "legacy", "openllmetry", "openinference"],
)
def test_every_dialect_tells_the_same_story_once(tmp_path: Path, export: dict[str, Any]) -> None:
    (trial,) = _read(_json(tmp_path, export))

    assert _told(trial) == [
        "user: 2 + 2?",
        "assistant: ",
        "call add",
        "reply 4",
        "assistant: It is 4.",
    ]
    assert trial.task.prompt == "2 + 2?"


def test_protobuf_tells_what_json_tells(tmp_path: Path) -> None:
    path = tmp_path / "trace.pb"
    message = ParseDict(
        json.loads(json.dumps(_of(*LATEST)).replace("ab" * 16, "q6urq6urq6urq6urq6urqw==")),
        TracesData(),
        ignore_unknown_fields=True,
    )
    path.write_bytes(message.SerializeToString())

    (trial,) = _read(path)

    assert "assistant: It is 4." in _told(trial)
    assert trial.origin.source_id == "ab" * 16


def test_definitions_of_tools_are_tools_and_no_calls(tmp_path: Path) -> None:
    (trial,) = _read(_json(tmp_path, _of(*LATEST)))

    assert [tool.name for tool in trial.tools] == ["add"]
    assert sum(isinstance(event, ToolCallEvent) for event in trial.events) == 1


def test_the_span_of_a_tool_tells_its_error_and_its_time(tmp_path: Path) -> None:
    tool = _span(
        2,
        name="execute_tool add",
        attributes=as_attributes(
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "add",
                "gen_ai.tool.call.id": "c1",
            }
        ),
        status={"code": 2, "message": "out of order"},
    )
    first = _span(1, attributes=as_attributes(LATEST[0]))

    (trial,) = _read(_json(tmp_path, _export(first, tool)))

    (reply,) = [event for event in trial.events if isinstance(event, ObservationEvent)]
    assert (reply.content, reply.is_error, reply.duration_s) == ("out of order", True, 0.5)


def test_a_trace_without_content_is_not_graded(tmp_path: Path) -> None:
    losses = Losses()

    (trial,) = _read(_json(tmp_path, _of({"gen_ai.operation.name": "chat"})), losses)

    assert trial.events[-1].model_dump()["reason"] == "infra_error"
    assert ("truncated", "messages") in {(one.kind, one.field) for one in losses.report()}


def test_traces_are_trials_and_one_without_a_model_is_counted(tmp_path: Path) -> None:
    losses = Losses()
    other = _span(9, trace="cd" * 16, attributes=as_attributes({"http.method": "GET"}))
    export = _of(*LATEST)
    export["resourceSpans"][0]["scopeSpans"][0]["spans"].append(other)

    assert len(_read(_json(tmp_path, export), losses)) == 1
    assert ("dropped", "trace") in {(loss.kind, loss.field) for loss in losses.report()}


@pytest.mark.parametrize(
    ("found", "raw"),
    [
        ({"gen_ai.evaluation.score.label": "pass"}, True),
        ({"gen_ai.evaluation.score.label": "fail"}, False),
        ({"gen_ai.evaluation.score.label": "unsure"}, None),
    ],
)
def test_an_evaluation_is_the_verdict_of_the_log(
    tmp_path: Path, found: dict[str, Any], raw: bool | None
) -> None:
    told = as_events(("gen_ai.evaluation.result", {"gen_ai.evaluation.name": "ok", **found}))
    span = _span(1, attributes=as_attributes(LATEST[1]), events=told)

    (trial,) = _read(_json(tmp_path, _export(span)))

    assert trial.origin.raw is raw


@fuzzed
@given(mutated(_of(*LATEST)))
def test_a_broken_trace_survives(broken: Any) -> None:
    assert_survives(otel.IMPORTER, {"trace.json": as_bytes(broken)})


@fuzzed
@given(mutated(LEGACY))
def test_a_broken_trace_of_events_survives(broken: Any) -> None:
    assert_survives(otel.IMPORTER, {"trace.json": as_bytes(broken)})


@fuzzed
@given(mangled(TracesData().SerializeToString() + b"\n\x10gen_ai.operation"))
def test_broken_protobuf_survives(broken: bytes) -> None:
    assert_survives(otel.IMPORTER, {"trace.pb": broken})
