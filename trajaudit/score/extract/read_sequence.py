"""The set, list or tuple that a reply commits to."""

import re
from collections.abc import Sequence

from pydantic import JsonValue

from trajaudit.score.extract.expression import Node, UnreadableError, parse
from trajaudit.score.extract.formula import bracketed, mathematics, parts, right_side, trimmed
from trajaudit.score.extract.found import Context, Found, State
from trajaudit.score.extract.glyph import folded
from trajaudit.score.extract.identity import equal
from trajaudit.score.extract.json_answer import parse_loose
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.number_word import english
from trajaudit.score.extract.numeral import Convention, parse_numeral
from trajaudit.score.extract.sentence import after_turn, commits_to_nothing, sentences
from trajaudit.score.extract.unit import find_unit

_AND = re.compile(
    r"(?i)\s*(?:,\s*)?(?:\b(?:and|or|und|oder|et|ou|y|as well as)\b|&|和|与|或|及)\s+"
    r"|(?<=[\w)])(?:和"
    r"|与|或|及)(?=[\w(])"
)
_LABEL = re.compile(r"^\s*[A-Za-z]\w{0,2}(?:_?\{?\d\}?)?\s*(?:=|\u2208|:)\s*")
_BUT_NOT = re.compile(
    r"(?i)[\s,(]*\b(?:but|and)\s+not\b[^,;]*$|\s*[,(]\s*not\b[^;]*$|\s+only$|^only\s+"
)
_GOES_ON = re.compile(r"[,;]\s*(?:and so on|\.{3}|\u2026)\s*(?:[,;)}\]]|\.?\s*$)")
_ANGLES = re.compile(
    r"[<\u27e8\u3008]([^<>=\u27e8\u27e9]{1,200},[^<>=\u27e8\u27e9]{1,200})[>\u27e9\u3009]"
)
_VECTOR = re.compile(
    r"\\begin\{([pbv]?matrix|array)\}(?:\{[clr|]+\})?(.{1,500}?)\\end\{\1\}", re.DOTALL
)
_NAMED = re.compile(r"\s*([A-Za-z\u03b1-\u03c9])\s*=(?!=)")
_ORDER = re.compile(r"\(\s*([A-Za-z\u03b1-\u03c9](?:\s*,\s*[A-Za-z\u03b1-\u03c9])+)\s*\)")
_EMPTY = re.compile(
    r"(?i)^(?:\u2205|\{\s*\}|\[\s*\]|\(\s*\)|the empty set|empty set|empty list|none"
    r"|(?:there (?:are|is) )?no (?:(?:real|such) )?(?:solutions?|values?|roots?|elements?)"
    r"(?: exists?)?)$"
)
_DENIES = re.compile(r"(?i)\b(?:not|rather than|instead of)\s*[(\[{]")
_DENIED = re.compile(r"(?i)\b(?:not|rather than|instead of)\s*$")
_DENIED_FORMULA = re.compile(r"(?i)\b(?:not|rather than|instead of)\s*\$[^$\n]{1,200}\$")
_TELLS = re.compile(r"(?i)\w\s+(?:are|is|were|was|include)\s+\w")
_BULLET = re.compile(r"^\s*(?:[-*\u2022+]|\d{1,2}[.)])\s+")
_LONGEST = 4000
Member = Node | str
"""An expression, or folded words."""


class SequenceReader:
    """Reads members; `ordered` tells lists and tuples from sets."""

    def __init__(self, members: Sequence[JsonValue], context: Context, *, ordered: bool) -> None:
        self._convention = Convention.of(context.locale)
        self._ordered = ordered
        self._right = [_member(_as_text(one), Convention(".")) for one in members]
        named = _ORDER.search(context.question) if ordered else None
        self._names = re.findall(r"\w", named[1]) if named else []
        self._numeric = all(isinstance(one, Node) for one in self._right)

    def marked(self, segment: str) -> Found | None:
        block = segment.strip()[:_LONGEST]
        paragraph = block.split("\n\n")[0]
        for text in (block, paragraph, *mathematics(paragraph), paragraph.split("\n")[0]):
            found = self._read(text)
            if found is not None:
                return found
        first = next(iter(sentences(paragraph)), None)
        return self._within(first.text) if first else None

    def prose(self, text: str) -> Found | None:
        found = self._read(text) if len(text) < _LONGEST else None
        if found is not None:
            return found
        for sentence in reversed(list(sentences(text))[-100:]):
            claim = after_turn(sentence.text)
            if sentence.is_question or commits_to_nothing(claim):
                continue
            found = self._within(claim)
            if found is not None:
                return found
        return None

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        members = list(value) if isinstance(value, tuple) else []
        right = (
            _same_order(members, self._right) if self._ordered else _same_set(members, self._right)
        )
        kind = "list" if self._ordered else "set"
        return (
            right,
            ("list_form",) if right else (),
            f"{plain} {'is' if right else 'is not'} the wanted {kind}",
        )

    def _read(self, text: str) -> Found | None:
        """The whole text is the sequence."""
        if _DENIES.search(text):
            return None
        if _GOES_ON.search(text):
            return Found(None, None, State.AMBIGUOUS, text.strip()[:300])
        members = self._members(text)
        if members is None:
            return None
        values = tuple(_member(one, self._convention) for one in members)
        if self._numeric and not all(isinstance(one, Node) for one in values):
            return None
        if not self._numeric and (
            any(len(one.split()) > 8 for one in members)
            or _TELLS.search(members[0] if members else "")
        ):
            return None
        return Found(values, ", ".join(map(_shown, members)), quote=text.strip()[:300])

    def _members(self, text: str) -> list[str] | None:
        plain = _ungrouped(_BUT_NOT.sub("", trimmed(_bracketed(text))))
        if _EMPTY.match(plain):
            return []
        if (
            plain[:1] == "["
            and (loaded := parse_loose(plain)) is not None
            and isinstance(loaded, list)
        ):
            return [_as_text(one) for one in loaded]
        lines = [line for line in plain.split("\n") if line.strip()]
        if len(lines) > 1:
            if not all(_BULLET.match(line) for line in lines) and any(
                len(line.split()) > 6 for line in lines
            ):
                return None
            return [trimmed(_BULLET.sub("", line)) for line in lines]
        return _split(self._in_order(plain))

    def _in_order(self, plain: str) -> str:
        """`y = 4, x = 3` names the members of (x, y) in another order."""
        pieces = parts(plain) if self._ordered and "=" in plain else []
        if len(pieces) == 1:
            pieces = _AND.split(plain)
        named = [match[1] for piece in pieces if (match := _NAMED.match(piece))]
        if len(named) < 2 or len(set(named)) != len(pieces):
            return plain
        order = self._names if set(self._names) == set(named) else sorted(named)
        return ", ".join(pieces[named.index(name)] for name in order)

    def _within(self, sentence: str) -> Found | None:
        """The sequence inside words: in brackets, in mathematics, or behind a verb."""
        sentence = _DENIED_FORMULA.sub(" ", sentence)
        plain = _bracketed(sentence)
        pieces = [
            plain[slice(*group)]
            for group in bracketed(plain)
            if not _DENIED.search(plain[: group[0]])
        ]
        tail = re.split(
            r"(?i)\b(?:are|is|be|get|gives?|include[sd]?|namely|contains?|equals?|obtain|have"
            r"|solutions?)\b(?!.*\b(?:are|is)\b)|:|是|为|有",
            plain,
        )[-1]
        head = re.split(r"[;(]|\s(?:because|since|as)\s", tail)[0]
        for piece in (*reversed(mathematics(sentence)), *reversed(pieces), tail, head):
            found = self._read(piece)
            if found is not None:
                return found
        return None


def _bracketed(text: str) -> str:
    """Plain characters; vectors and angle brackets as round brackets."""
    if "\\begin" in text:
        text = _VECTOR.sub(
            lambda one: "(" + re.sub(r"\s*(?:\\\\|&)\s*", ", ", one[2].strip(" \\\n")) + ")", text
        )
    return _ANGLES.sub(r"(\1)", readable(text))


def _split(plain: str) -> list[str] | None:
    """Members of `{1, 2}`, `(3, 4)`, `x = 1 or x = 2`, `±4`, `2 and 5`."""
    group = bracketed(plain)
    inner = _LABEL.sub("", plain, count=1)
    group = bracketed(inner)
    if group == [(0, len(inner))] and inner[0] in "([{":
        inner = inner[1:-1]
    inner = re.sub(r"(?i)\b(?:both|either|the values?|the numbers?)\s+", "", inner)
    pieces = [part for whole in parts(inner) for part in _AND.split(whole)]
    pieces = [trimmed(_LABEL.sub("", piece)) for piece in pieces if trimmed(piece)]
    if not pieces:
        return None
    return [one for piece in pieces for one in _both_signs(piece)]


def _ungrouped(text: str) -> str:
    """`1,000, 2,000`: commas without a blank group digits where others separate."""
    if re.search(r"[,;]\s", text) is None or re.search(r",(?!\d{3}(?!\d))\d", text):
        return text
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)


def _both_signs(piece: str) -> list[str]:
    if piece.count("\u00b1") == 1:
        before, _, after = piece.partition("\u00b1")
        return [f"{before}{'+' if before.strip() else ''}{after}", f"{before}-{after}"]
    return [right_side(piece)]


def _as_text(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "(" + ", ".join(_as_text(one) for one in value) + ")"
    return str(getattr(value, "written", value))


def _member(text: str, convention: Convention) -> Member:
    plain = trimmed(readable(text))
    if convention.decimal == "," or re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        value, _ = parse_numeral(plain.lstrip("-"), convention)
        if value is not None:
            plain = f"{'-' if plain.startswith('-') else ''}({value})"
    unit = re.fullmatch(r"([-+]?[\d.]+)\s*([^\d\s]+)", plain)
    if unit and len(unit[2]) > 1 and find_unit(unit[2]):
        plain = unit[1]
    words = (
        english(plain)
        if plain.isascii() and plain.replace("-", "").replace(" ", "").isalpha()
        else None
    )
    try:
        node = parse(str(words) if words is not None else plain)
    except UnreadableError:
        return folded(plain.strip("()"))
    return node if _is_mathematical(node) else folded(plain)


def _is_mathematical(node: Node) -> bool:
    """`cat` parses as c·a·t, but it is a word."""
    return not (node.op == "*" and all(arg.op in ("name", "*") for arg in node.args))


def _shown(text: str) -> str:
    return re.sub(r"\(\((.+?)\)/\((.+?)\)\)", r"\1/\2", text).replace("\u03c0", "pi")


def _same_member(one: Member, other: Member) -> bool:
    if isinstance(one, Node) and isinstance(other, Node):
        return equal(one, other)
    return isinstance(one, str) and one == other


def _same_order(one: Sequence[Member], other: Sequence[Member]) -> bool:
    return len(one) == len(other) and all(
        _same_member(a, b) for a, b in zip(one, other, strict=True)
    )


def _same_set(one: Sequence[Member], other: Sequence[Member]) -> bool:
    """Equal as sets; repeats do not count."""
    if len(one) > 200 or len(other) > 200:
        return len(one) == len(other) and _same_order(sorted(one, key=str), sorted(other, key=str))
    covers = all(any(_same_member(a, b) for b in other) for a in one)
    return covers and all(any(_same_member(a, b) for a in one) for b in other)
