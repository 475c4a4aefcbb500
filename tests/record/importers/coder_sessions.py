"""Small logs of coding agents that keep sessions: OpenHands' SDK, ATIF, Claude Code, Codex."""

import json
from typing import Any

from tests.record.importers.coder_logs import COMMANDS, PROMPT


def _run_sdk(number: int, command: str) -> list[dict[str, Any]]:
    common = {"tool_name": "terminal", "tool_call_id": f"t{number}"}
    call = {
        "id": f"t{number}",
        "name": "terminal",
        "arguments": json.dumps({"command": command}),
    }
    return [
        {
            "kind": "ActionEvent",
            "source": "agent",
            "thought": [{"type": "text", "text": "Next."}],
            "action": {"command": command, "kind": "TerminalAction"},
            "tool_call": call,
            "llm_response_id": f"r{number}",
            **common,
        },
        {
            "kind": "ObservationEvent",
            "source": "environment",
            "observation": {
                "content": [{"type": "text", "text": "ok"}],
                "is_error": False,
                "exit_code": number,
            },
            **common,
        },
    ]


def openhands_sdk() -> list[dict[str, Any]]:
    """Events of the OpenHands SDK, each the child of the one before."""
    events: list[dict[str, Any]] = [
        {
            "kind": "SystemPromptEvent",
            "source": "agent",
            "system_prompt": {"type": "text", "text": "You repair programs."},
            "tools": [],
        },
        {
            "kind": "MessageEvent",
            "source": "user",
            "llm_message": {"role": "user", "content": [{"type": "text", "text": PROMPT}]},
        },
    ]
    for number, command in enumerate(COMMANDS):
        events += _run_sdk(number, command)
    events.append(
        {
            "kind": "ActionEvent",
            "source": "agent",
            "thought": [],
            "action": {"message": "It is repaired.", "kind": "FinishAction"},
            "tool_name": "finish",
            "tool_call_id": "t9",
            "tool_call": {"id": "t9", "name": "finish", "arguments": "{}"},
            "llm_response_id": "r9",
        }
    )
    for number, event in enumerate(events):
        event |= {"id": f"e{number}", "timestamp": f"2026-01-01T00:00:{number:02}"}
        if number:
            event["parent_id"] = f"e{number - 1}"
    return events


def atif() -> dict[str, Any]:
    """An ATIF trajectory."""
    steps: list[dict[str, Any]] = [
        {"step_id": 1, "source": "system", "message": "You repair programs."},
        {"step_id": 2, "source": "user", "message": PROMPT, "timestamp": "2026-01-01T00:00:00Z"},
    ]
    for number, command in enumerate(COMMANDS):
        call = {
            "tool_call_id": f"t{number}",
            "function_name": "bash",
            "arguments": {"command": command},
        }
        steps.append(
            {
                "step_id": number + 3,
                "source": "agent",
                "timestamp": f"2026-01-01T00:00:0{number + 1}Z",
                "model_name": "vendor/model",
                "message": "Next.",
                "tool_calls": [call],
                "observation": {"results": [{"source_call_id": f"t{number}", "content": "ok"}]},
                "metrics": {"prompt_tokens": 10, "completion_tokens": 5, "cost_usd": 0.5},
            }
        )
    steps.append({"step_id": 6, "source": "agent", "message": "It is repaired."})
    return {
        "schema_version": "ATIF-v1.6",
        "session_id": "s1",
        "agent": {"name": "coder", "version": "1.0", "model_name": "vendor/model"},
        "steps": steps,
        "final_metrics": {"total_prompt_tokens": 30},
    }


def _run_claude(number: int, command: str) -> list[dict[str, Any]]:
    reply = {
        "id": f"msg_{number}",
        "role": "assistant",
        "model": "vendor-model",
        "usage": {
            "input_tokens": 4,
            "cache_read_input_tokens": 6,
            "output_tokens": 5,
        },
    }
    call = {
        "type": "tool_use",
        "id": f"t{number}",
        "name": "Bash",
        "input": {"command": command},
    }
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "ok"}
    return [
        {
            "type": "assistant",
            "message": {**reply, "content": [{"type": "thinking", "thinking": "Hm."}]},
        },
        {
            "type": "assistant",
            "message": {**reply, "content": [{"type": "text", "text": "Next."}]},
        },
        {
            "type": "assistant",
            "message": {**reply, "content": [call], "stop_reason": "tool_use"},
        },
        {"type": "user", "message": {"role": "user", "content": [result]}},
    ]


def claude_code() -> list[dict[str, Any]]:
    """A session of Claude Code; replies are split into records as the program splits them."""
    records: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": PROMPT}},
    ]
    for number, command in enumerate(COMMANDS):
        records += _run_claude(number, command)
    final = {
        "id": "msg_9",
        "role": "assistant",
        "model": "vendor-model",
        "content": [{"type": "text", "text": "It is repaired."}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    records.append({"type": "assistant", "message": final})
    for number, record in enumerate(records):
        record |= {
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "sessionId": "s1",
            "isSidechain": False,
            "version": "2.0.1",
            "cwd": "/repo",
            "timestamp": f"2026-01-01T00:00:{number:02}.000Z",
        }
    return [{"type": "summary", "summary": "Sums", "leafUuid": "u0"}, *records]


def codex() -> list[dict[str, Any]]:
    """A rollout of Codex CLI."""
    context = "<environment_context>\n<cwd>/repo</cwd>\n</environment_context>"
    items: list[tuple[str, dict[str, Any]]] = [
        ("session_meta", {"id": "s1", "cwd": "/repo", "cli_version": "0.50.0"}),
        ("response_item", _said("user", context)),
        ("response_item", _said("user", PROMPT)),
        ("event_msg", {"type": "user_message", "message": PROMPT}),
        ("turn_context", {"model": "vendor-model", "cwd": "/repo"}),
    ]
    for number, command in enumerate(COMMANDS):
        arguments = json.dumps({"command": ["bash", "-lc", command]})
        told = json.dumps({"output": "ok", "metadata": {"exit_code": number}})
        used = {"input_tokens": 10 * (number + 1), "output_tokens": 5 * (number + 1)}
        items += [
            ("response_item", {"type": "reasoning", "summary": [{"text": "Hm."}]}),
            ("response_item", _said("assistant", "Next.")),
            (
                "response_item",
                {
                    "type": "function_call",
                    "name": "shell",
                    "arguments": arguments,
                    "call_id": f"t{number}",
                },
            ),
            ("event_msg", {"type": "token_count", "info": {"total_token_usage": used}}),
            ("event_msg", {"type": "token_count", "info": {"total_token_usage": used}}),
            (
                "response_item",
                {"type": "function_call_output", "call_id": f"t{number}", "output": told},
            ),
        ]
    items.append(("response_item", _said("assistant", "It is repaired.")))
    return [
        {"timestamp": f"2026-01-01T00:00:{number:02}.000Z", "type": kind, "payload": payload}
        for number, (kind, payload) in enumerate(items)
    ]


def _said(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
