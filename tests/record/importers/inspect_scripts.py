"""What scripted models say in logs that `inspect_writer` writes, and the provider that says it.

Runs under a Python that has `inspect-ai`. Which script is told by the name in brackets that a
question begins with; which line of it, by how often the model spoke.
"""

import asyncio
import json
import re
from typing import Any

import inspect_ai.model as models
from inspect_ai.model import ChatMessageAssistant, ModelAPI, ModelOutput
from inspect_ai.model._model_call import ModelCall
from inspect_ai.tool import ToolCall

LONG = "A long page of the ledger, which nobody reads twice. "
Said = dict[str, Any]


def say(text: Any, *calls: tuple[str, Any], **more: Any) -> Said:
    return {"text": text, "calls": calls, **more}


def look(page: Any) -> tuple[str, Any]:
    return "read_ledger", {"page": page}


def _reasoned() -> Any:
    if not hasattr(models, "ContentReasoning"):
        return "The total is 12."
    thought = models.ContentReasoning(reasoning="6 and 6 are 12.")
    return [thought, models.ContentText(text="The total is 12.")]


def _parts() -> Any:
    return [models.ContentText(text="The total "), models.ContentText(text="is 12.")]


SCRIPTS: dict[str, list[Said]] = {
    "plain": [say("The total is 12.")],
    "tools": [
        say("I look at two pages.", look(1), look(2)),
        say("And at one more.", look(900)),
        say(LONG * 40, look(3)),
        say("The total is 12."),
    ],
    "failing": [
        say("", look(13)),
        say("", look("many")),
        say("", ("no_such_tool", {"x": 1})),
        say("", ("read_ledger", None)),
        say("The total is 12."),
    ],
    "repeats": [say("I think.")] * 3 + [say("The total is 12.")],
    "ends_early": [say("I think.")] * 4,
    "model_breaks": [say("", look(1)), say("boom")],
    "tool_breaks": [say("", look(66)), say("The total is 12.")],
    "same_ids": [say("", look(1), same_id=True), say("", look(2), same_id=True), say("It is 12.")],
    "cut": [say("The total is", stop="max_tokens")],
    "reasons": [say(_reasoned(), look(1)), say(_reasoned())],
    "parts": [say(_parts())],
    "unicode": [say("Итого: 12 €, \u2028 \U0001f600 <b>\x1b[31m &amp; \\u0041")],
    "choices": [say("ANSWER: B")],
    "endless": [say("", look(1))] * 50,
    "submits": [say("", look(1)), say("Done.", ("submit", {"answer": "12"}))],
    "submits_late": [say("Hm."), say("", look(1)), say("", ("submit", {"answer": "twelve"}))],
    "hands_over": [
        say("", ("transfer_to_clerk", {})),
        say("", ("submit", {"answer": "12"})),
    ],
    "asks_agent": [say("", ("clerk", {"input": "[plain] go"})), say("The total is 12.")],
    "compacts": [say(LONG * 20, look(1))] * 4 + [say("", ("submit", {"answer": "12"}))],
    "hangs": [say("", look(7)), say("The total is 12.")],
    "sleeps": [say("", look(7))] * 9,
}


def _case(messages: list[Any]) -> str:
    asked = next((one.text for one in messages if one.role == "user"), "")
    found = re.search(r"\[(\w+)\] ", asked)
    return found[1] if found and "GRADE" not in asked else "judge"


def _said(messages: list[Any], offered: list[Any]) -> Said:
    case = _case(messages)
    if case == "judge":
        return say("It agrees.\n\nGRADE: C")
    if case == "hands_over" and not any(one.name == "transfer_to_clerk" for one in offered):
        return say("The clerk finds 12.")
    lines = SCRIPTS[case]
    turn: int = sum(one.role == "assistant" for one in messages)
    if case == "compacts":
        # Its history gets shorter, so that it does not tell how often the model spoke.
        turn = _counted(case)
    return lines[min(turn, len(lines) - 1)]


_COUNTS: dict[str, int] = {}


def _counted(case: str) -> int:
    _COUNTS[case] = _COUNTS.get(case, -1) + 1
    return _COUNTS[case]


class Scripted(ModelAPI):  # type: ignore[misc]  # Inspect is not installed where types are checked
    """A provider whose replies are the scripts, in the form of OpenAI's."""

    async def generate(
        self,
        input: list[Any],  # noqa: A002 (its name there)
        tools: list[Any],
        tool_choice: Any,
        config: Any,
    ) -> Any:
        await asyncio.sleep(0)
        messages = input
        said = _said(messages, tools)
        if said["text"] == "boom":
            raise RuntimeError("the provider broke")
        turn = sum(one.role == "assistant" for one in messages)
        mark = "same" if said.get("same_id") else str(turn)
        calls = [_call(name, given, f"{mark}-{n}") for n, (name, given) in enumerate(said["calls"])]
        message = ChatMessageAssistant(content=said["text"], tool_calls=calls or None)
        stop = said.get("stop") or ("tool_calls" if calls else "stop")
        choice = models.ChatCompletionChoice(message=message, stop_reason=stop)
        usage = models.ModelUsage(input_tokens=100 + turn, output_tokens=7, total_tokens=107 + turn)
        output = ModelOutput(model=self.model_name, choices=[choice], usage=usage)
        asked = {"messages": [one.model_dump() for one in messages]}
        return output, ModelCall.create(asked, _raw(said, calls))

    async def count_text_tokens(self, text: str) -> int:
        return len(text) // 4


def _call(name: str, given: Any, call_id: str) -> Any:
    fields = {"id": f"call-{call_id}", "function": name, "arguments": given or {}}
    if given is None:
        fields["parse_error"] = "Error parsing the following tool call arguments: cut"
    return ToolCall(type="function", **fields)


def _raw(said: Said, calls: list[Any]) -> dict[str, Any]:
    """What the provider sent: the arguments as they were written."""
    asked = [
        {
            "id": one.id,
            "type": "function",
            "function": {"name": one.function, "arguments": _written(given)},
        }
        for one, (_, given) in zip(calls, said["calls"], strict=True)
    ]
    return {"choices": [{"message": {"role": "assistant", "tool_calls": asked}}]}


def _written(given: Any) -> str:
    return '{ "page": ' if given is None else json.dumps(given, indent=1)


def scripted() -> type[ModelAPI]:
    return Scripted


models.modelapi(name="scripted")(scripted)
