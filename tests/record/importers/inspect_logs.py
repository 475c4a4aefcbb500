"""Inspect logs of our own making, in every layout that its versions have written."""

import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import zstandard

Members = Mapping[str, Any]
ZSTD = 93
_LONG = "A long reply of the ledger. " * 20
TOOL: dict[str, Any] = {
    "name": "read_ledger",
    "description": "Read a page.",
    "parameters": {
        "type": "object",
        "properties": {"page": {"type": "integer"}},
        "required": ["page"],
    },
}
HEADER: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {
        "task": "ledger",
        "model": "mock/m1",
        "created": "2026-03-01T10:00:00+00:00",
        "dataset": {"samples": 1, "sample_ids": ["s1"]},
        "scorers": [{"name": "match"}],
    },
    "plan": {"name": "plan", "steps": [{"solver": "react"}]},
    "results": {"scores": [{"name": "match", "metrics": {"accuracy": {"value": 0.5}}}]},
}


def call(call_id: str, page: int) -> dict[str, Any]:
    return {
        "id": call_id,
        "function": "read_ledger",
        "arguments": {"page": page},
        "type": "function",
    }


POOL: list[dict[str, Any]] = [
    {"id": "m0", "role": "system", "content": "Be exact."},
    {"id": "m1", "role": "user", "content": "What is the total?", "source": "input"},
    {"id": "m2", "role": "assistant", "content": "I look.", "tool_calls": [call("c1", 1)]},
    {"id": "m3", "role": "tool", "content": "attachment://aa", "tool_call_id": "c1"},
    {"id": "m4", "role": "assistant", "content": "The total is 12."},
]


def model_event(refs: list[list[int]], reply: dict[str, Any], second: int) -> dict[str, Any]:
    return {
        "event": "model",
        "span_id": "agent",
        "timestamp": f"2026-03-01T10:00:{second:02}+00:00",
        "model": "mock/m1",
        "input": [],
        "input_refs": refs,
        "tools": [TOOL],
        "tool_choice": "auto",
        "config": {"temperature": 0.5},
        "output": {
            "model": "mock/m1",
            "choices": [{"message": reply, "stop_reason": "stop"}],
            "usage": {"input_tokens": 10, "input_tokens_cache_read": 5, "output_tokens": 3},
            "time": 0.5,
        },
    }


def span(kind: str, name: str, parent: str | None = None) -> dict[str, Any]:
    return {"event": "span_begin", "id": name, "parent_id": parent, "type": kind, "name": name}


def tool_event(**more: Any) -> dict[str, Any]:
    return {
        "event": "tool",
        "span_id": "tool-1",
        "timestamp": "2026-03-01T10:00:03+00:00",
        "id": "c1",
        "function": "read_ledger",
        "arguments": {"page": 1},
        "result": "attachment://aa",
        "working_time": 0.25,
        **more,
    }


def sample(**more: Any) -> dict[str, Any]:
    """A sample with one tool call and the right answer, and a judge that must not be read."""
    judge = model_event([[0, 1]], {"id": "j", "role": "assistant", "content": "GRADE: C"}, 9)
    return {
        "id": "s1",
        "epoch": 1,
        "input": "What is the total?",
        "target": "12",
        "messages": [],
        "output": {"model": "mock/m1", "completion": "The total is 12."},
        "scores": {"match": {"value": "C", "answer": "12"}},
        "metadata": {},
        "events": [
            span("agent", "agent"),
            model_event([[0, 2]], POOL[2], 1),
            span("tool", "tool-1", "agent"),
            tool_event(),
            {"event": "span_end", "id": "tool-1"},
            model_event([[0, 4]], POOL[4], 5),
            span("scorers", "judging"),
            judge | {"span_id": "judging"},
        ],
        "events_data": {"messages": POOL[:4], "calls": []},
        "attachments": {"aa": _LONG, "unused": "never read"},
        "uuid": "u1",
        "total_time": 6.0,
        "started_at": "2026-03-01T10:00:00+00:00",
        **more,
    }


def members(*samples: dict[str, Any], header: dict[str, Any] | None = None) -> dict[str, Any]:
    """The members of an archive whose samples are whole."""
    given = samples or (sample(),)
    found: dict[str, Any] = {"_journal/start.json": {"version": 2, "eval": HEADER["eval"]}}
    found |= {f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in given}
    return {**found, "header.json": header or HEADER}


def chunked(one: dict[str, Any]) -> dict[str, Any]:
    """The members of a sample in chunks of two, attachments by index."""
    text = json.dumps(one).replace("attachment://aa", "attachment://1")
    shell = json.loads(text)
    events, messages = shell.pop("events"), shell.pop("events_data")["messages"]
    del shell["attachments"]
    base = f"samples/{one['id']}_epoch_{one['epoch']}"
    found: dict[str, Any] = {f"{base}/sample.json": {**shell, "message_refs": [[0, len(messages)]]}}
    for name, items in (("events", events), ("messages", messages)):
        for start in range(0, len(items), 2):
            found[f"{base}/{name}/{start}.json"] = items[start : start + 2]
    found[f"{base}/events/stats.json"] = {"chunks": []}
    found[f"{base}/attachments/0.json"] = ["never read"]
    found[f"{base}/attachments/1.json"] = [_LONG]
    return found


def write(path: Path, content: Members, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write an archive; `ZSTD` packs each member as two frames, as appended ones are."""
    packed = {
        name: value if isinstance(value, bytes) else json.dumps(value).encode()
        for name, value in content.items()
    }
    if method != ZSTD:
        with zipfile.ZipFile(path, "w", method) as archive:
            for name, data in packed.items():
                archive.writestr(name, data)
        return path
    # The standard library of this Python cannot write method 93.
    body, directory = b"", b""
    for name, data in packed.items():
        half = len(data) // 2
        frames = b"".join(zstandard.compress(part) for part in (data[:half], data[half:]))
        sizes = struct.pack("<III", zlib.crc32(data), len(frames), len(data))
        common = struct.pack("<HHHHH", 63, 0, ZSTD, 0, 33) + sizes
        encoded = name.encode()
        offset = len(body)
        body += b"PK\x03\x04" + common + struct.pack("<HH", len(encoded), 0) + encoded + frames
        directory += b"PK\x01\x02" + struct.pack("<H", 63) + common
        directory += struct.pack("<HHHHHII", len(encoded), 0, 0, 0, 0, 0, offset) + encoded
    count = len(packed)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), len(body), 0)
    path.write_bytes(body + directory + b"PK\x05\x06" + end)
    return path
