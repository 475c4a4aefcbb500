"""Tells what Inspect's own reader finds in logs; run by a Python that has `inspect-ai`.

`inspect_facts.py LOG...` prints a JSON object: name of a log → its samples as `facts` has them.
"""

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai.log import read_eval_log


def facts(sample: Any) -> dict[str, Any]:
    """What an import must not lose of a sample."""
    agents = list(_of_the_agent(sample.events))
    said = [one.output for one in agents if one.event == "model" and _replied(one)]
    limit = getattr(sample, "limit", None)
    return {
        "id": sample.id,
        "epoch": sample.epoch,
        "completion": sample.output.completion,
        "target": sample.target,
        "scores": {name: _value(one.value) for name, one in (sample.scores or {}).items()},
        "error": sample.error.message if sample.error else None,
        "limit": limit.type if limit else None,
        "steps": [_step(output) for output in said],
        "observations": [
            [
                one.id,
                one.function,
                one.error.message if one.error else _text(one.result),
                one.error is not None,
            ]
            for one in _flat(agents)
            if one.event == "tool"
        ],
        "asked": _text(_first_user(sample)),
    }


def _first_user(sample: Any) -> Any:
    return next((one.content for one in sample.messages if one.role == "user"), "")


def _of_the_agent(events: list[Any]) -> Any:
    """Yield events that no scorer made: those outside of its step, or of its spans."""
    judging, depth = set(), 0
    for event in events:
        kind = event.event
        if kind == "step" and event.type == "scorer":
            depth += 1 if event.action == "begin" else -1
        if kind == "span_begin" and (
            event.type in ("scorer", "scorers") or event.parent_id in judging
        ):
            judging.add(event.id)
        is_agents = not depth and getattr(event, "span_id", None) not in judging
        if is_agents and not getattr(event, "pending", None):
            yield event


def _replied(event: Any) -> bool:
    """Whether a call was answered: one that failed keeps an empty message in place of a reply."""
    failed = getattr(event, "error", None) or event.output.error
    said = [one.message for one in event.output.choices]
    return bool(said) and not (failed and not said[0].text and not said[0].tool_calls)


def _flat(events: list[Any]) -> Any:
    for event in events:
        yield from _flat(getattr(event, "events", None) or [])
        yield event


def _step(output: Any) -> dict[str, Any]:
    message = output.choices[0].message
    usage = output.usage
    return {
        "text": message.text,
        "reasoning": _reasoning(message),
        "calls": [[one.id, one.function, one.arguments] for one in message.tool_calls or []],
        "stop": output.choices[0].stop_reason,
        "tokens": [usage.input_tokens, usage.output_tokens] if usage else None,
    }


def _reasoning(message: Any) -> str:
    parts = message.content if isinstance(message.content, list) else []
    found = [one.reasoning for one in parts if one.type == "reasoning"]
    return "\n".join(found) or getattr(message, "reasoning", None) or ""


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(one.text for one in content if one.type == "text")
    return str(content)


def _value(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value  # noqa: PLR0124


def told(path: str) -> dict[str, Any]:
    log = read_eval_log(path, resolve_attachments=True)
    samples = sorted(log.samples or [], key=lambda one: (str(one.id), one.epoch))
    return {"status": log.status, "samples": [facts(one) for one in samples]}


if __name__ == "__main__":
    json.dump({Path(path).name: told(path) for path in sys.argv[1:]}, sys.stdout)
