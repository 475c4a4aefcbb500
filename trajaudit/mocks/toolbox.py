"""The tools of one trial: what each call gives back, and the world they share."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence

from pydantic import JsonValue

from trajaudit.datamodel.tool import FaultSpec, ToolSpec
from trajaudit.errors import ScenarioError
from trajaudit.mocks.base import CallContext, LineWorker, ToolReply
from trajaudit.mocks.build import SandboxTool, Surroundings, behaviour
from trajaudit.mocks.cassette import FifoCassette, StrictCassette
from trajaudit.mocks.faults import FaultPlan, inject
from trajaudit.mocks.mcp_access import McpAccess
from trajaudit.mocks.mcp_lazy import LazyMcp
from trajaudit.mocks.reply import failed
from trajaudit.mocks.validate import ArgumentCheck

NAME_CHARS = 100


class ToolBox:
    """Answers the tool calls of one trial. Safe to call from several threads: one at a time.

    A call that the tool's JSON Schema refuses gets an error that names each fault, as from a real
    API: nothing is run, no fault is spent on it, and it does not count as a call of the tool.
    """

    def __init__(  # noqa: PLR0913 (all that a trial's tools can reach is named here)
        self,
        tools: Sequence[ToolSpec],
        *,
        faults: Sequence[FaultSpec] = (),
        world: JsonValue = None,
        seed: int = 0,
        open_file: Callable[[str], bytes],
        worker: Callable[[], LineWorker] | None = None,
        sandbox_tool: SandboxTool | None = None,
        mcp: McpAccess | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepare the tools.

        Args:
            tools: what the agent is offered.
            faults: failures to inject; their positions are reported.
            world: start of the shared world; it is replaced by new ones, never changed.
            seed: of this trial, the trial's number mixed in by the caller.
            open_file: reads a file by its path beside the scenario.
            worker: returns the worker that runs python mocks; not called before it is needed.
            sandbox_tool: carries out a call (`bash`, `read`, `write`) in the agent's sandbox.
            mcp: what recorded MCP servers may do; None: none is reached at all.
            sleep: waits so many seconds.

        Raises:
            UsageError: tools, faults, their files and this run do not fit each other.
        """
        self.tools = tuple(tools)
        _require_consistent(self.tools, faults)
        self._connections = LazyMcp()
        around = Surroundings(open_file, worker, sandbox_tool, mcp, self._connections)
        self._checks = {spec.name: ArgumentCheck(spec) for spec in tools}
        self._behaviours = {spec.name: behaviour(spec, around) for spec in tools}
        self._plan = FaultPlan(faults, seed)
        self._world = world
        self._sleep = sleep
        self._calls: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def world(self) -> JsonValue:
        """The world as it is now; read it, never change it."""
        return self._world

    def call(self, name: str, arguments: dict[str, JsonValue]) -> ToolReply:
        """Answer a call. Never raises for anything that an agent can send.

        Raises:
            MockError: a mock, or the place where it runs, is broken: infrastructure.
        """
        with self._lock:
            reply = self._answer(name, arguments)
            if reply.world_changed:
                self._world = reply.world
            return reply

    def faults_not_hit(self) -> list[int]:
        """Return the positions of the declared faults that have not fired."""
        return self._plan.not_hit()

    def unconsumed(self) -> list[tuple[str, str]]:
        """Return a (code, text) warning for each recorded call that nobody made."""
        recorded = (StrictCassette, FifoCassette)
        return [
            warning
            for one in self._behaviours.values()
            if isinstance(one, recorded)
            for warning in one.unconsumed()
        ]

    def close(self) -> None:
        """Leave the MCP servers that were reached; safe to call twice."""
        self._connections.close()

    def _answer(self, name: str, arguments: dict[str, JsonValue]) -> ToolReply:
        if name not in self._behaviours:
            return failed(f"unknown tool {name[:NAME_CHARS]!r}")
        wrong = self._checks[name].faults(arguments)
        if wrong:
            return failed(f"invalid arguments for {name}: {'; '.join(wrong)}")
        self._calls[name] += 1
        context = CallContext(tool=name, call_number=self._calls[name], world=self._world)

        def run() -> ToolReply:
            return self._behaviours[name](arguments, context)

        due = self._plan.pick(name, context.call_number, arguments)
        return run() if due is None else inject(*due, run, self._sleep)


def _require_consistent(tools: Sequence[ToolSpec], faults: Sequence[FaultSpec]) -> None:
    counted = Counter(spec.name for spec in tools)
    wrong = [f"tool {name} is defined {n} times" for name, n in counted.items() if n > 1]
    wrong += [
        f"faults[{index}]: unknown tool {fault.tool!r}; known: {', '.join(sorted(counted))}"
        for index, fault in enumerate(faults)
        if fault.tool not in counted
    ]
    if wrong:
        raise ScenarioError(wrong)
