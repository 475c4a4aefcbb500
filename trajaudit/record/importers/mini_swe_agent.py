"""mini-swe-agent trajectories (`.traj.json`): bare lists of messages, versions 1, 1.1 and 2.

| here | there |
|---|---|
| step | message of role assistant |
| call | `extra.actions`, `tool_calls`, or the one fenced command of the text |
| reply of a tool | message of role tool, else the user message after a command |
| answer | `info.submission`; in a bare list what follows the command that submits |
| end | `info.exit_status`; in a bare list the command that submits |
| tokens, cost | `extra.cost` and usage of each message; else `info.model_stats` |
"""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from trajaudit.datamodel.event import EndReason, RequestedCall, Usage
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, Totals, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import calls_of, text_of
from trajaudit.record.importers.coding import (
    SHELL,
    Clock,
    command_arguments,
    failed_end,
    finish_reason,
    instance_metadata,
    parts_text,
)
from trajaudit.record.importers.json_source import document
from trajaudit.record.importers.losses import Losses
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

NAME = "mini_swe_agent"
_FORMAT = b'"mini-swe-agent-'
_COMMAND = re.compile(r"```(?:mswea_bash_command|bash)[ \t]*\n(.*?)\n?```", re.DOTALL)
_SUBMITS = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_RETURNCODE = re.compile(r"\s*<returncode>(-?\d{1,9})</returncode>")
_KNOWN = frozenset({"info", "messages", "trajectory_format", "instance_id"})
_KNOWN_INFO = frozenset(
    {"model_stats", "config", "mini_version", "exit_status", "submission", "api_calls"}
)
_KNOWN_MESSAGE = frozenset(
    {"role", "content", "tool_calls", "tool_call_id", "extra", "timestamp", "thinking_blocks"}
    | {"reasoning_content", "function_call", "name", "object", "type", "output", "call_id", "id"}
    | {"provider_specific_fields", "annotations", "audio", "refusal"}
)
_KNOWN_EXTRA = frozenset(
    {"actions", "cost", "timestamp", "response", "returncode", "exit_status", "submission"}
    | {"raw_output", "exception", "exception_info", "exception_type", "model_response"}
    | {"format_error_response"}
)
_ENDS: dict[str, EndReason] = {
    "Submitted": "replied",
    "FormatError": "agent_error",
    "RepeatedFormatError": "agent_error",
    "TimeExceeded": "time_limit",
}


def sniff(source: Source) -> bool:
    """Its format's name in the head, or a `.traj.json` that is a list of messages."""
    if source.is_folder or source.path.suffix != ".json":
        return False
    head = source.head.lstrip()
    if source.path.name.endswith(".traj.json"):
        return b'"role"' in head or b'"messages"' in head or _FORMAT in head
    return head.startswith(b"{") and (_FORMAT in head or b'"mini_version"' in head)


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield the one trial of a file."""

    def make(found: Any) -> ForeignTrial | None:
        return _Reader(found, source, losses).trial()

    yield from mapped(iter([(source.name, document(source))]), make, losses, "trajectory")


class _Reader:
    def __init__(self, found: Any, source: Source, losses: Losses) -> None:
        fields = as_dict(found)
        self._source = source
        self._losses = losses
        self._builder = TrialBuilder(losses)
        self._info = as_dict(fields.get("info"))
        self._config = as_dict(self._info.get("config"))
        self._messages = [as_dict(one) for one in as_list(found) or as_list(fields.get("messages"))]
        self._instance = as_text(fields.get("instance_id")) or _stem(source)
        self._clock = Clock()
        self._model = _model(self._config)
        self._open: list[RequestedCall] = []
        """Commands whose reply comes as the next message of the user."""
        self._steps = 0
        self._submitted: str | None = None
        self._costs = False
        losses.unknown("", fields, _KNOWN)
        losses.unknown("info", self._info, _KNOWN_INFO)

    def trial(self) -> ForeignTrial | None:
        prompt = ""
        for message in self._messages:
            self._losses.unknown("message", message, _KNOWN_MESSAGE)
            extra = as_dict(message.get("extra"))
            self._losses.unknown("message.extra", extra, _KNOWN_EXTRA)
            self._builder.t = self._clock.at(extra.get("timestamp"))
            prompt = self._take(message, extra, prompt)
        if not self._steps:
            self._losses.malformed("trajectory", "no message of an assistant")
            return None
        end, detail = self._end()
        submission = as_text(self._info.get("submission")) or self._submitted or ""
        if submission.strip():
            self._builder.submit(submission)
        version = as_text(self._info.get("mini_version"))
        return ForeignTrial(
            task=make_task(
                task_id(self._instance),
                prompt,
                self._losses,
                metadata=instance_metadata(self._instance),
            ),
            events=self._builder.end(end, detail),
            origin=Origin(
                source=self._source.name,
                format=NAME,
                source_id=self._instance,
                agent=" ".join(filter(None, ("mini-swe-agent", version))),
                model_id=self._model,
                raw_detail=f"exit_status={detail}" if detail else "",
            ),
            duration_s=self._clock.seconds,
            totals=self._totals(),
        )

    def _take(self, message: dict[str, Any], extra: dict[str, Any], prompt: str) -> str:
        role = message.get("role")
        if role == "assistant" or message.get("object") == "response":
            self._assistant(message, extra)
        elif role == "tool" or message.get("type") == "function_call_output":
            text = parts_text(first(message, "content", "output"))
            call_id = as_text(first(message, "tool_call_id", "call_id")) or None
            self._builder.answer(call_id, text, is_error=_failed(extra, text))
        elif role == "system":
            self._builder.prompt("system", text_of(message.get("content"), self._losses))
        elif role == "user":
            return self._user(text_of(message.get("content"), self._losses), extra, prompt)
        elif role != "exit":
            self._losses.malformed("message.role", repr(role))
        return prompt

    def _user(self, text: str, extra: dict[str, Any], prompt: str) -> str:
        if self._open:
            call = self._open.pop(0)
            self._builder.answer(call.call_id, text, is_error=_failed(extra, text))
            if any(word in call.arguments_text for word in _SUBMITS):
                self._submitted = text
            return prompt
        # After the task it is the framework that speaks: of a wrong format, or of a limit.
        self._builder.prompt("user", text, first=not prompt, harness=bool(prompt))
        return prompt or text

    def _assistant(self, message: dict[str, Any], extra: dict[str, Any]) -> None:
        self._steps += 1
        content, reasoning, asked = _said(message, self._losses)
        commands = [as_dict(action) for action in as_list(extra.get("actions"))]
        if not asked and commands:
            asked = [(None, SHELL, action_text(action)) for action in commands]
        fenced = _COMMAND.findall(content)
        if not asked and len(fenced) == 1:
            asked = [(None, SHELL, command_arguments(fenced[0]))]
        calls = [self._builder.request(tool, args, call_id) for call_id, tool, args in asked]
        self._open = list(calls) if all(call_id is None for call_id, _, _ in asked) else []
        self._builder.assistant(
            content,
            calls=calls,
            reasoning=reasoning or None,
            model_call=self._model_call(as_dict(first(extra, "response", "model_response")), extra),
        )

    def _model_call(self, response: dict[str, Any], extra: dict[str, Any]) -> int | None:
        cost = as_number(extra.get("cost"))
        if not response and cost is None:
            return None
        self._costs = True
        self._model = self._model or as_text(response.get("model"))
        usage = as_dict(response.get("usage"))
        choice = as_dict(next(iter(as_list(response.get("choices"))), None))
        return self._builder.model_call(
            as_text(response.get("model")) or self._model,
            usage=Usage(
                prompt_tokens=as_count(first(usage, "prompt_tokens", "input_tokens")),
                completion_tokens=as_count(first(usage, "completion_tokens", "output_tokens")),
            ),
            cost_usd=cost,
            finish_reason=finish_reason(choice.get("finish_reason")),
        )

    def _end(self) -> tuple[EndReason, str]:
        last = as_dict(self._messages[-1].get("extra")) if self._messages else {}
        status = as_text(self._info.get("exit_status") or last.get("exit_status"))
        if not status:
            done = self._submitted is not None
            return ("replied", "") if done else ("infra_error", "the log has no exit status")
        if status == "LimitsExceeded":
            steps = as_count(as_dict(self._config.get("agent")).get("step_limit"))
            return ("step_limit" if 0 < steps <= self._steps else "token_limit"), status
        return _ENDS.get(status) or failed_end(status), status

    def _totals(self) -> Totals | None:
        stats = as_dict(self._info.get("model_stats"))
        if self._costs or not stats:
            return None
        return Totals(
            model_calls=as_count(stats.get("api_calls")),
            cost_usd=as_number(stats.get("instance_cost")),
        )


def action_text(action: dict[str, Any]) -> str:
    """Return the arguments of an action that the log has already read from the reply."""
    return command_arguments(as_text(action.get("command")))


def _said(
    message: dict[str, Any], losses: Losses
) -> tuple[str, str, list[tuple[str | None, str, Any]]]:
    """Return text, reasoning and calls of a message, in the form of chats or of responses."""
    if message.get("object") != "response":
        reasoning = as_text(message.get("reasoning_content"))
        return text_of(message.get("content"), losses), reasoning, calls_of(message, losses)
    texts, thoughts, calls = [], [], []
    for item in map(as_dict, as_list(message.get("output"))):
        if item.get("type") == "message":
            texts.append(parts_text(item.get("content")))
        elif item.get("type") == "reasoning":
            thoughts.append(parts_text(item.get("summary")))
        elif item.get("type") == "function_call":
            call_id = as_text(item.get("call_id")) or None
            calls.append((call_id, as_text(item.get("name")), item.get("arguments")))
        else:
            losses.dropped("message.output", item.get("type"))
    return "\n".join(texts), "\n".join(thoughts), calls


def _failed(extra: dict[str, Any], text: str) -> bool:
    """Whether a command failed: by its exit status, as the log holds it or tells the agent."""
    code = extra.get("returncode")
    if extra.get("exception_type"):
        return True
    if isinstance(code, int):
        return code != 0
    told = _RETURNCODE.match(text)
    return told is not None and int(told[1]) != 0


def _model(config: dict[str, Any]) -> str:
    return as_text(as_dict(config.get("model")).get("model_name"))


def _stem(source: Source) -> str:
    return PurePath(source.path.name).name.removesuffix(".json").removesuffix(".traj")


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="mini-swe-agent trajectories (.traj.json), lists and versions 1, 1.1 and 2",
)
