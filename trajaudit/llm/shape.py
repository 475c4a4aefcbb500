"""Whether an answer has the shape that its endpoint promises, and what an error answer means."""

import re
from collections.abc import Mapping
from typing import Any

from trajaudit.llm.base import Endpoint

CONTEXT_OVERFLOW = "context_length_exceeded"

# What providers write when a prompt does not fit: OpenAI, vLLM, llama.cpp, Anthropic, Google,
# Mistral, Cohere, Bedrock, Ollama, TGI, LiteLLM.
_OVERFLOW = re.compile(
    r"context[_ ]length[_ ]exceeded|maximum context length|context (?:size|window|length) (?:of|is)"
    r"|exceed\w* (?:the )?(?:available |maximum |model'?s )?context|exceed_context_size"
    r"|prompt is too long|input is too long|input length .{0,40}exceed|too many (?:input )?tokens"
    r"|input token count .{0,60}exceed|prompt contains .{0,40}tokens.{0,60}(?:limit|maximum)"
    r"|too large for model with \d+ maximum context|inputs? tokens? .{0,40}must be <=?"
    r"|context_?window_?exceeded|reduce the length of the (?:messages|prompt)",
    re.IGNORECASE,
)
_STREAM_OPTIONS = re.compile(r"stream_options|include_usage", re.IGNORECASE)


def fault_of(body: Any, endpoint: Endpoint) -> str | None:
    """Say what is wrong with an answer; None: it has the promised shape."""
    if not isinstance(body, dict):
        return f"not a JSON object but {type(body).__name__}"
    if body.get("error"):
        return "an error in an answer with status 200"
    if endpoint == "responses" and body.get("status") == "failed":
        return "a response with status failed"
    if endpoint == "responses":
        return None if isinstance(body.get("output"), list) else "no list of output"
    return _fault_of_choices(body.get("choices"))


def _fault_of_choices(choices: Any) -> str | None:
    if not isinstance(choices, list) or not choices:
        return "no choices"
    for choice in choices:
        if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
            return "a choice without a message"
    return None


def error_code(body: Mapping[str, Any]) -> str | None:
    """Return `context_length_exceeded` where the text says so, else the provider's own code."""
    error = body.get("error", body)
    if isinstance(error, Mapping):
        text = " ".join(str(error.get(key, "")) for key in ("code", "type", "message", "detail"))
        code = error.get("code") or error.get("type")
    else:
        text, code = str(error), None
    if _OVERFLOW.search(text):
        return CONTEXT_OVERFLOW
    return None if code is None else str(code)


def embedded_status(body: Any) -> int | None:
    """Return the HTTP status that a router put into an error answer with status 200."""
    error = body.get("error") if isinstance(body, Mapping) else None
    code = error.get("code") if isinstance(error, Mapping) else None
    is_status = isinstance(code, int) and 400 <= code < 600
    return code if is_status else None


def refuses_stream_options(body: Mapping[str, Any]) -> bool:
    """Whether the provider refused a request because of `stream_options`."""
    return bool(_STREAM_OPTIONS.search(str(body)))
