"""Plants bugs in the source of real projects, and takes out the tests that would show them."""

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

_SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "+": "-", "-": "+", "+=": "-=", "-=": "+=", "and": "or", "or": "and",
    "True": "False", "False": "True", "is": "is not", "0": "1", "1": "2", "2": "3",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A source with one token changed."""

    line: int
    """Counted from 1."""
    text: str


def mutants(source: str) -> Iterator[Mutant]:
    """Return every source that differs in one token, in the order of their places."""
    lines = source.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        swap = _SWAPS.get(token.string)
        row, column = token.start
        if swap is None or token.type == tokenize.STRING:
            continue
        line = lines[row - 1]
        changed = line[:column] + swap + line[column + len(token.string) :]
        text = "".join([*lines[: row - 1], changed, *lines[row:]])
        if _compiles(text):
            yield Mutant(row, text)


def without_tests(source: str, tests: set[str]) -> str:
    """Return a file of tests without some of them, named like `test_a` or `TestB::test_c`."""
    lines = source.splitlines(keepends=True)
    for node, name in _functions(ast.parse(source)):
        if name in tests:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            last = node.end_lineno or node.lineno
            blank = [""] * (last - first + 1)
            if "::" in name:  # a class needs something in it
                blank[0] = " " * node.col_offset + "pass\n"
            lines[first - 1 : last] = blank
    return "".join(lines)


def function_of(test: str) -> str:
    """Return what an id names in its file, without parameters."""
    return test.partition("::")[2].partition("[")[0]


def _functions(module: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            yield node, node.name
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield inner, f"{node.name}::{inner.name}"


def _compiles(text: str) -> bool:
    try:
        compile(text, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
