"""Which files does a piece of Python write, and which addresses does it ask?

Only literals are seen: a path that is put together at run time stays unknown.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_WRITERS = frozenset({"write_text", "write_bytes", "unlink", "rmdir", "rename", "replace", "touch"})
_REMOVERS = frozenset(
    {"remove", "unlink", "rmtree", "rename", "replace", "move", "removedirs", "truncate"}
)
_MOVERS = frozenset({"rename", "replace", "move"})
_COPIERS = frozenset({"copy", "copyfile", "copy2", "copytree"})
_ASKERS = frozenset(
    {"urlopen", "urlretrieve", "get", "post", "head", "request", "Request", "download"}
    | {"clone_from"}
)
_SHELLS = frozenset(
    {"system", "popen", "run", "call", "check_call", "check_output", "Popen", "getoutput"}
)
_LONGEST = 200_000


@dataclass(frozen=True)
class PythonActs:
    """What the literals of a program say that it does."""

    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


def python_acts(source: str) -> PythonActs:
    """Read a program; nothing where it does not parse."""
    if len(source) > _LONGEST:
        return PythonActs()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return PythonActs()
    names = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return PythonActs(
        tuple(path for call in calls for path in _written(call, names)),
        tuple(path for call in calls for path in _read(call, names)),
        tuple(text for call in calls for text in _asked(call, names)),
        tuple(text for call in calls for text in _run(call, names)),
    )


_Names = dict[str, ast.expr]


def _written(call: ast.Call, names: _Names) -> Iterator[str]:
    name = _name(call)
    if name == "open" and any(letter in _mode(call) for letter in "wax+"):
        yield from _path(call, names)
    elif name in _WRITERS and _is_path(call.func, names):
        yield from _receiver(call, names)
    elif name in _REMOVERS and call.args and _is_module(call.func):
        yield from _texts(call.args[0], names)
        if name in _MOVERS and len(call.args) > 1:
            yield from _texts(call.args[1], names)
    elif name in _COPIERS and len(call.args) > 1 and _is_module(call.func):
        yield from _texts(call.args[1], names)


def _read(call: ast.Call, names: _Names) -> Iterator[str]:
    name = _name(call)
    if name == "open" and not any(letter in _mode(call) for letter in "wax"):
        yield from _path(call, names)
    elif name in {"read_text", "read_bytes"}:
        yield from _receiver(call, names)


def _asked(call: ast.Call, names: _Names) -> Iterator[str]:
    if _name(call) in _ASKERS and call.args and not _is_mapping(call.func, names):
        for text in _texts(call.args[0], names):
            if text.startswith(("http://", "https://", "ftp://")):
                yield text


def _run(call: ast.Call, names: _Names) -> Iterator[str]:
    if _name(call) not in _SHELLS or not call.args:
        return
    first = call.args[0]
    if isinstance(first, ast.List | ast.Tuple):
        words = [text for item in first.elts for text in _texts(item, names)]
        if len(words) == len(first.elts):
            yield " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
    else:
        yield from _texts(first, names)


def _name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _mode(call: ast.Call) -> str:
    is_method = isinstance(call.func, ast.Attribute) and not _is_module(call.func)
    place = 0 if is_method else 1
    found: ast.expr | None = call.args[place] if len(call.args) > place else None
    for keyword in call.keywords:
        if keyword.arg == "mode":
            found = keyword.value
    return found.value if isinstance(found, ast.Constant) and isinstance(found.value, str) else "r"


def _path(call: ast.Call, names: _Names) -> Iterator[str]:
    if isinstance(call.func, ast.Attribute) and not _is_module(call.func):
        yield from _receiver(call, names)
    elif call.args:
        yield from _texts(call.args[0], names)


def _is_module(function: ast.expr) -> bool:
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return False
    return function.value.id in {"io", "os", "codecs", "gzip", "shutil"}


def _is_path(function: ast.expr, names: _Names) -> bool:
    """Whether a method is called on something that is made by `Path(...)`."""
    if not isinstance(function, ast.Attribute):
        return False
    value: ast.expr = function.value
    if isinstance(value, ast.Name):
        value = names.get(value.id, value)
    return any(
        isinstance(node, ast.Call) and _name(node) in {"Path", "PosixPath"}
        for node in ast.walk(value)
    )


def _is_mapping(function: ast.expr, names: _Names) -> bool:
    """Whether a method is called on a dictionary of the program, or on its environment."""
    if not isinstance(function, ast.Attribute):
        return False
    value: ast.expr = function.value
    if isinstance(value, ast.Name):
        value = names.get(value.id, value)
    is_environment = isinstance(value, ast.Attribute) and value.attr == "environ"
    return is_environment or isinstance(value, ast.Dict | ast.DictComp)


def _receiver(call: ast.Call, names: _Names) -> Iterator[str]:
    if isinstance(call.func, ast.Attribute):
        yield from _texts(call.func.value, names)


def _texts(node: ast.expr, names: _Names) -> Iterator[str]:
    """Yield the text that an expression is, as far as literals tell."""
    text = _text(node, names, 0)
    if text is not None:
        yield text


def _text(node: ast.expr, names: _Names, depth: int) -> str | None:
    if depth > 8:
        return None
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name) and node.id in names:
        return _text(names[node.id], names, depth + 1)
    if isinstance(node, ast.Call) and _name(node) in {"Path", "PosixPath", "join"} and node.args:
        parts = [_text(argument, names, depth + 1) for argument in node.args]
        return "/".join(part for part in parts if part) if None not in parts else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        left, right = _text(node.left, names, depth + 1), _text(node.right, names, depth + 1)
        return f"{left}/{right}" if left is not None and right is not None else None
    return None
