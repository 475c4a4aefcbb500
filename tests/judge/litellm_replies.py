"""What the models of the LiteLLM proxy say: runs inside the proxy, in its own environment.

`replies.json` beside it maps a model to its replies; they come in turn, the last one for ever.
"""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import litellm  # type: ignore[import-not-found]
from litellm.types.utils import (  # type: ignore[import-not-found]
    Choices,
    Message,
    ModelResponse,
    Usage,
)

REPLIES = json.loads(Path(__file__).with_name("replies.json").read_text())


class Replies(litellm.CustomLLM):  # type: ignore[misc]
    """A provider of LiteLLM that answers from the file."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    async def acompletion(self, model: str, messages: list[Any], **_: Any) -> Any:
        """Answer one request; errors are LiteLLM's own, which its proxy turns into statuses."""
        replies = REPLIES[model]
        reply = replies[min(self.asked[model], len(replies) - 1)]
        self.asked[model] += 1
        await asyncio.sleep(reply.get("delay_s", 0))
        if "error" in reply:
            raise getattr(litellm, reply["error"])(
                message="as the test wants it", model=model, llm_provider="replies"
            )
        message = Message(role="assistant", content=reply.get("text"))
        choice = Choices(index=0, finish_reason=reply.get("finish_reason", "stop"), message=message)
        usage = Usage(prompt_tokens=20, completion_tokens=10, total_tokens=30)
        answer = ModelResponse(choices=[choice], usage=usage)
        if reply.get("no_choices"):
            answer.choices = []
        return answer


handler = Replies()
