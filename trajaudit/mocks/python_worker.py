"""Runs python mocks in a container of their own: one JSON line in, one JSON line out.

Stand-alone: standard library only, shipped as text. A request is
`{"fn", "file", "world", "args"}`; the answer is `{"world", "reply"}`, `{"error": text}` when the
mock called `fail(text)` or was called with arguments that it does not take, or `{"fault": text}`
when the mock itself is wrong.

Each call runs the file afresh, so that nothing is remembered but the world. What mock code prints
goes to stderr, never into the protocol.
"""

import builtins
import inspect
import json
import math
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn

FAULT_CHARS = 4000


class Failed(BaseException):
    """A mock called `fail`."""


class NotJsonError(Exception):
    """A mock left something that is not JSON."""


def fail(message: object) -> NoReturn:
    """End the call with an error that the agent sees; the world stays as it was."""
    raise Failed(str(message))


class Files:
    """The mock files of one folder, compiled once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._compiled: dict[str, CodeType] = {}

    def function(self, file: str, name: str) -> Callable[..., Any]:
        """Return the function `name` of a fresh run of `file`."""
        if file not in self._compiled:
            path = self._folder / file
            self._compiled[file] = compile(path.read_bytes(), str(path), "exec")
        namespace: dict[str, Any] = {"__name__": Path(file).stem, "__builtins__": builtins}
        namespace["fail"] = fail
        exec(self._compiled[file], namespace)  # noqa: S102 (this program exists to run it)
        if name not in namespace:
            raise LookupError(f"{file} has no function {name!r}")
        function: Callable[..., Any] = namespace[name]
        return function


def answer(files: Files, line: bytes) -> dict[str, Any]:
    """Carry out one request."""
    request = json.loads(line)
    world = request["world"]
    try:
        function = files.function(request["file"], request["fn"])
        try:
            bound = inspect.signature(function).bind(world, **request["args"])
        except TypeError as error:
            return {"error": f"{request['fn']}: {error}"}
        reply = function(*bound.args, **bound.kwargs)
        _require_json(reply, "reply")
        _require_json(world, "world")
    except Failed as failure:
        return {"error": str(failure)}
    except BaseException as error:  # noqa: BLE001 (even sys.exit in a mock is the mock's fault)
        return {"fault": "".join(traceback.format_exception(error))[-FAULT_CHARS:]}
    return {"world": world, "reply": reply}


def _require_json(value: object, where: str) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise NotJsonError(f"{where}: key {key!r} is no string")
            _require_json(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _require_json(inner, f"{where}[{index}]")
    elif isinstance(value, float) and not math.isfinite(value):
        raise NotJsonError(f"{where}: {value!r} is no JSON number")
    elif not isinstance(value, str | int | float | None):
        raise NotJsonError(f"{where}: {type(value).__name__} is not JSON; use list or dict")


def serve(folder: str) -> None:
    """Answer lines of standard input until it ends."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    files = Files(Path(folder))
    for line in requests:
        answers.write(json.dumps(answer(files, line)).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.argv[1] if len(sys.argv) > 1 else "/mocks")
