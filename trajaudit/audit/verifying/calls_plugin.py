"""A pytest plug-in that keeps with which arguments tests reach the functions that a patch changes.

It is copied into a container and imported there; it needs nothing but pytest. Of a changed function
the outermost function of the project is kept through which a test came, if its arguments can be
kept: how solutions divide the work among themselves is nobody's concern.
"""

from __future__ import annotations

import ast
import collections
import json
import os
import pickle
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HOME = "BEYOND_HOME"
MOST_OF_FUNCTION = 60
MOST_OF_TEST = 6
MOST_BYTES = 20000
TEST = ""
VARIADIC, KEYWORDS = 4, 8
"""Flags of code objects."""


class Calls:
    """Watches calls, and nothing inside of them."""

    def __init__(self, home: Path) -> None:
        settings = json.loads((home / "settings").read_text())
        self._home = home
        self._root = os.path.realpath(settings["root"]).rstrip("/") + "/"
        self._tests = re.compile(settings["tests"])
        self._wanted: dict[str, set[str]] = {}
        for one in settings["sources"]:
            names = changed_functions(one["text"], set(one["lines"]))
            self._wanted.setdefault(self._root + one["path"], set()).update(names)
        self._paths: dict[str, str | None] = {}
        self._functions: dict[str, dict[int, str]] = {}
        self._seeds: dict[tuple[str, str], dict[bytes, dict[str, Any]]] = {}
        self._of_test: dict[tuple[str, ...], int] = collections.Counter()
        self._test = ""
        self._lost: set[str] = set()

    def start(self) -> None:
        """Watch from here on."""
        threading.settrace(self._called)
        sys.settrace(self._called)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        """Know in which test a call was made."""
        self._test = item.nodeid
        if sys.gettrace() is None:
            self.start()
        yield
        self._test = ""

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Write down what was seen."""
        sys.settrace(None)
        threading.settrace(None)
        seeds = [one for kept in self._seeds.values() for one in kept.values()]
        modules = {
            os.path.realpath(str(one.__file__)): name
            for name, one in list(sys.modules.items())
            if getattr(one, "__file__", None)
        }
        (self._home / "python").write_text(sys.executable)
        told = {
            "path": [one or os.getcwd() for one in sys.path],  # noqa: PTH109 (a text is wanted)
            "seeds": seeds,
            "wanted": [
                {"module": modules[path], "function": name}
                for path, names in sorted(self._wanted.items())
                for name in sorted(names)
                if path in modules
            ],
            "lost": sorted(self._lost),
        }
        (self._home / "calls").write_bytes(pickle.dumps(told, protocol=4))

    def _called(self, frame: Any, event: str, arg: Any) -> None:
        del event, arg
        path = self._path(frame.f_code.co_filename)
        if path is None or not self._test or path not in self._wanted:
            return
        name = self._name(path, frame.f_code)
        if name in self._wanted[path]:
            self._keep(frame, name)

    def _keep(self, frame: Any, name: str) -> None:
        chain: list[tuple[Any, str, str]] = []
        while frame is not None:
            path = self._path(frame.f_code.co_filename)
            if path == TEST:
                break
            if path is not None:
                chain.append((frame, path, self._name(path, frame.f_code)))
            frame = frame.f_back
        if not any(self._seed(*one) for one in reversed(chain)):
            self._lost.add(name)

    def _seed(self, frame: Any, path: str, name: str) -> bool:
        """Keep a call; whether it could be kept, or enough of its kind are."""
        module = frame.f_globals.get("__name__", "")
        if not name or "<locals>" in name or module == "__main__":
            return False
        kept = self._seeds.setdefault((path, name), {})
        count = (path, name, self._test)
        if len(kept) >= MOST_OF_FUNCTION or self._of_test[count] >= MOST_OF_TEST:
            return bool(kept)
        try:
            content = pickle.dumps(arguments(frame), protocol=4)
        except Exception:  # noqa: BLE001 (whatever an object says to being kept)
            return False
        if len(content) > MOST_BYTES:
            return False
        if content not in kept:
            self._of_test[count] += 1
        kept[content] = {"module": module, "function": name, "arguments": content}
        return True

    def _path(self, name: str) -> str | None:
        """Return the real path of a source of the project, None for any other, `TEST` for tests."""
        if name not in self._paths:
            path = os.path.realpath(name)
            inside = path.startswith(self._root) and "/site-packages/" not in path
            if inside and self._tests.search(path[len(self._root) :]):
                path = TEST
            self._paths[name] = path if inside else None
        return self._paths[name]

    def _name(self, path: str, code: Any) -> str:
        if path not in self._functions:
            try:
                tree = ast.parse(Path(path).read_bytes())
            except (OSError, SyntaxError, ValueError):
                tree = ast.Module(body=[], type_ignores=[])
            self._functions[path] = {first: name for name, first, _ in functions(tree)}
        return self._functions[path].get(code.co_firstlineno, "")


def arguments(frame: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return positional and keyword arguments of a call that is about to run."""
    code, known = frame.f_code, frame.f_locals
    names = code.co_varnames
    positional, end = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    given = [known[name] for name in names[:positional]]
    named = {name: known[name] for name in names[positional:end]}
    if code.co_flags & VARIADIC:
        given += known[names[end]]
        end += 1
    if code.co_flags & KEYWORDS:
        named.update(known[names[end]])
    return given, named


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, int, int]]:
    """Yield the qualified name, first line (decorators included) and last line of functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = prefix + node.name
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            yield name, first, node.end_lineno or node.lineno
            yield from functions(node, f"{name}.<locals>.")
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")
        else:
            yield from functions(node, prefix)


def changed_functions(text: str, lines: set[int]) -> set[str]:
    """Return the outermost functions that hold changed lines; for lines outside, all of a file."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    known = [one for one in functions(tree) if "<locals>" not in one[0]]
    inside = {name for name, first, last in known if any(first <= one <= last for one in lines)}
    covered = {line for _, first, last in known for line in range(first, last + 1)}
    steering = {
        line
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If))
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return {name for name, _, _ in known} if (lines - covered) & steering else inside


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    """Begin before the tests of the project are imported."""
    home = os.environ.pop(HOME, None)
    if home is not None:
        calls = Calls(Path(home))
        config.pluginmanager.register(calls, "beyond-calls")
        calls.start()
