"""SWE-agent trajectories (`.traj`).

| here | there |
|---|---|
| step | an entry of `trajectory` |
| call, raw arguments | `tool_calls` of its message in `history`; else `action` as a command |
| reply of a tool | `observation`; `execution_time` |
| prompt | the first message of a user in `history` that is no demonstration |
| answer | `info.submission`, a patch or a flag |
| end | `info.exit_status` |
| tokens, cost | `info.model_stats`, for the whole trial |

Editing commands of its text interface (`edit 3:5`) name the file that was open as `path`.
"""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, Totals, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import calls_of, text_of
from trajaudit.record.importers.coding import SHELL, command_arguments, instance_metadata
from trajaudit.record.importers.json_source import document, head_keys, loads
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

NAME = "swe_agent"
_STEP = frozenset({"action", "observation", "response", "thought"})
_KNOWN = frozenset({"environment", "trajectory", "history", "info", "replay_config"})
_KNOWN_STEP = _STEP | {"execution_time", "query", "messages", "state", "extra_info"}
_KNOWN_INFO = frozenset(
    {"exit_status", "submission", "model_stats", "swe_agent_hash", "swe_agent_version"}
    # Views of the same patch, with more lines around it.
    | {"edited_files30", "edited_files50", "edited_files70"}
)
_KNOWN_MESSAGE = frozenset(
    {"role", "content", "message_type", "agent", "is_demo", "thought", "action", "tool_calls"}
    | {"tool_call_ids", "tags", "cache_control", "thinking_blocks"}
)
_EDITS = frozenset({"edit", "create", "insert", "append", "str_replace_editor"})
_ENDS: dict[str, EndReason] = {
    "exit_cost": "token_limit",
    "exit_context": "context_overflow",
    "exit_format": "agent_error",
    "exit_command_timeout": "time_limit",
    "exit_total_execution_time": "time_limit",
    "exit_forfeit": "replied",
}


def sniff(source: Source) -> bool:
    """A `.traj` with a history, or a JSON whose steps have an action, a thought and a response."""
    if source.is_folder or not source.head.lstrip().startswith(b"{"):
        return False
    keys = head_keys(source)
    if source.path.suffix == ".traj":
        return bool(keys & {"trajectory", "history"})
    return source.path.suffix == ".json" and "trajectory" in keys and keys >= _STEP


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield the one trial of a file."""

    def make(found: Any) -> ForeignTrial | None:
        return _Reader(as_dict(found), source, losses).trial()

    yield from mapped(iter([(source.name, document(source))]), make, losses, "trajectory")


class _Reader:
    def __init__(self, found: dict[str, Any], source: Source, losses: Losses) -> None:
        self._source = source
        self._losses = losses
        self._builder = TrialBuilder(losses)
        self._info = as_dict(found.get("info"))
        self._config = _config(found.get("replay_config"))
        self._steps = [as_dict(step) for step in as_list(found.get("trajectory"))]
        self._history = self._spoken(as_list(found.get("history")))
        self._open_file = ""
        self._last_command = ""
        losses.unknown("", found, _KNOWN)
        losses.unknown("info", self._info, _KNOWN_INFO)

    def trial(self) -> ForeignTrial | None:
        prompt = self._opening()
        if self._steps:
            self._trajectory()
        elif self._history:
            self._history_alone()
        if not any(getattr(event, "role", "") == "assistant" for event in self._builder.events):
            self._losses.malformed("trajectory", "no step of an agent")
            return None
        end, detail = self._end()
        submission = as_text(self._info.get("submission"))
        if submission.strip():
            self._builder.submit(submission)
        events = self._builder.end(end, detail)
        name, facts = self._instance()
        version = as_text(self._info.get("swe_agent_version"))
        return ForeignTrial(
            task=make_task(task_id(name), prompt, self._losses, metadata=facts),
            events=events,
            origin=Origin(
                source=self._source.name,
                format=NAME,
                source_id=name,
                agent=" ".join(filter(None, ("swe-agent", version))),
                model_id=as_text(_inside(self._config, "agent", "model", "name")),
                raw_detail=f"exit_status={detail}" if detail else "",
            ),
            duration_s=sum(as_number(step.get("execution_time")) or 0.0 for step in self._steps),
            totals=self._totals(),
        )

    def _spoken(self, history: list[Any]) -> list[dict[str, Any]]:
        """Return the messages without the demonstrations that were put before them."""
        messages = [as_dict(message) for message in history]
        demos = [message for message in messages if message.get("is_demo")]
        if demos:
            self._losses.dropped("history.is_demo", as_text(demos[0].get("content")), len(demos))
        for message in messages:
            self._losses.unknown("history", message, _KNOWN_MESSAGE)
        return [message for message in messages if not message.get("is_demo")]

    def _opening(self) -> str:
        """Tell what stands before the first message of the agent; return the prompt."""
        prompt = ""
        for message in self._history:
            if message.get("role") == "assistant":
                break
            text = text_of(message.get("content"), self._losses)
            if message.get("role") == "system":
                self._builder.prompt("system", text)
            else:
                self._builder.prompt("user", text, first=not prompt)
                prompt = prompt or text
        return prompt

    def _trajectory(self) -> None:
        said = [one for one in self._history if one.get("role") == "assistant"]
        for step in self._steps:
            self._losses.unknown("trajectory", step, _KNOWN_STEP)
            if step.get("extra_info"):
                self._losses.dropped("trajectory.extra_info", step["extra_info"])
            message = said.pop(0) if said and _same(step, said[0]) else {}
            self._step(step, message, as_text(step.get("observation")))
            self._open_file = _open_file(step.get("state")) or self._open_file

    def _history_alone(self) -> None:
        """Read a log that has only messages: what follows a message of the agent answers it."""
        self._losses.guessed("trajectory", "the log holds only the history of messages")
        for number, message in enumerate(self._history):
            if message.get("role") == "assistant":
                reply = as_dict(next(iter(self._history[number + 1 :]), None))
                answered = bool(reply) and reply.get("role") != "assistant"
                text = text_of(reply.get("content"), self._losses) if answered else None
                step = {**message, "response": text_of(message.get("content"), self._losses)}
                self._step(step, message, text)

    def _step(self, step: dict[str, Any], message: dict[str, Any], reply: str | None) -> None:
        action = as_text(step.get("action"))
        calls = [
            self._builder.request(tool, arguments, call_id)
            for call_id, tool, arguments in calls_of(message, self._losses)
        ]
        if not calls and action.strip():
            calls = [self._builder.request(*self._command(action))]
        self._last_command = action.strip() or (calls[-1].tool if calls else "")
        content = first(step, "response", "thought")
        self._builder.assistant(as_text(content), calls=calls, reasoning=_reasoning(message))
        if calls and reply is not None:
            seconds = as_number(step.get("execution_time")) or 0.0
            self._builder.answer(calls[0].call_id, reply, duration_s=seconds)
        elif reply:
            self._builder.prompt("user", reply, harness=True)

    def _command(self, action: str) -> tuple[str, str]:
        word = action.split(None, 1)[0]
        if word not in _EDITS:
            return SHELL, command_arguments(action)
        words = [part.strip("'\"") for part in action.split()]
        place = {"create": 1, "str_replace_editor": 2}.get(word)
        path = self._open_file if place is None else "".join(words[place : place + 1])
        tool = "open" if words[1:2] == ["view"] else word
        return tool, command_arguments(action, **({"path": path} if path else {}))

    def _end(self) -> tuple[EndReason, str]:
        status = as_text(self._info.get("exit_status"))
        inner = status.removeprefix("submitted").strip(" ()")
        if status == "submitted" or (not status and self._last_command.startswith("submit")):
            return "replied", status
        if not status:
            return "infra_error", "the log has no exit status"
        return _ENDS.get(inner, "infra_error"), status

    def _instance(self) -> tuple[str, dict[str, str]]:
        problem = as_dict(self._config.get("problem_statement"))
        problem = problem or as_dict(_inside(self._config, "env", "problem_statement"))
        repo = as_dict(_inside(self._config, "env", "repo"))
        name = as_text(problem.get("id")) or PurePath(self._source.path.name).stem
        facts = instance_metadata(
            name,
            repo=first(repo, "github_url", "repo_name", "path"),
            base_commit=repo.get("base_commit"),
        )
        return name, facts

    def _totals(self) -> Totals | None:
        stats = as_dict(self._info.get("model_stats"))
        if not stats:
            return None
        return Totals(
            model_calls=as_count(stats.get("api_calls")),
            prompt_tokens=as_count(stats.get("tokens_sent")),
            completion_tokens=as_count(stats.get("tokens_received")),
            cost_usd=as_number(first(stats, "instance_cost", "total_cost")),
        )


def _same(step: dict[str, Any], message: dict[str, Any]) -> bool:
    """Whether a message of the history is what a step of the trajectory came from.

    Replies that could not be read as an action stand in the trajectory only.
    """
    if as_text(step.get("action")).strip() != as_text(message.get("action")).strip():
        return False
    texts = {as_text(step.get("response")).strip(), as_text(step.get("thought")).strip()}
    return bool(texts & {as_text(message.get(key)).strip() for key in ("content", "thought")})


def _reasoning(message: dict[str, Any]) -> str | None:
    blocks = map(as_dict, as_list(message.get("thinking_blocks")))
    return "\n".join(as_text(block.get("thinking")) for block in blocks) or None


def _open_file(state: Any) -> str:
    if isinstance(state, str):
        try:
            state = loads(state.encode("utf-8", "replace"))
        except ValueError:
            return ""
    name = as_text(as_dict(state).get("open_file"))
    return "" if name == "n/a" else name


def _config(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = loads(value.encode("utf-8", "replace"))
        except ValueError:
            return {}
    return as_dict(value)


def _inside(value: Any, *path: str) -> Any:
    for key in path:
        value = as_dict(value).get(key)
    return value


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="SWE-agent trajectories (.traj), calls as text and as functions",
)
