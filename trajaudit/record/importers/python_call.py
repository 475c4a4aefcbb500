"""Reads calls that a model wrote in Python's form: `[f(a=1), g.h(b="x")]`. Nothing is executed."""

import ast
import warnings
from typing import Any

from trajaudit.record.importers.shapes import json_text

MOST_CHARS = 100_000


def read_calls(text: str) -> list[tuple[str, str]] | None:
    """Return (name, arguments as JSON) of each call; None where the text is no list of calls.

    A bare word as a value, as in `flag=true`, is kept as the text that it is.
    """
    if len(text) > MOST_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            # What a model escapes oddly is told by nobody: it is text, not a program of ours.
            warnings.simplefilter("ignore")
            body = ast.parse(text.strip(), mode="eval").body
        items = body.elts if isinstance(body, (ast.List, ast.Tuple)) else [body]
        return [_call(item) for item in items]
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _call(node: ast.expr) -> tuple[str, str]:
    if not isinstance(node, ast.Call):
        raise ValueError(f"no call: {ast.dump(node)[:80]}")  # noqa: TRY004 (caught as one kind)
    arguments = {word.arg: _value(word.value) for word in node.keywords if word.arg is not None}
    if node.args or len(arguments) < len(node.keywords):
        raise ValueError("an argument without a name")
    return ast.unparse(node.func), json_text(arguments)


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return [_value(one) for one in node.elts]
    if isinstance(node, ast.Dict):
        if None in node.keys:
            raise ValueError("an unpacked mapping")
        return {
            str(_value(key)): _value(value)
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        }
    value = ast.literal_eval(node)
    if not isinstance(value, (str, int, float, bool)) and value is not None:
        raise ValueError(f"no JSON value: {value!r}")
    return value
