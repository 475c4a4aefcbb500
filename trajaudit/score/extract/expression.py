"""What expression does a text write?

An expression becomes a small tree of bounded size and depth; juxtaposition multiplies, and words
are no products of letters. Reads plain characters (see `latex`).
"""

import re
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"\s*(?:(\d+(?:\.\d+)?|\.\d+)|([A-Za-z\u0370-\u03ff\u00b5]+)|(\*\*"
    r"|[-+*/^()=,!|\u221a\u00b1%\[\]{}<>\u2264\u2265]|[×·÷\u221e°_']))"
)
FUNCTIONS = frozenset((
    "sqrt", "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "ln", "log", "exp", "abs", "factorial",
))  # fmt: skip
ALIASES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "log": "ln", "factorial": "!"}
CONSTANTS = frozenset(("pi", "\u03c0", "e", "i", "inf", "infty", "oo", "infinity", "\u221e"))
_SUPERSCRIPTS = re.compile("[\u207b\u207a]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
_PLAIN_SCRIPT = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a", "0123456789-+"
)
_MAX_TOKENS = 400
_MAX_DEPTH = 60


class Node(NamedTuple):
    """A number, a name, or an operation on nodes."""

    op: str
    args: tuple["Node", ...] = ()
    text: str = ""


class UnreadableError(ValueError):
    """The text is no expression."""


@lru_cache(maxsize=512)
def parse(text: str) -> Node:
    """The tree of an expression in plain characters; raises UnreadableError."""
    tokens: list[tuple[str, str]] = []
    at = 0
    text = _SUPERSCRIPTS.sub(_raised, text.strip())
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or len(tokens) > _MAX_TOKENS:
            raise UnreadableError(text[at : at + 20])
        number, name, sign = match.groups()
        tokens += [("number", number)] if number else _names(name) if name else [("sign", sign)]
        at = match.end()
    parser = _Parser(tokens)
    node = parser.sum(0)
    if not parser.done:
        raise UnreadableError(text[:40])
    return node


def _raised(match: re.Match[str]) -> str:
    return f"^({match[0].translate(_PLAIN_SCRIPT)})"


def _names(word: str) -> list[tuple[str, str]]:
    """`xy` is x times y, `sin` and `pi` are one name."""
    lower = word.lower()
    if lower in FUNCTIONS:
        return [("function", ALIASES.get(lower, lower))]
    if lower in CONSTANTS or len(word) == 1:
        return [("name", lower if lower in CONSTANTS else word)]
    for known in sorted((*FUNCTIONS, "pi", "\u03c0"), key=len, reverse=True):
        if lower.startswith(known):
            return [*_names(word[: len(known)]), *_names(word[len(known) :])]
    if len(word) > 3:
        raise UnreadableError(word)
    return [*_names(word[0]), *_names(word[1:])]


class _Parser:
    """Recursive descent with a bounded depth; juxtaposition multiplies."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def done(self) -> bool:
        return self._at >= len(self._tokens)

    def _peek(self) -> tuple[str, str]:
        return ("end", "") if self.done else self._tokens[self._at]

    def _take(self, *signs: str) -> str | None:
        kind, text = self._peek()
        if kind == "sign" and text in signs:
            self._at += 1
            return text
        return None

    def sum(self, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise UnreadableError("nested too deeply")
        node = self._product(depth + 1)
        while sign := self._take("+", "-"):
            node = Node(sign, (node, self._product(depth + 1)))
        return node

    def _product(self, depth: int) -> Node:
        node = self._signed(depth)
        while True:
            if sign := self._take("*", "×", "·", "/", "÷"):
                node = Node("/" if sign in "/÷" else "*", (node, self._signed(depth)))
            elif self._starts_factor():
                previous = self._tokens[self._at - 1]
                if self._peek()[0] == "number" and previous[0] == "number":
                    node = self._mixed(node, depth)
                else:
                    node = Node("*", (node, self._power(depth)))
            else:
                return node

    def _mixed(self, whole: Node, depth: int) -> Node:
        """`1 3/4` is one and three quarters."""
        above = self._power(depth)
        if whole.op != "number" or not self._take("/"):
            raise UnreadableError("two numbers in a row")
        return Node("+", (whole, Node("/", (above, self._power(depth)))))

    def _starts_factor(self) -> bool:
        kind, text = self._peek()
        return kind in ("number", "name", "function") or text in ("(", "\u221a", "[")

    def _signed(self, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise UnreadableError("nested too deeply")
        if self._take("-"):
            return Node("neg", (self._signed(depth + 1),))
        if self._take("+"):
            return self._signed(depth + 1)
        return self._power(depth)

    def _power(self, depth: int) -> Node:
        base = self._atom(depth)
        while sign := self._take("!", "°", "%"):
            base = Node(sign, (base,))
        if self._take("^", "**"):
            return Node("^", (base, self._signed(depth + 1)))
        return base

    def _atom(self, depth: int) -> Node:
        kind, text = self._peek()
        self._at += 1
        if kind in ("number", "name"):
            return Node(kind, text=text)
        if kind == "function":
            return self._call(text, depth)
        if text == "\u221a":
            return Node("sqrt", (self._power(depth + 1),))
        closing = {"(": ")", "[": "]", "{": "}", "|": "|"}.get(text)
        if kind != "sign" or closing is None:
            raise UnreadableError(text)
        inner = self.sum(depth + 1)
        if not self._take(closing):
            raise UnreadableError("bracket is not closed")
        return Node("abs", (inner,)) if text == "|" else inner

    def _call(self, name: str, depth: int) -> Node:
        power = self._signed(depth + 1) if self._take("^", "**") else None
        if name == "ln" and self._take("_"):
            base = self._atom(depth + 1)
            inner = self._power(depth + 1)
            return Node("/", (Node("ln", (inner,)), Node("ln", (base,))))
        if self._peek()[1] == "(":
            node = Node(name, (self._atom(depth + 1),))
            return Node("^", (node, power)) if power else node
        inner = self._power(depth + 1)
        while (
            self._starts_factor()
            and self._peek()[0] != "function"
            and self._tokens[self._at - 1][1] != ")"
        ):
            inner = Node("*", (inner, self._power(depth + 1)))
        node = Node(name, (inner,))
        return Node("^", (node, power)) if power else node


def names(node: Node) -> frozenset[str]:
    """The free variables."""
    if node.op == "name":
        return frozenset() if node.text in CONSTANTS else frozenset((node.text,))
    return frozenset().union(*(names(arg) for arg in node.args))
