"""The built-in agent: a ReAct loop as a LangGraph graph, until the user has nothing more to say.

Raw tool arguments stay as the model wrote them: what cannot be read as JSON is told to the model.
"""

import json
import operator
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from reach import Gateway, ToolError, Tools

# The gateway counts steps and ends the trial; the graph's own limit must never come first.
UNLIMITED = 1_000_000


class State(TypedDict):
    """The conversation so far, in OpenAI's format."""

    messages: Annotated[list[dict[str, Any]], operator.add]
    finish_reason: str | None


class React:
    """The nodes of the graph, and where they lead."""

    def __init__(self, gateway: Gateway, trial: dict[str, Any]) -> None:
        self._gateway = gateway
        self._trial = trial
        self._tools = Tools(gateway)
        self._offers = [_offer(tool) for tool in self._tools.list()]

    def model(self, state: State) -> dict[str, Any]:
        """Ask the model for its next message."""
        body: dict[str, Any] = {"model": self._trial["model"], "messages": state["messages"]}
        if self._offers:
            body["tools"] = self._offers
        choice = self._gateway.chat(body)
        message = {key: value for key, value in choice["message"].items() if value is not None}
        message.setdefault("content", None)
        return {"messages": [message], "finish_reason": choice.get("finish_reason")}

    def tools(self, state: State) -> dict[str, Any]:
        """Carry out what the model asked for, one call after the other."""
        calls = state["messages"][-1]["tool_calls"]
        return {
            "messages": [
                {"role": "tool", "tool_call_id": call["id"], "content": self._call(call)}
                for call in calls
            ]
        }

    def user(self, state: State) -> dict[str, Any]:
        """Give the reply to the user, who may answer."""
        content = state["messages"][-1]["content"] or ""
        answer = self._gateway.reply(content, state["finish_reason"])
        return {"messages": [] if answer is None else [{"role": "user", "content": answer}]}

    def after_model(self, state: State) -> str:
        """Tools where some were asked for, else the user."""
        return "tools" if state["messages"][-1].get("tool_calls") else "user"

    def after_user(self, state: State) -> str:
        """Go on while the user answers."""
        return "model" if state["messages"][-1]["role"] == "user" else END

    def _call(self, call: dict[str, Any]) -> str:
        function = call["function"]
        text = function.get("arguments") or "{}"
        try:
            arguments = json.loads(text)
        except ValueError as error:
            return f"error: the arguments are not valid JSON ({error}): {text}"
        if not isinstance(arguments, dict):
            return f"error: the arguments are not a JSON object: {text}"
        try:
            return self._tools.call(function["name"], arguments)[0]
        except ToolError as error:
            return f"error: {error}"


def _offer(tool: dict[str, Any]) -> dict[str, Any]:
    function = {
        "name": tool["name"],
        "description": tool.get("description") or "",
        "parameters": tool["inputSchema"],
    }
    return {"type": "function", "function": function}


def first_messages(trial: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what the conversation begins with."""
    system = [{"role": "system", "content": trial["system"]}] if trial.get("system") else []
    return [*system, {"role": "user", "content": trial["prompt"]}]


def run(gateway: Gateway, trial: dict[str, Any]) -> None:
    """Act until the user has nothing more to say.

    Raises:
        TrialOverError: the gateway ended the trial.
        GatewayError: the model or the gateway failed.
    """
    react = React(gateway, trial)
    graph = StateGraph(State)
    graph.add_node("model", react.model)
    graph.add_node("tools", react.tools)
    graph.add_node("user", react.user)
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", react.after_model, ["tools", "user"])
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("user", react.after_user, ["model", END])
    begin: State = {"messages": first_messages(trial), "finish_reason": None}
    graph.compile().invoke(begin, {"recursion_limit": UNLIMITED})
