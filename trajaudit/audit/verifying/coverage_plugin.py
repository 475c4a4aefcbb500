"""A pytest plug-in that notes which changed lines the listed tests execute.

It is copied into a container and imported there; it needs nothing but pytest. What runs while no
test does (imports, fixtures of the session) counts; what runs in a test that is not listed, not.
"""

from __future__ import annotations

import dis
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HOME = "BEYOND_HOME"


class Watcher:
    """Traces the files of a patch and no others."""

    def __init__(self, home: Path) -> None:
        settings = json.loads((home / "settings").read_text())
        self._told = home / "executed"
        self._groups: dict[str, set[str]] = {
            name: set(tests) for name, tests in settings["groups"].items()
        }
        self._lines: dict[str, dict[str, set[int]]] = {
            os.path.realpath(path): {name: set() for name in self._groups}
            for path in settings["files"]
        }
        self._local: dict[str, Callable[..., Any] | None] = {}
        self._active = tuple(self._groups)

    def start(self) -> None:
        """Trace from here on, in new threads as well."""
        threading.settrace(self._called)
        sys.settrace(self._called)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        """Count for the groups that a test belongs to."""
        self._active = tuple(
            name for name, tests in self._groups.items() if belongs(item.nodeid, tests)
        )
        if sys.gettrace() is None:
            self.start()
        yield
        self._active = tuple(self._groups)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Write down what was seen."""
        sys.settrace(None)
        threading.settrace(None)
        told = {
            path: {
                "executable": sorted(executable(path)),
                "executed": {name: sorted(lines) for name, lines in groups.items()},
            }
            for path, groups in self._lines.items()
        }
        self._told.write_text(json.dumps(told))
        self._told.with_name("python").write_text(sys.executable)

    def _called(self, frame: Any, event: str, arg: Any) -> Callable[..., Any] | None:
        del event, arg
        name = frame.f_code.co_filename
        if name not in self._local:
            groups = self._lines.get(os.path.realpath(name))
            self._local[name] = None if groups is None else self._tracer(groups)
        return self._local[name]

    def _tracer(self, groups: dict[str, set[int]]) -> Callable[..., Any]:
        def trace(frame: Any, event: str, arg: Any) -> Callable[..., Any]:
            del arg
            if event == "line":
                for name in self._active:
                    groups[name].add(frame.f_lineno)
            return trace

        return trace


def belongs(test: str, tests: set[str]) -> bool:
    """Whether a test is among others; an id that was cut inside its brackets stands for many."""
    cut = tuple(one for one in tests if one.count("[") > one.count("]"))
    return test in tests or bool(cut and test.startswith(cut))


def executable(path: str) -> set[int]:
    """Return the lines of a file that have code."""
    try:
        waiting = [compile(Path(path).read_bytes(), path, "exec")]
    except (OSError, SyntaxError, ValueError):
        return set()
    lines: set[int] = set()
    while waiting:
        code = waiting.pop()
        lines.update(line for _, line in dis.findlinestarts(code) if line)
        waiting += [one for one in code.co_consts if isinstance(one, type(code))]
    return lines


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    """Begin before anything of the project is imported by its tests."""
    home = os.environ.pop(HOME, None)
    if home is not None:
        watcher = Watcher(Path(home))
        config.pluginmanager.register(watcher, "beyond-coverage")
        watcher.start()
