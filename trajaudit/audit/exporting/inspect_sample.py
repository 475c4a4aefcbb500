"""One audited trial as a sample of an Inspect log, with our verdicts as its scores."""

from datetime import UTC, datetime, timedelta
from typing import Any

from trajaudit.audit.exporting.base import AuditedTrial
from trajaudit.audit.exporting.inspect_messages import Pool, stop_reason
from trajaudit.datamodel import target as kinds
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.record.importers.shapes import json_text

SCORES = ("final", "lenient", "strict")
"""The first is what readers of a log take for its verdict."""
_NOT_SCORED = float("nan")
_LIMITS = {
    "step_limit": "message",
    "time_limit": "time",
    "token_limit": "token",
    "context_overflow": "context",
}


def sample_of(one: AuditedTrial) -> dict[str, Any]:
    """Return the sample as Inspect's `EvalSample` reads it; not graded is NaN, as it is there."""
    trajectory = one.trajectory
    pool = Pool(trajectory.model_id)
    events = _events(one, pool)
    wanted, choices = _target(one.task)
    sample: dict[str, Any] = {
        "id": one.record.task_id,
        "epoch": one.record.trial,
        "input": one.task.prompt,
        "target": wanted,
        "messages": [pool.messages[index] for index in pool.history],
        "output": _output(trajectory, pool),
        "scores": _scores(one),
        "metadata": {"trajaudit": _said(one)},
        "store": {},
        "events": events,
        "events_data": {"messages": pool.messages, "calls": []},
        "model_usage": {trajectory.model_id or "none": _usage_of_all(one)},
        "attachments": {},
        "started_at": _started(one).isoformat(),
        "total_time": one.record.duration_s,
        "uuid": f"{one.record.run_id}/{one.record.task_id}/{one.record.trial}",
    }
    if choices:
        sample["choices"] = choices
    return sample | _end(one)


def _events(one: AuditedTrial, pool: Pool) -> list[dict[str, Any]]:
    tools = [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": {"type": "object", "properties": {}, **tool.parameters},
        }
        for tool in one.scenario.tools
    ]
    times = {event.seq: event.t for event in one.events}
    began = _started(one)
    found: list[dict[str, Any]] = []
    for step in one.trajectory.steps:
        for message in step.before:
            pool.add(message)
        stamp = _stamp(began, times.get(step.message.seq or 0, 0.0))
        found.append(stamp | _model_event(step, tools, pool))
        for seen in step.observations:
            stamp = _stamp(began, times.get(seen.seq or 0, 0.0))
            found.append(stamp | pool.observe(step, seen))
    for message in one.trajectory.after:
        pool.add(message)
    return found


def _model_event(step: Step, tools: list[dict[str, Any]], pool: Pool) -> dict[str, Any]:
    refs = pool.refs(step.message.rewrites)
    message = pool.say(step)
    # The raw text of the arguments has a place only in the provider's reply.
    raw = [
        {"id": call.call_id, "function": {"name": call.tool, "arguments": call.arguments_text}}
        for call in step.tool_calls
    ]
    return {
        "event": "model",
        "model": pool.model_id,
        "input": [],
        "input_refs": refs,
        "tools": tools,
        "tool_choice": "auto",
        "config": {},
        "output": {
            "model": pool.model_id,
            "choices": [{"message": message, "stop_reason": stop_reason(step)}],
            "completion": step.message.content,
            "usage": _usage(step),
        },
        "call": {"request": {}, "response": {"choices": [{"message": {"tool_calls": raw}}]}},
    }


def _usage(step: Step) -> dict[str, int]:
    usage = step.usage
    if usage is None:
        return {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
    return {
        "input_tokens": max(usage.prompt_tokens - usage.cached_tokens, 0),
        "input_tokens_cache_read": usage.cached_tokens,
        "output_tokens": usage.completion_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }


def _usage_of_all(one: AuditedTrial) -> dict[str, int]:
    record = one.record
    return {
        "input_tokens": record.prompt_tokens,
        "output_tokens": record.completion_tokens,
        "total_tokens": record.prompt_tokens + record.completion_tokens,
    }


def _output(trajectory: Trajectory, pool: Pool) -> dict[str, Any]:
    reply = trajectory.final_reply or ""
    message = {"role": "assistant", "content": reply, "source": "generate"}
    reason = "max_tokens" if trajectory.finish_reason == "length" else "stop"
    return {
        "model": pool.model_id,
        "choices": [{"message": message, "stop_reason": reason}],
        "completion": reply,
    }


def _scores(one: AuditedTrial) -> dict[str, Any]:
    outcome = one.outcome
    scores = {name: _score(one, name, getattr(outcome, name)) for name in SCORES}
    origin = one.record.origin
    if origin is not None and (origin.raw_detail or origin.raw is not None):
        scores["raw"] = {"value": _letter(outcome.raw), "explanation": origin.raw_detail}
    return scores


def _score(one: AuditedTrial, name: str, passed: bool | None) -> dict[str, Any]:
    score: dict[str, Any] = {"value": _letter(passed)}
    mode = "strict" if name == "strict" else "lenient"
    said = [verdict for verdict in one.verdicts if verdict.mode == mode]
    score["explanation"] = _explained(one, said, passed)
    reading = next((verdict.reading for verdict in said if verdict.reading is not None), None)
    if reading is not None:
        score["answer"] = reading
    if passed is None:
        score["reason"] = one.outcome.status.value
    return score


def _letter(passed: bool | None) -> str | float:
    return _NOT_SCORED if passed is None else "C" if passed else "I"


def _explained(one: AuditedTrial, said: list[Verdict], passed: bool | None) -> str:
    if passed is None:
        return one.outcome.status_detail or one.outcome.status.value
    reasons = [
        f"{verdict.scorer}: {verdict.reason}" for verdict in said if verdict.passed is passed
    ]
    return "; ".join(reasons)


def _said(one: AuditedTrial) -> dict[str, Any]:
    return {
        "run_id": one.record.run_id,
        "end_reason": one.trajectory.end_reason,
        "target": one.task.model_dump(mode="json")["target"],
        "outcome": one.outcome.model_dump(mode="json"),
        "findings": [finding.model_dump(mode="json") for finding in one.findings],
        "verdicts": [verdict.model_dump(mode="json") for verdict in one.verdicts],
    }


def _end(one: AuditedTrial) -> dict[str, Any]:
    reason, detail = one.trajectory.end_reason, one.trajectory.end_detail
    if reason in ("agent_error", "infra_error"):
        whose = "agent error: " if reason == "agent_error" else ""
        return {"error": {"message": f"{whose}{detail}", "traceback": "", "traceback_ansi": ""}}
    if reason in _LIMITS:
        return {"limit": {"type": _LIMITS[reason], "limit": _reached(one)}}
    return {}


def _reached(one: AuditedTrial) -> float:
    """Return how far the trial came: which limit was set is not kept of every trial."""
    record = one.record
    return {
        "step_limit": float(len(one.trajectory.steps)),
        "time_limit": record.duration_s,
    }.get(one.trajectory.end_reason, float(record.prompt_tokens + record.completion_tokens))


def _target(task: Task) -> tuple[str | list[str], list[str]]:
    """Return the target and the choices; what Inspect has no form for is told as JSON."""
    target = task.target
    wanted: str | list[str] = ""
    choices: list[str] = []
    match target:
        case None:
            pass
        case kinds.TextTarget(text=text, any_of=others):
            wanted = [text, *others] if others else text
        case kinds.NumberTarget(number=number, unit=None):
            wanted = str(number)
        case kinds.RubricTarget(rubric=rubric):
            wanted = rubric
        case kinds.ChoiceTarget(choice=choice, of=options) if options:
            wanted, choices = choice, list(options.values())
        case kinds.ChoicesTarget(choices=several, of=options) if options:
            wanted, choices = list(several), list(options.values())
        case _:
            wanted = json_text(target.model_dump(mode="json", exclude_defaults=True))
    return wanted, choices


def _started(one: AuditedTrial) -> datetime:
    try:
        began = datetime.fromisoformat(one.record.started)
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)
    return began if began.tzinfo else began.replace(tzinfo=UTC)


def _stamp(began: datetime, seconds: float) -> dict[str, Any]:
    return {
        "timestamp": (began + timedelta(seconds=seconds)).isoformat(),
        "working_start": seconds,
    }
