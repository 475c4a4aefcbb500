"""The objects that a judge's reply really states, and their fields read without a default."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.judge.parse import broken_off, nothing_read
from trajaudit.judge.quote import plain
from trajaudit.judge.reply import Found, Pairs, Scan, scan
from trajaudit.judge.standing import is_own


class VoidReplyError(Exception):
    """A reply counts for nothing: no error of ours."""

    def __init__(self, status: ReplyStatus, note: str) -> None:
        self.status = status
        super().__init__(note)


@dataclass(frozen=True)
class Stated:
    """The objects of a reply that hold one of the wanted fields, in their order."""

    objects: tuple[Found, ...]
    read: Scan


def stated(
    reply: str | None, fields: frozenset[str], shown: Sequence[str], finish_reason: str | None
) -> Stated:
    """Return what a reply states of its own; there is at least one object.

    Args:
        reply: the text as it came.
        fields: an object with one of them is a statement.
        shown: what the judge saw; an object that stands in it word for word is a quotation.
        finish_reason: as the provider gave it.

    Raises:
        VoidReplyError: it was held back, cut, empty, or states nothing.
    """
    if finish_reason == "content_filter":
        raise VoidReplyError(ReplyStatus.REFUSED, "held back by the provider's filter")
    if reply is None or not reply.strip():
        raise VoidReplyError(ReplyStatus.EMPTY, "no text")
    read = scan(reply)
    cut = broken_off(read, finish_reason)
    if cut is not None:
        raise VoidReplyError(cut.status, cut.note)
    seen = [plain(text) for text in shown]
    found = tuple(
        one
        for one in read.objects
        if fields & {key.strip().casefold() for key, _ in one.pairs}
        and is_own(read.whole, one)
        and not any(plain(one.raw) in text for text in seen)
    )
    if not found:
        none = nothing_read(read)
        raise VoidReplyError(none.status, none.note)
    return Stated(found, read)


def fields_of(pairs: Any) -> dict[str, Any]:
    """Return an object's fields.

    Raises:
        VoidReplyError: it is no object, or a field stands twice with two values.
    """
    if not isinstance(pairs, Pairs):
        got = type(pairs).__name__
        raise VoidReplyError(ReplyStatus.UNPARSED, f"an object is wanted; got {got}")
    fields: dict[str, Any] = {}
    for name, value in pairs:
        key = name.strip().casefold()
        if key in fields and fields[key] != value:
            raise VoidReplyError(ReplyStatus.CONFLICT, f"{key} stands twice, with two values")
        fields[key] = value
    return fields


def listed(written: Any, name: str) -> list[Any]:
    """Return a list; VoidReplyError where it is none."""
    if not isinstance(written, list) or isinstance(written, Pairs):
        raise VoidReplyError(ReplyStatus.UNPARSED, f"{name} is no list")
    return written


def words(written: Any) -> tuple[str, ...]:
    """Return remarks, whether one or a list of them was written."""
    many = written if isinstance(written, list) and not isinstance(written, Pairs) else [written]
    return tuple(str(one) for one in many if one)


def text_of(fields: Mapping[str, Any], name: str) -> str:
    """Return a text; empty where none was written."""
    written = fields.get(name)
    return "" if written is None else str(written)
