"""Steps of ATIF trajectories, with those of the subagents that they started."""

import re
from pathlib import Path
from typing import Any

from trajaudit.datamodel.event import RequestedCall, Usage
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.base import ODD
from trajaudit.record.importers.beside import json_beside
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import text_of, tools_of
from trajaudit.record.importers.coding import Clock
from trajaudit.record.importers.json_source import loads
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    as_count,
    as_dict,
    as_list,
    as_number,
    as_text,
    first,
    json_text,
)

_STEP = frozenset(
    {"step_id", "timestamp", "source", "model_name", "reasoning_effort", "message"}
    | {"reasoning_content", "tool_calls", "observation", "metrics", "llm_call_count"}
    | {"is_copied_context", "extra"}
)
_CALL = frozenset({"tool_call_id", "function_name", "arguments", "extra"})
_RESULT = frozenset({"source_call_id", "content", "subagent_trajectory_ref", "extra"})
_ANSWERS = frozenset({"finish", "submit"})
_FUNCTION = re.compile(r"<function=([\w.-]{1,80})>(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]{1,80})>(.*?)</parameter>", re.DOTALL)
_DEEPEST = 20


class StepReader:
    """Tells a trajectory to a builder, part by part."""

    def __init__(self, losses: Losses, beside: Path | None) -> None:
        """`beside`: folder in which files of subagents are looked for; None: nowhere."""
        self.builder = TrialBuilder(losses)
        self.clock = Clock()
        self.prompt = ""
        self.started = ""
        self.who: dict[str, str] = {}
        """Name of the agent and its model, as `Origin` has them."""
        self.tools: tuple[ToolSpec, ...] = ()
        self.steps = 0
        self.parts = 0
        self.metered = False
        """Steps tell what they used."""
        self._losses = losses
        self.beside = beside
        self._task_seq: int | None = None
        self._before: list[Any] = []
        """Steps of the part that was read last."""
        self._files: set[str] = set()
        """Files of subagents that were read: each once, whatever refers to whatever."""

    def read(self, found: dict[str, Any], *, copied: bool) -> None:
        """Take a trajectory; `copied`: also its steps that were copied from an earlier part."""
        self.parts += 1
        agent = as_dict(found.get("agent"))
        if self.parts == 1:
            name = " ".join(filter(None, (as_text(agent.get(key)) for key in ("name", "version"))))
            self.who = {"agent": name, "model_id": as_text(agent.get("model_name"))}
            self.tools = tools_of(agent.get("tool_definitions"), self._losses)
        steps = as_list(found.get("steps"))
        if self._before and steps[: len(self._before)] == self._before:
            # An agent that resumes its session writes all of it again.
            found = {**found, "steps": steps[len(self._before) :]}
        self._before = steps
        self._steps(found, copied=copied, depth=0)

    def _steps(self, found: dict[str, Any], *, copied: bool, depth: int) -> None:
        inner = {
            as_text(first(one, "trajectory_id", "session_id")): one
            for one in map(as_dict, as_list(found.get("subagent_trajectories")))
        }
        used: set[str] = set()
        for step in map(as_dict, as_list(found.get("steps"))):
            if step.get("is_copied_context") is True and not copied:
                continue
            self._losses.unknown("step", step, _STEP)
            if not self.started and isinstance(step.get("timestamp"), str):
                self.started = step["timestamp"][:40]
            self.builder.t = self.clock.at(step.get("timestamp"))
            self._step(step, inner, used, depth)
        for name in inner.keys() - used:
            self._losses.dropped("subagent_trajectories", f"{name!r} is referred to nowhere")

    def _step(
        self, step: dict[str, Any], inner: dict[str, Any], used: set[str], depth: int
    ) -> None:
        calls: list[RequestedCall] = []
        source = step.get("source")
        text = text_of(step.get("message"), self._losses)
        if source == "agent":
            calls = self._agent(step, text)
        elif source in {"user", "system"}:
            self._told(step, text, inner=depth > 0)
        else:
            self._losses.malformed("step.source", repr(source))
        for result in _results(step.get("observation")):
            self._losses.unknown("observation.results", result, _RESULT)
            self._subagents(result, inner, used, depth)
            self._result(result, calls)

    def _told(self, step: dict[str, Any], text: str, *, inner: bool) -> None:
        if step.get("source") == "system":
            change = as_dict(as_dict(step.get("extra")).get("context_management"))
            rewrites = self._task_seq if change.get("boundary") in {"replace", "truncate"} else None
            role = "user" if self.steps else "system"
            self.builder.prompt(
                "user" if role == "user" else "system", text, harness=True, rewrites=rewrites
            )
            return
        seq = self.builder.prompt("user", text, first=not self.prompt, harness=inner)
        self._task_seq = self._task_seq or seq
        self.prompt = self.prompt or text

    def _agent(self, step: dict[str, Any], text: str) -> list[RequestedCall]:
        calls = []
        for call in map(as_dict, as_list(step.get("tool_calls"))):
            self._losses.unknown("tool_calls", call, _CALL)
            name, call_id = as_text(call.get("function_name")), as_text(call.get("tool_call_id"))
            calls.append(self.builder.request(name, call.get("arguments"), call_id or None))
        if not calls:
            calls = [self.builder.request(name, args) for name, args in _written(text)]
            if calls:
                self._losses.guessed("tool_calls", f"{calls[0].tool}, read from the message")
        self.steps += 1
        self.builder.assistant(
            text,
            calls=calls,
            reasoning=as_text(step.get("reasoning_content")) or None,
            model_call=self._model_call(step),
        )
        for made in calls:
            if made.tool in _ANSWERS:
                self._submit(made)
        return calls

    def _submit(self, call: RequestedCall) -> None:
        try:
            arguments = as_dict(loads(call.arguments_text.encode("utf-8", "replace")))
        except ODD:
            return
        answer = as_text(first(arguments, "message", "answer", "content"))
        if answer:
            self.builder.submit(answer)

    def _model_call(self, step: dict[str, Any]) -> int | None:
        metrics = as_dict(step.get("metrics"))
        model = as_text(step.get("model_name")) or self.who.get("model_id", "")
        if step.get("llm_call_count") == 0 or not (metrics or model):
            return None
        self.metered |= bool(metrics)
        self.who["model_id"] = self.who.get("model_id") or model
        return self.builder.model_call(
            model,
            usage=Usage(
                prompt_tokens=as_count(metrics.get("prompt_tokens")),
                completion_tokens=as_count(metrics.get("completion_tokens")),
                cached_tokens=as_count(metrics.get("cached_tokens")),
            )
            if metrics
            else None,
            cost_usd=as_number(metrics.get("cost_usd")),
        )

    def _result(self, result: dict[str, Any], calls: list[RequestedCall]) -> None:
        text = text_of(result.get("content"), self._losses)
        call_id = as_text(result.get("source_call_id")) or None
        if call_id is None and len(calls) == 1:
            call_id = calls[0].call_id
        if call_id is None and not calls:
            if text:
                self.builder.prompt("user", text, harness=True)
            return
        self.builder.answer(call_id, text)

    def _subagents(
        self, result: dict[str, Any], inner: dict[str, Any], used: set[str], depth: int
    ) -> None:
        for ref in map(as_dict, as_list(result.get("subagent_trajectory_ref"))):
            name = as_text(first(ref, "trajectory_id", "session_id"))
            found = inner.get(name) if name not in used else None
            path = as_text(ref.get("trajectory_path"))
            if found is None and path not in self._files and self.beside is not None:
                self._files.add(path)
                found = json_beside(self.beside, self._losses, path)
            if not isinstance(found, dict) or depth >= _DEEPEST:
                self._losses.dropped("subagent_trajectory_ref", path or name)
                continue
            used.add(name)
            self._losses.guessed("subagent", f"steps of {name!r} stand before the reply it gave")
            self._steps(found, copied=True, depth=depth + 1)


def _results(observation: Any) -> list[dict[str, Any]]:
    """Return the results of a step; some write a bare text in their place."""
    if isinstance(observation, str):
        return [{"content": observation}]
    return [as_dict(one) for one in as_list(as_dict(observation).get("results"))]


def _written(text: str) -> list[tuple[str, str]]:
    """Return the calls that a message spells out, as agents without function calling write them.

    `<function=name><parameter=key>value</parameter></function>`, or a JSON object whose `commands`
    are keystrokes for a terminal.
    """
    found = [
        (name, json_text({key: value.strip("\n") for key, value in _PARAMETER.findall(body)}))
        for name, body in _FUNCTION.findall(text[:200_000])
    ]
    if found or '"keystrokes"' not in text:
        return found
    try:
        commands = as_list(as_dict(loads(text.strip().encode("utf-8", "replace"))).get("commands"))
    except ODD:
        return []
    keys = [as_text(as_dict(command).get("keystrokes")) for command in commands]
    typed = "".join(key if key.endswith("\n") else f"{key}\n" for key in keys if key)
    return [("bash_command", json_text({"keystrokes": typed}))] if typed else []
