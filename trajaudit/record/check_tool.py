"""Do tools have one behaviour each, and is what stands behind it there?"""

import ast
from collections.abc import Iterator
from functools import lru_cache

from trajaudit.datamodel.tool import Mock, ToolSpec
from trajaudit.errors import ScenarioError
from trajaudit.record.check import Check, Found, argument_faults, under
from trajaudit.record.check_schema import schema_fault
from trajaudit.record.fault import nearest
from trajaudit.record.project_files import ForeignPathError


def tool_faults(check: Check, tool: ToolSpec) -> Iterator[Found]:
    """Yield what is wrong with a tool, places relative to it."""
    fault = schema_fault(tool.parameters)
    if fault:
        yield ("parameters",), fault
    elif tool.parameters.get("type", "object") != "object":
        got = tool.parameters["type"]
        yield ("parameters", "type"), f"arguments are a mapping; got {got!r}; write type: object"
    if (tool.mock is None) == (tool.sandbox is None):
        got = "neither" if tool.mock is None else "both"
        yield (), f"a tool has a mock or a sandbox behaviour; got {got}; write one"
    if tool.mock is not None:
        yield from under(("mock",), _mock_faults(check, tool, tool.mock))
    yield from under(
        ("aliases", "arguments"), _plain(argument_faults(tool, tool.aliases.arguments))
    )


def _plain(found: Iterator[tuple[str, str]]) -> Iterator[Found]:
    for name, text in found:
        yield (name,), text


def _mock_faults(check: Check, tool: ToolSpec, mock: Mock) -> Iterator[Found]:
    for number, row in enumerate(mock.table or ()):
        place = ("table", number)
        yield from under((*place, "args"), _plain(argument_faults(tool, row.args)))
        if row.error is not None and "reply" in row.model_fields_set:
            yield place, "a row has a reply or an error; got both; keep one"
    if "default" in mock.model_fields_set and mock.table is None:
        yield ("default",), "only a table has a default; got one without table; leave it out"
    if mock.python is not None:
        yield from under(("python",), _python_faults(check, tool.name, mock.python))
    if mock.cassette is not None:
        yield from under(("cassette",), _file_faults(check, mock.cassette))
    if mock.mcp is not None and len(mock.mcp.keys() & {"url", "command"}) != 1:
        yield ("mcp",), "a server has a url or a command; write exactly one of them"


def _python_faults(check: Check, name: str, file: str) -> Iterator[Found]:
    missing = list(_file_faults(check, file))
    yield from missing
    if missing:
        return
    try:
        functions = _functions(check.files.text(file))
    except SyntaxError as error:
        place = f"{check.files.display(file)}:{error.lineno or 1}"
        yield (), f"no Python; got {str(error.msg).lower()} at {place}"
        return
    except ScenarioError as error:
        yield (), error.faults[0]
        return
    if name not in functions:
        yield (), f"{file} has no function {name!r}; {nearest(name, functions)}"


@lru_cache(maxsize=8)
def _functions(text: str) -> list[str]:
    """Return the names of a file's functions; it is parsed, never executed."""
    try:
        parsed = ast.parse(text)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from error
    return [node.name for node in parsed.body if isinstance(node, ast.FunctionDef)]


def _file_faults(check: Check, file: str) -> Iterator[Found]:
    fault = file_fault(check, file)
    if fault:
        yield (), fault


def file_fault(check: Check, file: str) -> str | None:
    """Return what is wrong with a file that is named, or None; its hash is remembered."""
    if file in check.files.sha256:
        return None
    try:
        if not check.files.path(file).exists():
            return f"there is no such file; got {file!r}; name one below the scenario's folder"
        check.files.read(file)
    except ForeignPathError as error:
        return str(error)
    except ScenarioError as error:
        return error.faults[0]
    return None
