"""An agent on the OpenAI Agents SDK: tools by MCP, the model by chat or responses.

    program.py [chat|responses] [stream]

Nothing in it knows of trajaudit but the addresses in its environment.
"""

import asyncio
import os
import sys

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    set_tracing_disabled,
)
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI


async def main(api: str, *, stream: bool) -> None:
    """Answer the task's prompt and print the answer."""
    set_tracing_disabled(disabled=True)
    kind = OpenAIResponsesModel if api == "responses" else OpenAIChatCompletionsModel
    model = kind(model=os.environ["OPENAI_MODEL"], openai_client=AsyncOpenAI())
    async with MCPServerStreamableHttp(params={"url": os.environ["TRAJAUDIT_MCP_URL"]}) as tools:
        agent = Agent(
            name="assistant",
            instructions="Use the tools.",
            model=model,
            mcp_servers=[tools],
            model_settings=ModelSettings(include_usage=True),
        )
        prompt = os.environ["TRAJAUDIT_PROMPT"]
        if stream:
            streamed = Runner.run_streamed(agent, prompt)
            async for _ in streamed.stream_events():
                pass
            print(streamed.final_output)
        else:
            print((await Runner.run(agent, prompt)).final_output)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "chat", stream="stream" in sys.argv))
