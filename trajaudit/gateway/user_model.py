"""The way of a model call that the simulated user makes."""

from collections.abc import Callable
from typing import Any

from trajaudit.datamodel.event import ModelCall
from trajaudit.errors import ProviderError
from trajaudit.gateway.answer import replies, usage
from trajaudit.gateway.recorder import Recorder
from trajaudit.llm.base import ChatModel, ModelRequest, ProviderReply


def ask_as_user(
    model: ChatModel, model_name: str, recorder: Recorder, timeout_s: float
) -> Callable[[list[dict[str, str]]], str]:
    """Return how the simulated user's model is asked: journalled, and not at the agent's expense.

    The function raises ProviderError when the model fails or says nothing.
    """

    def ask(messages: list[dict[str, str]]) -> str:
        body: dict[str, Any] = {"model": model_name, "messages": messages}
        event = ModelCall(model_id=model.model_id, caller="user", messages=len(messages))
        try:
            request = ModelRequest(endpoint="chat", body=body, timeout_s=timeout_s)
            response = model.send(request)
        except ProviderReply as reply:
            error = ProviderError(f"the simulated user: {reply}", status=reply.status)
            recorder.append(event.model_copy(update={"error": str(error), "status": reply.status}))
            raise error from None
        except ProviderError as error:
            recorder.append(event.model_copy(update={"error": str(error), "status": error.status}))
            raise
        found = replies("chat", response.body)
        update = {
            "usage": usage(response.body),
            "cost_usd": response.cost_usd,
            "latency_s": round(response.latency_s, 6),
            "retries": tuple(response.retries),
            "finish_reason": found[0].finish_reason if found else None,
        }
        recorder.append(event.model_copy(update=update))
        return found[0].items[0].content if found else ""

    return ask
