"""A model, tools and a served trial for the tests of the gateway."""

import itertools
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pydantic import JsonValue

from trajaudit.datamodel.event import Event
from trajaudit.datamodel.scenario import Generation, Limits
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.gateway.base import TrialInfo
from trajaudit.gateway.session import TrialSession
from trajaudit.llm.base import Endpoint, ModelRequest, ModelResponse
from trajaudit.llm.stream import to_chunks
from trajaudit.mocks.base import ToolReply
from trajaudit.record.journal import Journal, read_events, verify
from trajaudit.record.trajectory import read_trajectory

PROMPT = "How many are left?"
Answer = dict[str, Any] | Exception


class ListedModel:
    """Gives its answers one after another, and remembers what it was asked."""

    family = "test"

    def __init__(
        self, answers: Sequence[Answer], endpoints: Sequence[Endpoint] = ("chat",)
    ) -> None:
        self.model_id = "test/listed"
        self.endpoints: frozenset[Endpoint] = frozenset(endpoints)
        self.asked: list[ModelRequest] = []
        self.breaks: Exception | None = None
        self._answers = iter(answers)

    def send(self, request: ModelRequest) -> ModelResponse:
        self.asked.append(request)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        if not request.stream:
            return ModelResponse(body=answer, latency_s=0.5, cost_usd=0.25)
        response = ModelResponse(latency_s=0.5, ttft_s=0.1, cost_usd=0.25)
        response.chunks = self._chunks(response, answer, request.endpoint)
        return response

    def _chunks(
        self, response: ModelResponse, answer: dict[str, Any], endpoint: Endpoint
    ) -> Iterator[dict[str, Any]]:
        yield from to_chunks(answer, endpoint)
        if self.breaks:
            raise self.breaks
        response.body = answer

    def close(self) -> None:
        pass


@dataclass
class Shelf:
    """A toolbox: `take` takes from a stock, `look` shows it."""

    world: JsonValue = field(default_factory=lambda: cast("JsonValue", {"stock": 5}))
    tools: tuple[ToolSpec, ...] = (
        ToolSpec(
            name="take",
            description="Take some.",
            parameters={
                "type": "object",
                "properties": {"amount": {"type": "integer"}},
                "required": ["amount"],
            },
        ),
        ToolSpec(name="look", description="Look.", effect="read"),
    )
    calls: list[tuple[str, JsonValue]] = field(default_factory=list)
    broken: Exception | None = None
    before: Callable[[], object] = lambda: None

    def call(self, name: str, arguments: dict[str, JsonValue]) -> ToolReply:
        self.calls.append((name, arguments))
        self.before()
        if self.broken:
            raise self.broken
        assert isinstance(self.world, dict)
        stock = self.world["stock"]
        assert isinstance(stock, int)
        if name == "look":
            return ToolReply(content=json.dumps(self.world))
        amount = arguments.get("amount")
        if name != "take" or not isinstance(amount, int):
            return ToolReply(content=f"cannot {name}", is_error=True)
        self.world = {"stock": stock - amount}
        return ToolReply(content=f"took {amount}", world=self.world, world_changed=True)

    def faults_not_hit(self) -> list[int]:
        return []

    def unconsumed(self) -> list[tuple[str, str]]:
        return []

    def close(self) -> None:
        pass


class Listener:
    """A simulated user that says one thing after another."""

    def __init__(self, *says: str) -> None:
        self._says = iter(says)

    def answer(self, conversation: Sequence[tuple[str, str]]) -> str | None:
        return next(self._says, None)


@dataclass
class Trial:
    """A session with its journal and what it left there."""

    session: TrialSession
    journal: Journal
    path: Path
    shelf: Shelf
    model: ListedModel

    def events(self) -> list[Event]:
        """Close the trial and return its journal, which has to verify."""
        self.session.close()
        self.journal.close()
        assert verify(self.path, self.journal.head, self.journal.count) == []
        return list(read_events(self.path))

    def trajectory(self) -> Trajectory:
        return read_trajectory(self.events())

    def kinds(self) -> list[str]:
        """Return the journal in short: the kind of each event, with its role or tool."""
        return [_short(event) for event in self.events()]


def _short(event: Event) -> str:
    shown = [
        event.kind,
        *(str(getattr(event, name)) for name in ("role", "source", "tool") if hasattr(event, name)),
    ]
    return " ".join(shown)


@contextmanager
def trial(
    folder: Path,
    *answers: Answer,
    endpoints: Sequence[Endpoint] = ("chat",),
    limits: Limits | None = None,
    generation: Generation | None = None,
    user: Sequence[str] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Trial]:
    shelf = Shelf()
    path = folder / "events.jsonl"
    info = TrialInfo(
        task_id="t",
        trial=1,
        prompt=PROMPT,
        system="Be brief.",
        user=user is not None,
        user_tool=user is not None,
        agent={"kind": "command"},
    )
    model = ListedModel(answers, endpoints)
    with Journal(path) as journal:
        session = TrialSession(
            journal,
            info,
            toolbox=shelf,
            model=model,
            limits=limits,
            generation=generation,
            clock=clock,
        )
        if user is not None:
            session.user = Listener(*user)
        yield Trial(session, journal, path, shelf, model)
        session.close()


_numbers = itertools.count(1)


def says(content: str | None, *calls: tuple[str, str, str], reason: str = "") -> dict[str, Any]:
    """Return a chat completion; calls are (id, tool, arguments text)."""
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = [
            {"id": one, "type": "function", "function": {"name": tool, "arguments": text}}
            for one, tool, text in calls
        ]
    reason = reason or ("tool_calls" if calls else "stop")
    return {
        "id": f"chatcmpl-{next(_numbers)}",
        "object": "chat.completion",
        "created": 1,
        "model": "listed",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
    }


SYSTEM = {"role": "system", "content": "Be brief."}
TASK = {"role": "user", "content": PROMPT}


def message_of(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the message of a chat completion, as an agent puts it into its history."""
    message: dict[str, Any] = answer["choices"][0]["message"]
    return message


def tool_says(call_id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}
