"""A JSON schema as a grammar without blanks between its parts.

Left to itself a model of this size fills its answer with them: where a schema allows a line break,
it may go on breaking lines until its tokens are spent.
"""

import json
from collections.abc import Mapping
from typing import Any

_WITHOUT_BLANKS = {"x-guidance": {"whitespace_flexible": False}}
"""Understood by llguidance, by which this llama.cpp holds a model to a schema."""


def compact(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request with its `response_format`, where it is a schema, as a grammar."""
    wanted = body.get("response_format")
    found = wanted.get("json_schema") if isinstance(wanted, dict) else None
    schema = found.get("schema") if isinstance(found, dict) else None
    if not isinstance(schema, dict):
        return dict(body)
    kept = {key: value for key, value in body.items() if key != "response_format"}
    grammar = json.dumps({**schema, **_WITHOUT_BLANKS})
    return {**kept, "grammar": f"%llguidance {{}}\nstart: %json {grammar}"}
