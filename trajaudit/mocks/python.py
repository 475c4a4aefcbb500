"""A tool that is a pure function of the world and the arguments, run away from the host."""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files

from pydantic import JsonValue

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.errors import InfraError, MockError
from trajaudit.mocks.base import CallContext, LineWorker, ToolReply
from trajaudit.mocks.reply import answered, as_text, failed
from trajaudit.mocks.world import diff

WORKER_FILE = "_trajaudit_worker.py"
WORKER_ARGV = ("python3", "-u", f"/mocks/{WORKER_FILE}", "/mocks")
"""How the worker is started in its container."""

CALL_TIMEOUT_S = 20.0


def shipped_as(file: str) -> str:
    """Return where a mock's file lies below /mocks; nothing climbs out of it."""
    return file.replace("..", "_up")


def worker_files(tools: Sequence[ToolSpec], open_file: Callable[[str], bytes]) -> dict[str, bytes]:
    """Return what the worker's container needs in /mocks: the worker and each python mock file."""
    content = {WORKER_FILE: files("trajaudit.mocks").joinpath("python_worker.py").read_bytes()}
    for spec in tools:
        if spec.mock is not None and spec.mock.python is not None:
            content[shipped_as(spec.mock.python)] = open_file(spec.mock.python)
    return content


class SharedWorker:
    """One worker for all trials of a run: started at the first call, asked by one at a time."""

    def __init__(self, start: Callable[[], LineWorker]) -> None:
        self._start = start
        self._worker: LineWorker | None = None
        self._lock = threading.Lock()

    def ask(self, line: bytes, *, timeout_s: float) -> bytes:
        with self._lock:
            if self._worker is None:
                self._worker = self._start()
            return self._worker.ask(line, timeout_s=timeout_s)

    def stop(self) -> None:
        with self._lock:
            if self._worker is not None:
                self._worker.stop()
            self._worker = None


@dataclass(frozen=True)
class Python:
    """Asks the worker for the new world and the reply."""

    file: str
    worker: Callable[[], LineWorker]

    def __call__(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        request = {
            "fn": context.tool,
            "file": shipped_as(self.file),
            "world": context.world,
            "args": arguments,
        }
        answer = self._ask(json.dumps(request).encode(), context.tool)
        if "fault" in answer:
            raise MockError(f"mock {self.file}: {context.tool}: {as_text(answer['fault'])}")
        if "error" in answer:
            return failed(as_text(answer["error"]))
        text = answered(answer["reply"]).content
        world = answer["world"]
        same = json.dumps(world) == json.dumps(context.world) or not diff(context.world, world)
        return ToolReply(content=text, world=None if same else world, world_changed=not same)

    def _ask(self, line: bytes, tool: str) -> dict[str, JsonValue]:
        where = f"mock {self.file}: {tool}"
        try:
            raw = self.worker().ask(line, timeout_s=CALL_TIMEOUT_S)
        except TimeoutError as error:
            raise MockError(f"{where}: no answer within {CALL_TIMEOUT_S:g} s") from error
        except InfraError as error:
            raise MockError(f"{where}: the worker failed: {error}") from error
        try:
            answer = json.loads(raw)
        except ValueError as error:
            raise MockError(f"{where}: the worker sent no JSON: {raw[:200]!r}") from error
        if not isinstance(answer, dict) or not answer.keys() & {"fault", "error", "reply"}:
            raise MockError(f"{where}: the worker sent no answer: {raw[:200]!r}")
        return answer
