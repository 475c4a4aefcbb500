"""The messages of a trajectory as a pool, which the model calls of an Inspect log refer to."""

from typing import Any

from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall

_STOPS = {"length": "max_tokens", "stop": "stop", "tool_calls": "tool_calls"}
_STOPS |= {"content_filter": "content_filter"}


def stop_reason(step: Step) -> str:
    """Return the reason in Inspect's words."""
    return _STOPS.get(step.finish_reason or "", "unknown")


class Pool:
    """Every message once, in order; each model call sees those of its history."""

    def __init__(self, model_id: str) -> None:
        self.model_id = model_id or "none"
        self.messages: list[dict[str, Any]] = []
        self.history: list[int] = []
        """Indices of what the agent still has before it."""
        self._places: dict[int, int] = {}
        """Seq → index."""

    def add(self, message: Message) -> None:
        """Take a message that no model call of the trial made."""
        if message.rewrites is not None:
            self._forget(message.rewrites)
        role = "system" if message.role == "developer" else message.role
        source = "input" if message.source in ("task", "user") else None
        told = {"role": role, "content": message.content, "source": source}
        if role == "tool":
            told = {"role": role, "content": message.content, "tool_call_id": message.call_id}
        self._keep(told, message.seq)

    def say(self, step: Step) -> dict[str, Any]:
        """Take the message of a step; return it as a reply."""
        content: str | list[dict[str, Any]] = step.message.content
        if step.message.reasoning:
            content = [
                {"type": "reasoning", "reasoning": step.message.reasoning},
                {"type": "text", "text": step.message.content},
            ]
        message: dict[str, Any] = {
            "role": "assistant",
            "content": content,
            "source": "generate",
            "model": self.model_id,
        }
        if step.tool_calls:
            message["tool_calls"] = [_call(call) for call in step.tool_calls]
        self._keep(message, step.message.seq)
        return message

    def observe(self, step: Step, seen: Observation) -> dict[str, Any]:
        """Take what a tool gave back; return it as an event."""
        call = next((one for one in step.tool_calls if one.call_id == seen.call_id), None)
        error = {"type": "unknown", "message": seen.content} if seen.is_error else None
        message: dict[str, Any] = {
            "role": "tool",
            "content": "" if seen.is_error else seen.content,
            "tool_call_id": seen.call_id,
            "function": seen.tool,
        }
        if error:
            message["error"] = error
        self._keep(message, seen.seq)
        return {
            "event": "tool",
            "id": seen.call_id,
            "function": seen.tool,
            "arguments": _arguments(call) if call else {},
            "result": message["content"],
            "error": error,
            "working_time": seen.duration_s,
            "message_id": message["id"],
        }

    def refs(self, rewrites: int | None) -> list[list[int]]:
        """Return the history as half-open ranges of the pool."""
        if rewrites is not None:
            self._forget(rewrites)
        ranges: list[list[int]] = []
        for index in self.history:
            if ranges and ranges[-1][1] == index:
                ranges[-1][1] = index + 1
            else:
                ranges.append([index, index + 1])
        return ranges

    def _forget(self, seq: int) -> None:
        """From the message of that seq on, the history is no longer there."""
        first = self._places.get(seq, len(self.messages))
        self.history = [index for index in self.history if index < first]

    def _keep(self, message: dict[str, Any], seq: int | None) -> None:
        index = len(self.messages)
        message["id"] = f"message-{index}"
        self.messages.append(message)
        self.history.append(index)
        if seq is not None:
            self._places[seq] = index


def _call(call: ToolCall) -> dict[str, Any]:
    told = {
        "id": call.call_id,
        "function": call.tool,
        "arguments": _arguments(call),
        "type": "function",
    }
    if not isinstance(call.arguments, dict):
        error = call.parse_error or "not an object"
        told["parse_error"] = (
            "Error parsing the following tool call arguments:\n\n"
            f"{call.arguments_text}\n\nError details: {error}"
        )
    return told


def _arguments(call: ToolCall) -> dict[str, Any]:
    return call.arguments if isinstance(call.arguments, dict) else {}
