"""What is wrong with a call's arguments, as a real API would say it to its caller."""

import json
from collections.abc import Mapping
from functools import lru_cache

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from pydantic import JsonValue
from referencing import Registry
from referencing.exceptions import Unresolvable

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.errors import MockError, ScenarioError

MAX_DEPTH = 64
MAX_FAULTS = 10
MAX_FAULT_CHARS = 200


class ArgumentCheck:
    """Checks calls of one tool against its JSON Schema (2020-12); nothing is ever fetched."""

    def __init__(self, spec: ToolSpec) -> None:
        wrong = _schema_fault(json.dumps(spec.parameters))
        if wrong is not None:
            raise ScenarioError([f"tool {spec.name}: parameters are no JSON Schema: {wrong}"])
        self._tool = spec.name
        self._validator = Draft202012Validator(spec.parameters, registry=Registry())

    def faults(self, arguments: Mapping[str, JsonValue]) -> list[str]:
        """Return one line for each fault; an empty list when the call is valid.

        Raises:
            MockError: the schema refers to something that is not there.
        """
        if not _is_json(arguments):
            return [f"arguments are not JSON, or are nested more than {MAX_DEPTH} deep"]
        try:
            errors = sorted(self._validator.iter_errors(arguments), key=_place)
        except Unresolvable as error:
            raise MockError(f"schema of tool {self._tool} cannot be resolved: {error}") from error
        except (ArithmeticError, RecursionError):
            return ["arguments hold a number that is out of range, or are nested too deep"]
        lines = [_line(error) for error in errors]
        more = len(lines) - MAX_FAULTS
        return lines if more <= 0 else [*lines[:MAX_FAULTS], f"and {more} more"]


@lru_cache(maxsize=1024)
def _schema_fault(schema: str) -> str | None:
    """Checked once, not again in every trial: this takes longer than many calls."""
    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError as error:
        return error.message
    return None


def _place(error: ValidationError) -> tuple[str, str]:
    return error.json_path, error.message


def _line(error: ValidationError) -> str:
    where = error.json_path.removeprefix("$").removeprefix(".")
    text = error.message
    if len(text) > MAX_FAULT_CHARS:
        text = f"{text[:80]}...{text[-100:]}"
    return f"{where}: {text}" if where else text


def _is_json(arguments: Mapping[str, JsonValue]) -> bool:
    level: list[JsonValue] = [dict(arguments)]
    for _ in range(MAX_DEPTH):
        level = [inner for value in level for inner in _inside(value)]
        if not level:
            break
    if level:
        return False
    try:
        json.dumps(arguments, allow_nan=False)
    except (ValueError, TypeError):
        return False
    return True


def _inside(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
