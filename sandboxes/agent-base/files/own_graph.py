"""Runs a compiled LangGraph graph of the user's own, with the scenario's tools."""

import asyncio
import importlib
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import StructuredTool, ToolException
from reach import FORBIDDEN, Gateway, ToolError, Tools, TrialOverError
from react import UNLIMITED, first_messages


def run(gateway: Gateway, trial: dict[str, Any], place: str) -> None:
    """Act with the graph at `module:attribute` until the user has nothing more to say.

    The attribute is a compiled graph, or a function of the list of tools that returns one. It is
    invoked with `{"messages": [...]}`; its last message of the assistant is the reply.

    Raises:
        TrialOverError: the gateway ended the trial.
        ValueError: there is no such graph, or it left no message of the assistant.
    """
    tools = Tools(gateway)
    graph = load(place, [_as_tool(tools, spec) for spec in tools.list()])
    messages: list[Any] = first_messages(trial)
    while True:
        given = {"messages": messages}
        state = _invoke(graph, given)
        reply = _last_reply(state["messages"])
        reason = reply.response_metadata.get("finish_reason")
        answer = gateway.reply(str(reply.text), reason)
        if answer is None:
            return
        messages = [*state["messages"], {"role": "user", "content": answer}]


def _invoke(graph: Any, given: dict[str, Any]) -> dict[str, Any]:
    try:
        state: dict[str, Any] = asyncio.run(graph.ainvoke(given, {"recursion_limit": UNLIMITED}))
    except Exception as error:
        # Every client has its own error for a status of 403; the end of the trial is none of them.
        told = f"{error} {getattr(error, 'body', '')}"
        if getattr(error, "status_code", None) == FORBIDDEN and "trial_limit" in told:
            raise TrialOverError(str(error)) from error
        raise
    return state


def load(place: str, tools: list[StructuredTool]) -> Any:
    """Return the compiled graph at `module:attribute`."""
    module, _, attribute = place.partition(":")
    if not module or not attribute:
        raise ValueError(f"a graph is given as module:attribute; got {place!r}")
    found = importlib.import_module(module)
    for name in attribute.split("."):
        found = getattr(found, name)
    graph: Any = found
    if not hasattr(graph, "ainvoke") and callable(graph):
        graph = graph(tools)
    if not hasattr(graph, "ainvoke"):
        kind = type(graph).__name__
        raise ValueError(f"{place} is no compiled graph and returns none; got {kind}")
    return graph


def _as_tool(tools: Tools, spec: dict[str, Any]) -> StructuredTool:
    def call(**arguments: Any) -> str:
        try:
            text, is_error = tools.call(spec["name"], arguments)
        except ToolError as error:
            raise ToolException(str(error)) from error
        if is_error:
            raise ToolException(text)
        return text

    return StructuredTool(
        name=spec["name"],
        description=spec.get("description") or spec["name"],
        args_schema=spec["inputSchema"],
        func=call,
        handle_tool_error=True,
    )


def _last_reply(messages: list[BaseMessage]) -> AIMessage:
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            return message
    raise ValueError("the graph left no message of the assistant")
