"""The interval, or union of intervals, that a reply commits to."""

import re
from itertools import pairwise
from typing import NamedTuple

from trajaudit.score.extract.expression import Node, UnreadableError, names, parse
from trajaudit.score.extract.formula import bracketed, mathematics, parts, trimmed
from trajaudit.score.extract.found import Found, State
from trajaudit.score.extract.identity import equal, value_at
from trajaudit.score.extract.interval_word import WITHOUT, spelled
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.sentence import CORRECTION, commits_to_nothing, sentences

_LESS, _MORE = "<\u2264", ">\u2265"
_COMPARE = re.compile(r"\s*(<=|>=|=<|=>|[<>\u2264\u2265])\s*")
_UNION = re.compile(
    r"(?i)\s*(?:\u222a|\bunion\b|\bor\b|\bcup\b|(?<=[)\]])\s*and\s*(?=[(\[])|(?<=[)\]])\s*[Uu]\s*(?=[(\[]))\s*"
)
_DENIED = re.compile(
    r"(?i),?\s*\b(?:not|rather than|instead of)\s*\$?[(\[][^()\[\]\n]{1,80}[)\]]\$?"
)
_HOLE = re.compile(r"(.+?)(?:\s+and|,)\s*[A-Za-z]\s*(?:\u2260|!=)\s*([-\w./\u221a\u03c0]{1,30})")
_END = r"[-\w.\u221a\u03c0/\u221e()^]{1,40}"
_NAMED = rf"\b[A-Za-z]\b\s?[<>\u2264\u2265]=?\s?{_END}"
_INFINITE = re.compile(r"(?i)^([-+]?)\s*(?:\u221e|inf(?:ty|inity)?|oo)$")


class Piece(NamedTuple):
    """One interval; an end of None is infinite."""

    low: Node | None
    high: Node | None
    low_closed: bool
    high_closed: bool


class IntervalReader:
    """Reads intervals for one target."""

    def __init__(self, right: str) -> None:
        self._written = right
        self._right = _union(trimmed(readable(right)))

    def marked(self, segment: str) -> Found | None:
        line = segment.strip().split("\n\n")[0][:1000]
        first = next(iter(sentences(line)), None)
        for text in (line, *mathematics(line), *([first.text] if first else [])):
            found = _read_last(text)
            if found is not None:
                return found
        return None

    def prose(self, text: str) -> Found | None:
        found = _read_last(text) if len(text) < 1000 else None
        if found is not None:
            return found
        for sentence in reversed(list(sentences(text))[-100:]):
            if sentence.is_question or commits_to_nothing(sentence.text):
                continue
            for piece in (*reversed(mathematics(sentence.text)), sentence.text):
                found = _read_last(piece)
                if found is not None:
                    return found
        return None

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        if self._right is None:
            return None, (), f"the target {self._written!r} cannot be read as an interval"
        right = isinstance(value, tuple) and _same(value, self._right)
        return (
            right,
            ("interval_form",) if right else (),
            f"{plain} {'is' if right else 'is not'} {self._written}",
        )


def _same(one: tuple[Piece, ...], other: tuple[Piece, ...]) -> bool:
    left, right = sorted(one, key=_place), sorted(other, key=_place)
    return len(left) == len(right) and all(
        _same_piece(a, b) for a, b in zip(left, right, strict=True)
    )


def _place(piece: Piece) -> float:
    value = value_at(piece.low, {}) if piece.low is not None else None
    try:
        return float("-inf") if value is None else float(value)
    except (TypeError, OverflowError):
        return 0.0


def _same_piece(one: Piece, other: Piece) -> bool:
    if (one.low_closed, one.high_closed) != (other.low_closed, other.high_closed):
        return False
    return _same_end(one.low, other.low) and _same_end(one.high, other.high)


def _same_end(one: Node | None, other: Node | None) -> bool:
    if one is None or other is None:
        return one is other
    return equal(one, other)


def _read_last(text: str) -> Found | None:
    """What stands behind `no wait` in the same words counts, where it is an interval."""
    text = _DENIED.sub("", text)
    for cue in reversed(list(CORRECTION.finditer(text))):
        later = text[cue.end() :]
        found = None if re.match(r"(?i)\s*than\b", later) else _read(later)
        if found is not None:
            return found
    return _read(text)


def _read(text: str) -> Found | None:
    plain = trimmed(readable(text))
    pieces = _union(plain)
    if pieces is None:
        plain = spelled(plain)
        groups = [group for group in bracketed(plain) if _bracket(plain[slice(*group)])]
        if not groups:
            return _inequality_within(plain, text)
        first, last = groups[0][0], groups[-1][1]
        pieces = _union(plain[first:last])
        plain = plain[first:last]
    if pieces is None:
        return Found(None, None, State.AMBIGUOUS, text.strip()[:300])
    return Found(pieces, plain_pieces(pieces), quote=text.strip()[:300])


def _inequality_within(plain: str, text: str) -> Found | None:
    """`so x ≤ 2 holds`: a comparison inside words."""
    match = re.search(
        rf"(?:{_END}\s?[<>\u2264\u2265]=?\s?)?{_NAMED}(?:\s(?:or|and)\s{_NAMED}){{0,4}}",
        spelled(plain),
    )
    pieces = _union(match[0]) if match else None
    return Found(pieces, plain_pieces(pieces), quote=text.strip()[:300]) if pieces else None


def _union(text: str) -> tuple[Piece, ...] | None:
    """A union of brackets or inequalities, or None."""
    holes = WITHOUT.fullmatch(text)
    if holes:
        return _around(re.split(r"\s*(?:,|\band\b|\bor\b)\s*", holes[1].strip("{} ")))
    hole = _HOLE.fullmatch(text)
    if hole:
        return _with_hole(hole[1], hole[2])
    text = re.sub(r"(?i)^(?:\w\s*(?:\u2208|in)\s*)", "", spelled(text))
    text = re.sub(r"(?i)^\{\s*\w\s*[|:]\s*(.*)\}$", r"\1", text).strip()
    if re.fullmatch(r"(?i)\u211d|all real numbers|R|all reals", text):
        return (Piece(None, None, low_closed=False, high_closed=False),)
    found: list[Piece] = []
    for part in _UNION.split(text):
        piece = _bracket(part.strip()) or _inequality(part.strip())
        if piece is None:
            return None
        found.append(piece)
    return tuple(found)


def _with_hole(rest: str, point: str) -> tuple[Piece, ...] | None:
    """`x > 0 and x ≠ 1`."""
    base, gap = _union(rest), _around([point])
    if base is None or gap is None or len(base) != 1:
        return None
    low, high = (value_at(end, {}) if end else None for end in (base[0].low, base[0].high))
    middle = value_at(gap[0].high, {}) if gap[0].high else None
    if (
        middle is None
        or (low is not None and low >= middle)
        or (high is not None and high <= middle)
    ):
        return base
    return (
        Piece(base[0].low, gap[0].high, base[0].low_closed, high_closed=False),
        Piece(gap[0].high, base[0].high, low_closed=False, high_closed=base[0].high_closed),
    )


def _around(points: list[str]) -> tuple[Piece, ...] | None:
    """All numbers but some points."""
    ends = ["-inf", *points, "inf"]
    pieces = [
        _piece(low, high, low_closed=False, high_closed=False) for low, high in pairwise(ends)
    ]
    found = [one for one in pieces if one is not None]
    return tuple(found) if len(found) == len(pieces) and points == sorted(points) else None


def _bracket(text: str) -> Piece | None:
    if len(text) < 5 or text[0] not in "([]" or text[-1] not in ")][":
        return None
    ends = parts(text[1:-1])
    if len(ends) != 2:
        return None
    return _piece(ends[0], ends[1], low_closed=text[0] == "[", high_closed=text[-1] == "]")


def _piece(low: str, high: str, *, low_closed: bool, high_closed: bool) -> Piece | None:
    ends: list[Node | None] = []
    for text, endless in ((low.strip(), "-"), (high.strip(), "+")):
        infinite = _INFINITE.match(text)
        if infinite:
            if (infinite[1] or "+") != endless:
                return None
            ends.append(None)
            continue
        try:
            node = parse(text)
        except UnreadableError:
            return None
        if names(node):
            return None
        ends.append(node)
    return Piece(
        ends[0], ends[1], low_closed and ends[0] is not None, high_closed and ends[1] is not None
    )


def _inequality(text: str) -> Piece | None:
    """`a < x ≤ b`, `x > 3`, `3 < x`, `x > 0 and x < 1`."""
    both = re.fullmatch(r"(?i)(.+?)\s+(?:and|und|\u2227)\s+(.+)", text)
    if both:
        one, other = _inequality(both[1]), _inequality(both[2])
        return _intersection(one, other) if one and other else None
    steps = _COMPARE.split(text)
    if len(steps) == 5:
        return _chain(steps)
    if len(steps) != 3:
        return None
    left, sign, right = steps
    sign = {"<=": "\u2264", "=<": "\u2264", ">=": "\u2265", "=>": "\u2265"}.get(sign, sign)
    if not re.fullmatch(r"[A-Za-z]", left.strip()):
        left, right = right, left
        sign = {"<": ">", ">": "<", "\u2264": "\u2265", "\u2265": "\u2264"}[sign]
    if not re.fullmatch(r"[A-Za-z]", left.strip()):
        return None
    closed = sign in "\u2264\u2265"
    if sign in _LESS:
        return _piece("-inf", right, low_closed=False, high_closed=closed)
    return _piece(right, "inf", low_closed=closed, high_closed=False)


def _chain(steps: list[str]) -> Piece | None:
    low, first, name, second, high = steps
    less = all(sign[0] in "<\u2264=" for sign in (first, second))
    more = all(sign[0] in ">\u2265" for sign in (first, second))
    if not re.fullmatch(r"\s*[A-Za-z]\s*", name) or not (less or more):
        return None
    closed = [sign not in ("<", ">") for sign in (first, second)]
    if more:
        low, high, closed = high, low, closed[::-1]
    return _piece(low, high, low_closed=closed[0], high_closed=closed[1])


def _intersection(one: Piece, other: Piece) -> Piece | None:
    """Of two half-lines that face each other."""
    if one.low is None and other.high is None:
        one, other = other, one
    if one.high is not None or other.low is not None:
        return None
    return Piece(one.low, other.high, one.low_closed, other.high_closed)


def plain_pieces(pieces: tuple[Piece, ...]) -> str:
    """`(-inf,0)U(3,inf)`."""
    return "U".join(
        f"{'[' if one.low_closed else '('}{_plain(one.low, '-inf')},"
        f"{_plain(one.high, 'inf')}{']' if one.high_closed else ')'}"
        for one in pieces
    )


def _plain(node: Node | None, infinite: str) -> str:
    return infinite if node is None else written(node)


def written(node: Node) -> str:
    """An expression in one line."""
    if node.op in ("number", "name"):
        return "pi" if node.text == "\u03c0" else node.text
    if node.op == "neg":
        return f"-{written(node.args[0])}"
    if node.op in ("+", "-", "*", "/", "^"):
        left, right = (
            written(arg) if arg.op in ("number", "name") else f"({written(arg)})"
            for arg in node.args
        )
        return f"{left}{node.op}{right}"
    return f"{node.op}({', '.join(written(arg) for arg in node.args)})"
