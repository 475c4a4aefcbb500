"""Which messages of a model's input are new, and which of the earlier ones are gone?"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from trajaudit.record.importers.shapes import as_dict, as_list, as_text, json_text

Ranges = list[tuple[int, int]]
_MOST_REPEATS = 10
"""Times a large pool that one input may hold: more is no conversation."""
_MOST_OF_SMALL = 100_000
"""Messages that one input may hold however small the pool: an agent in a loop says few things."""
_MOST_READ = 5_000_000
"""Messages that the inputs of a sample may name beyond those that they only add to."""


class History:
    """Follows the conversations of a sample, one for each span that calls a model.

    Each model call holds its whole input, mostly as ranges of a pool of messages, so that a call
    that only adds to the one before costs what it adds. The pool holds messages that say the same
    once, under the id of the first: what a reply says counts beside its id.
    """

    def __init__(self, pool: Sequence[Any]) -> None:
        self._pool = pool
        self._ranges: dict[str, Ranges] = {}
        self._inputs: dict[str, list[str]] = {}
        self._seen: defaultdict[str, int] = defaultdict(int)
        self._said: defaultdict[tuple[str, str], int] = defaultdict(int)
        """(Span, key) of replies that no input of that span has repeated yet."""
        self._teller: dict[str, str] = {}
        """Key of a message → span that told it first."""
        self._taken: set[tuple[str, str]] = set()
        """(Span, key) of messages that a span took over from the one that told them."""
        self._keys: dict[str, str] = {}
        """Id of a message → its key."""
        self._same: dict[str, str] = {}
        """What a message says → its key."""
        self._seqs: dict[str, int] = {}
        self._read = 0

    def told(self, message: dict[str, Any], seq: int) -> None:
        """A message was told, by the event `seq`."""
        self._seqs.setdefault(self._key(message), seq)

    def said(self, message: dict[str, Any], span: str, seq: int) -> None:
        """A model's reply, told by the event `seq`, which later inputs of its span repeat."""
        key = self._key(message)
        self._seqs.setdefault(key, seq)
        self._seen[key] += 1
        self._said[span, key] += 1
        self._teller.setdefault(key, span)

    def new(self, event: dict[str, Any]) -> tuple[list[dict[str, Any]], int | None]:
        """Return the new messages of a model call's input, and the seq of the first one that it no
        longer holds, None: it holds all that the call before held.
        """
        span = as_text(event.get("span_id"))
        refs = event.get("input_refs")
        if isinstance(refs, list):
            return self._pooled(span, _ranges(refs, len(self._pool)))
        return self._whole(span, [as_dict(one) for one in as_list(event.get("input"))])

    def _pooled(self, span: str, now: Ranges) -> tuple[list[dict[str, Any]], int | None]:
        before = self._ranges.get(span)
        self._ranges[span] = now
        added = None if before is None else _added(before, now)
        if added is not None:
            return self._unsaid(span, self._messages(added)), None
        messages = self._messages(now)
        if before is None:
            return self._unseen(span, messages), None
        keys = {self._key(one) for one in messages}
        old = (self._key(one) for one in self._messages(before))
        return self._unseen(span, messages), self._gone(old, keys)

    def _whole(
        self, span: str, messages: list[dict[str, Any]]
    ) -> tuple[list[dict[str, Any]], int | None]:
        keys = [self._key(one) for one in messages]
        before = self._inputs.get(span)
        self._inputs[span] = keys
        if before is not None and keys[: len(before)] == before:
            return self._unsaid(span, messages[len(before) :]), None
        gone = None if before is None else self._gone(before, set(keys))
        return self._unseen(span, messages), gone

    def _gone(self, before: Iterable[str], now: set[str]) -> int | None:
        return next((self._seqs.get(key) for key in before if key not in now), None)

    def _messages(self, ranges: Ranges) -> list[dict[str, Any]]:
        self._read += sum([end - start for start, end in ranges])
        if self._read > _MOST_READ:
            raise ValueError(f"input_refs name more than {_MOST_READ} messages in all")
        return [as_dict(one) for start, end in ranges for one in self._pool[start:end]]

    def _unsaid(self, span: str, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Of messages that were added: all but the model's own replies, and those that another
        agent told before they were handed to this one.
        """
        found = []
        for message in messages:
            key = self._key(message)
            pair = span, key
            if self._said.get(pair, 0) > 0:
                self._said[pair] -= 1
            elif self._teller.get(key, span) != span and pair not in self._taken:
                self._taken.add(pair)
            else:
                self._seen[key] += 1
                self._teller.setdefault(key, span)
                found.append(message)
        return found

    def _unseen(self, span: str, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Of a whole input: what occurs more often in it than it was told so far."""
        counted: defaultdict[str, int] = defaultdict(int)
        found = []
        for message in messages:
            key = self._key(message)
            counted[key] += 1
            self._said[span, key] = 0
            self._taken.add((span, key))
            if counted[key] > self._seen[key]:
                self._seen[key] = counted[key]
                self._teller.setdefault(key, span)
                found.append(message)
        return found

    def _key(self, message: dict[str, Any]) -> str:
        """Return what tells a message from others: what it says, or the id that it had before it
        was written otherwise, for example with the name of who said it.
        """
        found = message.get("id")
        name = found if isinstance(found, str) else ""
        known = self._keys.get(name) if name else None
        if known is None:
            said = _said(message)
            known = self._same.setdefault(said, name or said)
            if name:
                self._keys[name] = known
        return known


def _said(message: dict[str, Any]) -> str:
    calls = as_list(message.get("tool_calls"))
    asked = [_asked(as_dict(call)) for call in calls] if calls else calls
    told = [message.get("role"), message.get("content"), message.get("tool_call_id"), asked]
    return json_text(told)


def _asked(call: dict[str, Any]) -> list[Any]:
    return [call.get("id"), call.get("function"), call.get("arguments")]


def _ranges(refs: list[Any], size: int) -> Ranges:
    """Return the half-open ranges that are in the pool; anything else is cut away."""
    found: Ranges = []
    total = 0
    for pair in refs:
        start, end = pair
        if type(start) is int and type(end) is int and 0 <= start < min(end, size):
            end = min(end, size)
            found.append((start, end))
            total += end - start
            if total > max(_MOST_OF_SMALL, _MOST_REPEATS * size):
                raise ValueError(f"input_refs name {total} messages; the pool holds {size}")
    return found


def _added(before: Ranges, now: Ranges) -> Ranges | None:
    """Return what `now` holds behind all of `before`; None: it does not begin with it."""
    if not before:
        return now
    count = len(before)
    if len(now) < count or now[: count - 1] != before[:-1]:
        return None
    (start, end), (now_start, now_end) = before[-1], now[count - 1]
    if now_start != start or now_end < end:
        return None
    rest = [(end, now_end)] if now_end > end else []
    return rest + now[count:]
