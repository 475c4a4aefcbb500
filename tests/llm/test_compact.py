"""A schema of the request becomes a grammar without blanks; the second family hears its prompt."""

import json
from typing import Any

import pytest

from trajaudit.llm import open_model
from trajaudit.llm.base import ModelRequest
from trajaudit.llm.compact import compact

SCHEMA = {
    "type": "object",
    "properties": {"town": {"type": "string", "maxLength": 12}, "sure": {"type": "boolean"}},
    "required": ["town", "sure"],
    "additionalProperties": False,
}
FORM = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}


def test_a_schema_becomes_a_grammar_that_allows_no_blanks() -> None:
    found = compact({"model": "m", "response_format": FORM})

    start, grammar = found["grammar"].split("%json ")
    assert start == "%llguidance {}\nstart: "
    assert json.loads(grammar) == {**SCHEMA, "x-guidance": {"whitespace_flexible": False}}
    assert "response_format" not in found


@pytest.mark.parametrize("given", [None, {"type": "json_object"}, {"type": "json_schema"}, "text"])
def test_another_form_is_left_as_it_is(given: Any) -> None:
    assert compact({"response_format": given}) == {"response_format": given}


@pytest.mark.local_model
@pytest.mark.parametrize("name", ["smollm2", "gemma3-270m"])
def test_both_families_hear_the_prompt_and_keep_the_form(name: str) -> None:
    model = open_model(f"local/{name}")
    asked = " ".join(["The capital of France is Paris."] * 20) + " Where does its king live?"
    body = {
        "model": name,
        "messages": [{"role": "user", "content": asked}],
        "max_tokens": 60,
        "temperature": 0,
        "response_format": FORM,
    }

    answer = model.send(ModelRequest(endpoint="chat", body=body)).body
    model.close()

    written = answer["choices"][0]["message"]["content"]
    assert answer["usage"]["prompt_tokens"] > 100
    assert written.startswith('{"town":"')
    assert set(json.loads(written)) == {"town", "sure"}
