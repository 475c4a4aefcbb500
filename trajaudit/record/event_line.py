"""One event as one line of JSON, and back."""

import json
import re
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from trajaudit.datamodel.event import Event

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)
_SURROGATE = re.compile("[\ud800-\udfff]")


def encoded(fields: dict[str, Any]) -> bytes:
    """Return the line, without its line feed; texts that are no Unicode are escaped and marked."""
    last = {"prev": fields.pop("prev")}
    ordered = {"seq": fields["seq"], "t": fields["t"], "kind": fields["kind"], **fields, **last}
    try:
        return orjson.dumps(ordered)
    except (TypeError, ValueError):
        # Surrogates, and integers of more than 64 bits, which orjson refuses.
        clean, changed = _clean(ordered)
        if changed:
            clean["escaped"] = True
        return json.dumps(clean, ensure_ascii=False, separators=(",", ":")).encode()


def _clean(value: Any) -> tuple[Any, bool]:
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, dict):
        pairs = [(escaped(key), _clean(item)) for key, item in value.items()]
        fields = {key: item for (key, _), (item, _) in pairs}
        return fields, any(key_changed or changed for (_, key_changed), (_, changed) in pairs)
    if isinstance(value, (list, tuple)):
        items = [_clean(item) for item in value]
        return [item for item, _ in items], any(changed for _, changed in items)
    return value, False


def decoded(line: bytes) -> Event | str:
    """Return the event of a line, or what is wrong with the line."""
    try:
        # Not orjson: it would read integers of more than 64 bits as floats.
        return _EVENT.validate_json(line)
    except ValidationError as e:
        first = e.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"no event; {where + ': ' if where else ''}{first['msg'].lower()}"


def link(line: bytes) -> tuple[object, object, str | None]:
    """Return `seq` and `prev` of a line, and what is wrong with the line."""
    try:
        fields = _read(line)
    except (ValueError, RecursionError):
        return None, None, "not JSON; expected one event"
    if not isinstance(fields, dict):
        return None, None, "not an event; expected a JSON object"
    return fields.get("seq"), fields.get("prev"), None


def _read(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except ValueError:
        # It refuses integers that no float can hold; an argument may well be one.
        return json.loads(line)


def escaped(text: str) -> tuple[str, bool]:
    r"""Write what is no Unicode as backslash sequences, and tell whether there was any.

    Bytes that were decoded with `surrogateescape` become `\xNN`, other surrogates `\uNNNN`.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub(_backslashed, text), True
    return text, False


def _backslashed(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
