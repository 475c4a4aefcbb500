"""What may stand in a scenario file, for editors: JSON Schema of the form that people write."""

from typing import Any

from trajaudit.datamodel.scenario import Scenario
from trajaudit.record.fault import CALL_FLAGS
from trajaudit.record.sandbox_tools import SANDBOX_TOOLS

Schema = dict[str, Any]

_FILE: Schema = {
    "type": "object",
    "properties": {"file": {"type": "string", "minLength": 1}},
    "required": ["file"],
    "additionalProperties": False,
}
_SANDBOX_TOOLS: Schema = {
    "type": "object",
    "properties": {"sandbox": {"type": "array", "items": {"enum": list(SANDBOX_TOOLS)}}},
    "required": ["sandbox"],
    "additionalProperties": False,
}
_SCALAR: Schema = {"type": ["string", "number", "boolean"]}


def scenario_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of a scenario as written, shorthands included."""
    schema = Scenario.model_json_schema(by_alias=True)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "trajaudit scenario"
    records: dict[str, Schema] = schema["$defs"]
    fields: Schema = schema["properties"]
    for name in ("sandbox", "panel", "tolerances"):
        fields[name] = _or(fields[name], {"type": "string"})
    for name in ("tolerances", "agent"):
        fields[name] = _or(fields[name], _FILE)
    fields["tools"]["items"] = _or(fields["tools"]["items"], _FILE, _SANDBOX_TOOLS)
    del records["Accept"]["properties"]["golden_world"]  # never written by hand
    _written_tasks(records)
    _written_agents(records)
    records["ExpectedCall"] = _written_call(records["ExpectedCall"])
    return schema


def _written_tasks(records: dict[str, Schema]) -> None:
    task = records["Task"]["properties"]
    task["prompt"] = _or(task["prompt"], _FILE)
    task["target"] = _or(task["target"], _SCALAR)
    task["golden"] = _or(task["golden"], {"type": "string"}, _FILE)


def _written_agents(records: dict[str, Schema]) -> None:
    for name in ("LangGraphAgent", "CommandAgent"):
        fields = records[name]["properties"]
        fields["system"] = _or(fields["system"], _FILE)
    scripted = records["ScriptedAgent"]["properties"]["tasks"]
    scripted["additionalProperties"] = _or(
        scripted["additionalProperties"], {"type": "string"}, _FILE
    )


def _written_call(full: Schema) -> Schema:
    """A call is a tool's name, `{tool: {argument: matcher}}` with flags, or the long form."""
    # A bare value is an exact matcher, so whatever stands there is allowed.
    full["properties"]["arguments"]["additionalProperties"] = True
    flags = {name: full["properties"][name] for name in sorted(CALL_FLAGS)}
    names = "|".join(["tool", "arguments", *sorted(CALL_FLAGS)])
    short: Schema = {
        "type": "object",
        "properties": flags,
        "patternProperties": {f"^(?!({names})$)": {"type": ["object", "null"]}},
        "additionalProperties": False,
        "minProperties": 1,
    }
    return {"anyOf": [{"type": "string"}, short, full]}


def _or(schema: Schema, *others: Schema) -> Schema:
    kept: Schema = {key: schema.pop(key) for key in ("title", "default") if key in schema}
    members = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    return {**kept, "anyOf": [*members, *others]}
