"""Writes a log of tool-using agents with Inspect itself; run by the Python that has `inspect-ai`.

`inspect_log.py write SAMPLES FOLDER` prints the path of the log that it wrote;
`inspect_log.py score LOG` reads the log as Inspect does, scores it with one scorer, and prints
the seconds as JSON.
"""

import asyncio
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval, score  # noqa: A004 (its name there)
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.tool import Tool, tool

CALLS = 8
WORDS = [
    "order",
    "shipment",
    "invoice",
    "customer",
    "parcel",
    "route",
    "warehouse",
    "late",
    "damaged",
    "return",
    "label",
    "stock",
    "price",
    "carrier",
    "address",
    "refund",
    "policy",
    "window",
    "scan",
    "weight",
    "tariff",
    "depot",
    "claim",
    "receipt",
    "ledger",
    "batch",
]


def _words(rng: random.Random, count: int) -> str:
    return " ".join(
        rng.choice(WORDS) + (f"-{rng.randrange(9999)}" * (rng.random() < 0.3)) for _ in range(count)
    )


@tool
def search_orders() -> Tool:
    async def execute(query: str, limit: int) -> str:
        """Search the orders.

        Args:
            query: what to look for.
            limit: most rows.
        """
        rng = random.Random(query)
        await asyncio.sleep(0)
        return "\n".join(f"{n}. {_words(rng, 16)}" for n in range(limit))

    return execute


@tool
def read_ledger() -> Tool:
    async def execute(page: int) -> str:
        """Read a page of the ledger.

        Args:
            page: number of the page.
        """
        rng = random.Random(page)
        await asyncio.sleep(0)
        return f"page {page}\n" + "\n".join(_words(rng, 16) for _ in range(6))

    return execute


def _answer(messages: list[Any], _tools: Any, _choice: Any, _config: Any) -> ModelOutput:
    """What the model says: some calls, then the answer, told by how much was said before."""
    asked = next(one.text for one in messages if one.role == "user")
    number = int(asked.split("#")[1].split(" ")[0])
    turn = sum(one.role == "assistant" for one in messages)
    rng = random.Random(number * 100 + turn)
    thought = f"Step {turn} of order #{number}. {_words(rng, 60)}"
    arguments: dict[str, Any]
    if turn >= CALLS:
        total = number * 7 if number % 3 else number * 7 + 1
        name, arguments = "submit", {"answer": f"The total is {total}."}
    elif turn % 2:
        name, arguments = "read_ledger", {"page": number * 10 + turn}
    else:
        name, arguments = (
            "search_orders",
            {"query": f"{number}/{turn} {_words(rng, 5)}", "limit": 6},
        )
    output = ModelOutput.for_tool_call("mockllm/model", name, arguments, content=thought)
    # Without usage the mock would fetch a tokenizer to count.
    output.usage = ModelUsage(input_tokens=900 + 800 * turn, output_tokens=150)
    return output


def write(samples: int, folder: Path) -> str:
    """Run the agents; return the path of the log."""
    task = Task(
        name="orders",
        dataset=[
            Sample(
                id=f"order-{n}",
                input=f"What is the total of order #{n} in the ledger? "
                + _words(random.Random(n), 60),
                target=str(n * 7),
            )
            for n in range(1, samples + 1)
        ],
        solver=react(tools=[search_orders(), read_ledger()]),
        scorer=includes(),
    )
    model = get_model("mockllm/model", custom_outputs=_answer)
    logs = eval(
        task,
        model=model,
        log_dir=str(folder),
        display="none",
        log_format="eval",
        max_samples=16,
        log_buffer=50,
    )
    return str(logs[0].location)


def timed_score(path: str) -> dict[str, float | int]:
    """Read and score as Inspect does; return seconds."""
    start = time.perf_counter()
    log = read_eval_log(path)
    read = time.perf_counter()
    scored = score(log, includes(), display="none", action="overwrite")
    end = time.perf_counter()
    return {"read_s": read - start, "score_s": end - read, "samples": len(scored.samples or [])}


if __name__ == "__main__":
    if sys.argv[1] == "write":
        print(write(int(sys.argv[2]), Path(sys.argv[3])))
    else:
        print(json.dumps(timed_score(sys.argv[2])))
