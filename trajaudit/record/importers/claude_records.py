"""Which records of a Claude Code session happened, and in which order."""

from collections.abc import Iterator
from typing import Any

from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_list, as_text

Record = dict[str, Any]


def parts_of(record: Record) -> list[Record]:
    """Return the content of a record's message as parts; a bare text is one of them."""
    content = as_dict(record.get("message")).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [
        {"type": "text", "text": part} if isinstance(part, str) else as_dict(part)
        for part in as_list(content)
    ]


def text_in(record: Record) -> str:
    """Return the texts of a record's message."""
    texts = (as_text(part.get("text")) for part in parts_of(record) if part.get("type") == "text")
    return "\n".join(filter(None, texts))


def message_id(record: Record) -> str:
    """Return what the records have in common into which one reply of the model was split."""
    if record.get("type") != "assistant":
        return ""
    return as_text(as_dict(record.get("message")).get("id") or record.get("requestId"))


def side_of(record: Record) -> str:
    """Return the subagent that a record belongs to; empty for the main conversation."""
    parent = as_text(record.get("parent_tool_use_id"))
    if parent:
        return parent
    if record.get("isSidechain") is not True:
        return ""
    return as_text(record.get("agentId")) or "sidechain"


def main_branch(records: list[Record], losses: Losses) -> list[Record]:
    """Return the records of the conversation that was carried on, subagents included.

    Records point at their parent. Where a user went back and asked anew there are several branches:
    the one of the last message counts, and the rest is counted as dropped. Replies that were split
    into records stay together, and so do answers to calls that ran side by side.
    """
    main = [one for one in records if not side_of(one) and one.get("type") in {"user", "assistant"}]
    if not main or not any(one.get("parentUuid") for one in main):
        return records
    kept = _ancestors(main[-1], records)
    replies = {message_id(one) for one in main if one.get("uuid") in kept} - {""}
    calls = {
        as_text(part.get("id"))
        for one in main
        if message_id(one) in replies
        for part in parts_of(one)
        if part.get("type") == "tool_use"
    }
    aside = [one for one in main if not _belongs(one, kept, replies, calls)]
    if aside:
        losses.dropped("records beside the branch", as_text(aside[0].get("uuid")), len(aside))
    dropped = {id(one) for one in aside}
    return [one for one in records if id(one) not in dropped]


def _ancestors(leaf: Record, records: list[Record]) -> set[str]:
    by_uuid = {
        one["uuid"]: one for one in records if isinstance(one.get("uuid"), str) and one["uuid"]
    }
    found: set[str] = set()
    at: Record | None = leaf
    while at is not None and as_text(at.get("uuid")) not in found:
        found.add(as_text(at.get("uuid")))
        # A summary starts anew, and tells its place by the second key.
        at = by_uuid.get(as_text(at.get("parentUuid") or at.get("logicalParentUuid")))
    return found


def _belongs(record: Record, kept: set[str], replies: set[str], calls: set[str]) -> bool:
    if as_text(record.get("uuid")) in kept or message_id(record) in replies:
        return True
    answered = [
        as_text(part.get("tool_use_id"))
        for part in parts_of(record)
        if part.get("type") == "tool_result"
    ]
    return bool(answered) and calls.issuperset(answered)


def in_order(records: list[Record]) -> Iterator[list[Record]]:
    """Yield what is told together: the records of one reply, a subagent's conversation, or one.

    Each at the place of its first record.
    """
    replies: dict[str, list[Record]] = {}
    sides: dict[str, list[Record]] = {}
    for record in records:
        side = side_of(record)
        if side:
            sides.setdefault(side, []).append(record)
        elif message_id(record):
            replies.setdefault(message_id(record), []).append(record)
    for record in records:
        side = side_of(record)
        if side:
            yield sides.pop(side, [])
        elif message_id(record):
            yield replies.pop(message_id(record), [])
        else:
            yield [record]
