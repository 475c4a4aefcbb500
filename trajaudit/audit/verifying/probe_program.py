"""Makes the same calls in every container and writes down what they came to.

It is copied into a container and run there; it needs nothing but Python. Each call runs in a
process of its own, so that none sees what another left.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import functools
import importlib
import inspect
import io
import itertools
import json
import os
import pickle
import re
import resource
import select
import signal
import sys
import time
import types
from pathlib import Path
from typing import Any

CPU_S = 2
WALL_S = 10
MEMORY = 1 << 30
MOST_TEXT = 4000
MOST_ITEMS = 200
DEEPEST = 8
ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
CODE = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType)


def main(home: Path, limit_s: float) -> None:
    """Make the calls that are wanted, until time is up."""
    only = json.loads((home / "only").read_text())
    loaded = pickle.loads((home / "inputs").read_bytes())  # noqa: S301 (written by us, in a container)
    sys.path[:] = loaded["path"]
    for module in sorted({one["module"] for one in loaded["calls"]}):
        with contextlib.suppress(BaseException):
            importlib.import_module(module)
    deadline = time.monotonic() + limit_s
    with (home / "told").open("w") as stream:
        for number, call in enumerate(loaded["calls"]):
            if only is not None and number not in only:
                continue
            if time.monotonic() > deadline:
                break
            stream.write(json.dumps({"number": number, **apart(call)}) + "\n")
            stream.flush()


def apart(call: dict[str, Any]) -> dict[str, str]:
    """Make a call in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            os.write(writer, json.dumps(made(call)).encode()[:60000])
        finally:
            os._exit(0)
    os.close(writer)
    said, in_time = _read(reader)
    if not in_time:
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if not in_time or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return {"kind": "hung"}
    try:
        result = json.loads(said)
    except ValueError:
        return {"kind": "died"}
    return result if isinstance(result, dict) else {"kind": "died"}


def _read(reader: int) -> tuple[bytes, bool]:
    """Read all that a process says; whether it came to its end in time."""
    said, deadline = b"", time.monotonic() + WALL_S
    try:
        while True:
            if not select.select([reader], [], [], max(0, deadline - time.monotonic()))[0]:
                return said, False
            more = os.read(reader, 65536)
            if not more:
                return said, True
            said += more
    finally:
        os.close(reader)


def made(call: dict[str, Any]) -> dict[str, str]:
    """Make a call."""
    try:
        function = resolved(call["module"], call["function"])
        given, named = pickle.loads(call["arguments"])  # noqa: S301 (written by us, in a container)
    except BaseException:  # noqa: BLE001 (what cannot be called cannot be compared)
        return {"kind": "unusable"}
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            value = canonical(ended(function(*given, **named)))
    except BaseException as e:  # noqa: BLE001 (an outcome like any other)
        return {"kind": "raised", "value": type(e).__name__}
    effects = "?"
    with contextlib.suppress(BaseException):
        effects = canonical([given, named])
    return {
        "kind": "returned",
        "value": value[:MOST_TEXT],
        "effects": effects[:MOST_TEXT],
        "printed": ADDRESS.sub("0x", printed.getvalue())[:MOST_TEXT],
    }


def ended(value: Any) -> Any:
    """Return what a call leads to in the end."""
    if inspect.iscoroutine(value):
        return asyncio.run(value)
    if hasattr(value, "__next__"):
        return list(itertools.islice(value, MOST_ITEMS))
    return value


def resolved(module: str, name: str) -> Any:
    """Return the function as it was written, without what decorates it."""
    found: Any = importlib.import_module(module)
    owner = ""
    for part in name.split("."):
        mangled = f"_{owner.lstrip('_')}{part}" if part.startswith("__") else part
        members = vars(found)
        found = members[part] if part in members else members[mangled]
        owner = part
    return raw(found)


def raw(found: Any) -> Any:
    """Return the plain function behind descriptors and wrappers."""
    for _ in range(20):
        if isinstance(found, (staticmethod, classmethod)):
            found = found.__func__
        elif isinstance(found, property):
            found = found.fget
        elif isinstance(found, functools.partial) or hasattr(found, "func"):
            found = found.func
        elif hasattr(found, "__wrapped__"):
            found = found.__wrapped__
        else:
            break
    if not isinstance(found, types.FunctionType):
        raise TypeError(found)
    return found


def canonical(value: Any, depth: int = 0) -> str:
    """Return a text that is the same for values that nobody would tell apart."""
    if isinstance(value, PLAIN) and type(value) in PLAIN:
        return repr(value)
    if depth > DEEPEST:
        return "..."
    inner = functools.partial(canonical, depth=depth + 1)
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return _container(value, inner)
    if isinstance(value, BaseException):
        return type(value).__name__
    if isinstance(value, CODE):
        return getattr(value, "__qualname__", "") or getattr(value, "__name__", "")
    return _object(value, inner)


def _container(value: Any, inner: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"{_kind(value, list, tuple)}[{', '.join(map(inner, value[:MOST_ITEMS]))}]"
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}{{{', '.join(sorted(map(inner, value)))}}}"
    pairs = [f"{inner(key)}: {inner(one)}" for key, one in value.items()]
    return f"{_kind(value, dict)}{{{', '.join(sorted(pairs))}}}"


def _kind(value: Any, *usual: type) -> str:
    if type(value) in usual:
        return "()" if isinstance(value, tuple) else ""
    return type(value).__name__


def _object(value: Any, inner: Any) -> str:
    name = type(value).__name__
    if isinstance(value, enum.Enum):
        return f"{name}.{value.name}"
    kind: Any = type(value)
    text = "" if kind.__str__ is object.__str__ else str(value)
    if kind.__repr__ is not object.__repr__:
        return ADDRESS.sub("0x", f"{name} {value!r} {text}")[:MOST_TEXT]
    members: list[tuple[str, Any]] = sorted(getattr(value, "__dict__", {}).items())
    seen = ", ".join(f"{key}={inner(one)}" for key, one in members if not key.startswith("_"))
    return ADDRESS.sub("0x", f"{name}({seen}) {text}".rstrip())


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
