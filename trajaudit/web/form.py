"""What a page sends back: read without trust, kept whole where it cannot be used."""

import json
import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from pydantic import JsonValue, ValidationError
from starlette.requests import Request

from trajaudit.review.desk_records import AdjudicationForm, ReviewForm
from trajaudit.web.refusal import Refused
from trajaudit.web.security import BODY_LIMIT

MOST_FIELDS = 200
_APART = re.compile(r"[\s,\uff0c\u3001]+")
"""Commas of both scripts."""
Fields = Mapping[str, str]


async def posted(request: Request) -> Fields:
    """Return the fields of a form.

    Raises:
        Refused: it is too large, or no form.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Refused(415, "not_a_form")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_LIMIT:
            raise Refused(413, "too_large")
    try:
        pairs = parse_qsl(
            body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError as error:
        raise Refused(400, "not_a_form") from error
    # Browsers send both characters for a new line.
    return {name: value.replace("\r\n", "\n") for name, value in pairs}


def review_form(item_id: str, fields: Fields) -> ReviewForm:
    """Read a filled page of an item.

    Raises:
        Refused: a value is not what the page offers.
    """
    try:
        return ReviewForm.model_validate({"item_id": item_id, **_judgement(fields)})
    except ValidationError as error:
        raise _bad(fields) from error


def adjudication_form(item_id: str, fields: Fields) -> AdjudicationForm:
    """Read a filled page of a conflict.

    Raises:
        Refused: a value is not what the page offers.
    """
    try:
        return AdjudicationForm.model_validate({"item_id": item_id, **_judgement(fields)})
    except ValidationError as error:
        raise _bad(fields) from error


def _bad(fields: Fields) -> Refused:
    return Refused(422, "bad_form", kept=fields)


def _judgement(fields: Fields) -> dict[str, object]:
    return {
        "lease": fields.get("lease", ""),
        "verdict": fields.get("verdict") or None,
        "failure_kind": fields.get("failure_kind") or None,
        "steps": _steps(fields.get("first_bad", ""), fields.get("steps", "")),
        "evidence": _evidence(fields),
        "reason": fields.get("reason", ""),
        "seconds": fields.get("seconds") or 0,
    }


def _steps(first: str, others: str) -> list[str]:
    """The first bad step, then others; numbers by anything that is no digit, each once."""
    written = [first.strip(), *_APART.split(others)]
    return list(dict.fromkeys(one for one in written if one))


def _evidence(fields: Fields) -> list[JsonValue]:
    try:
        marks = json.loads(fields.get("evidence") or "[]")
    except (ValueError, RecursionError) as error:
        raise _bad(fields) from error
    if not isinstance(marks, list):
        raise _bad(fields)
    step = fields.get("quote_step", "").strip()
    if step:
        # Without JavaScript one place is named by hand.
        mark = {"step": step, "quote": fields.get("quote", "")}
        marks.append(mark | ({"hand": fields["quote_hand"]} if fields.get("quote_hand") else {}))
    return marks
