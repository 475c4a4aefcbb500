"""Finds where a hunk belongs in a file, exactly first, then with a few named tolerances.

A place that is not exact has to be the only one: two places that fit equally well are a conflict.
"""

from collections.abc import Callable, Sequence

from trajaudit.score.patch.sections import Hunk, Line

EOL = "eol"
WHITESPACE = "whitespace"
FUZZ = "fuzz"
STRIPPED_TAIL = "stripped_tail"
HUNK_COUNTS = "hunk_counts"
TAB = 8
Key = Callable[[bytes], bytes]
"""What of a line counts when two of them are compared."""
LEAST_ANCHORS = 2
"""Lines with content that must fit where one line of context may differ."""


class PlacingError(Exception):
    """A hunk fits nowhere, or in more than one place."""


def lines_of(content: bytes) -> list[bytes]:
    """Return lines with their line feeds; only a line feed ends a line."""
    return [line + b"\n" for line in content.split(b"\n")[:-1]] + (
        [content.rpartition(b"\n")[2]] if not content.endswith(b"\n") and content else []
    )


def changed(content: bytes, hunks: Sequence[Hunk]) -> tuple[bytes, list[str]]:
    """Return the file after all hunks, and the tolerances that they needed.

    Raises:
        PlacingError: a hunk has no place; nothing is half done.
    """
    lines = lines_of(content)
    done: list[bytes] = []
    used: list[str] = []
    at = offset = 0
    for hunk in hunks:
        place, level = _place(hunk, lines, at, offset)
        used += [*level, *_tail(hunk, lines, place)]
        done += lines[at:place]
        done += _replaced(hunk, lines, place, own_eol=EOL in level or WHITESPACE in level)
        offset = place - (hunk.start - 1) if hunk.start else offset
        at = place + len(hunk.old)
    return b"".join(done + lines[at:]), list(dict.fromkeys(used))


def contains(content: bytes, hunks: Sequence[Hunk]) -> bool:
    """Whether the file already is what all hunks would make of it."""
    lines = lines_of(content)
    at = 0
    for hunk in hunks:
        wanted = [(_eol_free, line.text) for line in hunk.new]
        found = _fits(lines, wanted, at)
        if not wanted or not found:
            return False
        at = found[0] + len(wanted)
    return True


def _place(hunk: Hunk, lines: list[bytes], at: int, offset: int) -> tuple[int, tuple[str, ...]]:
    if not hunk.old:
        if lines:
            raise PlacingError("a hunk has neither context nor removed lines")
        return 0, ()
    guess = hunk.start - 1 + offset if hunk.start is not None else -1
    for name, removed, context in _KEYS:
        keys = {"-": removed, " ": context}
        found = _fits(lines, [(keys[one.sign], one.text) for one in hunk.old], at)
        if guess in found:
            return guess, name
        if len(found) == 1:
            return found[0], name
        if found:
            raise PlacingError(f"a hunk fits in {len(found)} places")
    return _fuzzy(hunk, lines, at), (FUZZ,)


def _fits(lines: list[bytes], wanted: Sequence[tuple[Key, bytes]], at: int) -> list[int]:
    """Return every place where the lines agree, each in the way in which it is to be compared."""
    seen = {key: [key(line) for line in lines] for key in {key for key, _ in wanted}}
    needed = [(seen[key], key(text)) for key, text in wanted]
    return [
        place
        for place in range(at, len(lines) - len(needed) + 1)
        if all(column[place + number] == text for number, (column, text) in enumerate(needed))
    ]


def _fuzzy(hunk: Hunk, lines: list[bytes], at: int) -> int:
    """Find the one place where all but one line of context fit; removed lines always must."""
    seen = [_blank_free(line) for line in lines]
    wanted = [(line.sign, _blank_free(line.text)) for line in hunk.old]
    last = len(lines) - len(wanted)
    places = [place for place in range(at, last + 1) if _nearly(seen, wanted, place)]
    if len(places) != 1:
        raise PlacingError("a hunk fits nowhere" if not places else "a hunk fits in many places")
    return places[0]


def _nearly(seen: list[bytes], wanted: list[tuple[str, bytes]], place: int) -> bool:
    differing = anchors = 0
    for number, (sign, text) in enumerate(wanted):
        if seen[place + number] == text:
            anchors += bool(text.strip())
        elif sign == "-" or differing:
            return False
        else:
            differing += 1
    return anchors >= LEAST_ANCHORS


def _replaced(hunk: Hunk, lines: list[bytes], place: int, *, own_eol: bool) -> list[bytes]:
    """Return the new lines; context keeps the file's own bytes."""
    eol = _usual_eol(lines)
    result = []
    for line in hunk.lines:
        if line.sign == "+":
            result.append(_with_eol(line.text, eol) if own_eol else line.text)
            continue
        if line.sign == " ":
            result.append(lines[place])
        place += 1
    return result


def _tail(hunk: Hunk, lines: list[bytes], place: int) -> list[str]:
    """Say what the missing lines at the end of a patch were: blank ones, or miscounted ones."""
    if not hunk.missing:
        return []
    end = place + len(hunk.old)
    following = lines[end : end + hunk.missing]
    blank = len(following) == hunk.missing and not any(line.strip() for line in following)
    return [STRIPPED_TAIL if blank else HUNK_COUNTS]


def _usual_eol(lines: list[bytes]) -> bytes:
    crlf = sum(line.endswith(b"\r\n") for line in lines)
    return b"\r\n" if crlf * 2 > len(lines) else b"\n"


def _with_eol(text: bytes, eol: bytes) -> bytes:
    return _eol_free(text).removesuffix(b"\n") + eol if text.endswith(b"\n") else text


def _same(text: bytes) -> bytes:
    return text


def _eol_free(text: bytes) -> bytes:
    return text[:-2] + b"\n" if text.endswith(b"\r\n") else text


def _blank_free(text: bytes) -> bytes:
    end = b"\n" if text.endswith(b"\n") else b""
    return text.expandtabs(TAB).rstrip() + end


def _any_blanks(text: bytes) -> bytes:
    return b" ".join(text.split(None)) + b"\n" * text.endswith(b"\n")


_KEYS: tuple[tuple[tuple[str, ...], Key, Key], ...] = (
    ((), _same, _same),
    ((EOL,), _eol_free, _eol_free),
    ((WHITESPACE,), _blank_free, _blank_free),
    ((WHITESPACE,), _blank_free, _any_blanks),
)
"""How lines may differ: the name of it, and what of a line that is removed, or that stays, counts.

Of a line that stays the file keeps its own blanks, so that their number need not be known."""


def created(hunks: Sequence[Hunk]) -> bytes:
    """Return a new file's content.

    Raises:
        PlacingError: the hunks speak of lines that a new file cannot have.
    """
    lines: list[Line] = [line for hunk in hunks for line in hunk.lines]
    if any(line.sign != "+" for line in lines):
        raise PlacingError("a new file has lines of context")
    return b"".join(line.text for line in lines)
