"""Are two mathematical expressions equal?

Deliberate: our own parser and numeric identity testing instead of sympy or math-verify. A reply is
hostile text; both of them evaluate while they parse (`9**9**9` hangs), time-outs around them need
signals or processes, and importing sympy takes longer than scoring a thousand replies. Here an
expression becomes a small tree of bounded size; two trees are equal when they agree to 30 digits
at several fixed points (Schwartz and Zippel's argument: different rational functions agree on a
random point with vanishing probability). mpmath does the arithmetic, with bounded magnitudes.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

_TOKEN = re.compile(
    r"\s*(?:(\d+(?:\.\d+)?|\.\d+)|([A-Za-z\u0370-\u03ff\u00b5]+)|(\*\*"
    r"|[-+*/^()=,!|\u221a\u00b1%\[\]{}<>\u2264\u2265]|[×·÷\u221e°_']))"
)
_FUNCTIONS = frozenset((
    "sqrt", "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "ln", "log", "exp", "abs",
))  # fmt: skip
_ALIASES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "log": "ln"}
_CONSTANTS = frozenset(("pi", "\u03c0", "e", "i", "inf", "infty", "oo", "infinity", "\u221e"))
_MAX_TOKENS = 400
_MAX_DEPTH = 60
_MAX_LOG = 2000.0
"""Values beyond e**2000 are not computed: nobody means them."""


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
    text = text.strip()
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


def _names(word: str) -> list[tuple[str, str]]:
    """`xy` is x times y, `sin` and `pi` are one name."""
    lower = word.lower()
    if lower in _FUNCTIONS:
        return [("function", _ALIASES.get(lower, lower))]
    if lower in _CONSTANTS or len(word) == 1:
        return [("name", lower if lower in _CONSTANTS else word)]
    for known in sorted((*_FUNCTIONS, "pi", "\u03c0"), key=len, reverse=True):
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
        return frozenset() if node.text in _CONSTANTS else frozenset((node.text,))
    return frozenset().union(*(names(arg) for arg in node.args))


def equal(one: Node, other: Node) -> bool:
    """Whether both have the same value wherever both have one."""
    free = sorted(names(one) | names(other))
    agreed = 0
    for index in range(8 if free else 1):
        point = {name: _point(index, place) for place, name in enumerate(free)}
        left, right = value_at(one, point), value_at(other, point)
        if left is None or right is None:
            if (left is None) != (right is None) and free == []:
                return False
            continue
        if not _same(left, right):
            return False
        agreed += 1
    return agreed > 0 if not free else agreed >= 3


def value_at(node: Node, point: dict[str, Any]) -> Any | None:
    """Value to 50 digits, or None where there is none that can be computed."""
    import mpmath

    with mpmath.workdps(50):
        try:
            return _evaluate(node, point, mpmath)
        except (ArithmeticError, ValueError, TypeError, MemoryError, RecursionError):
            return None


def _point(index: int, place: int) -> Any:
    """Fixed irrational points on both sides of zero, different for each name."""
    import mpmath

    with mpmath.workdps(50):
        size = mpmath.sqrt(2 + 7 * index + 3 * place) / 3 + mpmath.mpf(1) / (11 + index + 5 * place)
        return -size if (index + place) % 3 == 2 else size


def _same(left: Any, right: Any) -> bool:
    import mpmath

    with mpmath.workdps(50):
        if mpmath.isinf(left) or mpmath.isinf(right):
            return bool(left == right)
        return bool(abs(left - right) <= mpmath.mpf(10) ** -30 * max(1, abs(left), abs(right)))


def _evaluate(node: Node, point: dict[str, Any], mp: Any) -> Any:
    if node.op == "number":
        if len(node.text) > 300:
            raise ValueError("too many digits")
        return mp.mpf(node.text)
    if node.op == "name":
        return _named(node.text, point, mp)
    args = [_evaluate(arg, point, mp) for arg in node.args]
    result = _OPERATIONS[node.op](mp, *args)
    if mp.isnan(result):
        raise ValueError("not a number")
    if not mp.isinf(result) and result and mp.log(abs(result)) > _MAX_LOG:
        raise ValueError("too large")
    return result


def _named(name: str, point: dict[str, Any], mp: Any) -> Any:
    if name in ("pi", "\u03c0"):
        return +mp.pi
    if name == "e":
        return mp.e + 0
    if name == "i":
        return mp.mpc(0, 1)
    return mp.inf if name in _CONSTANTS else point[name]


def _power(mp: Any, base: Any, exponent: Any) -> Any:
    if base == 0:
        if mp.re(exponent) <= 0:
            raise ValueError("power of zero")
        return base
    if abs(exponent) > 100_000 or abs(exponent * mp.log(base)) > _MAX_LOG:
        raise ValueError("too large")
    return mp.power(base, exponent)


def _factorial(mp: Any, value: Any) -> Any:
    if mp.im(value) or value < 0 or value > 200 or value != int(value):
        raise ValueError("no factorial")
    return mp.factorial(value)


def _bounded(name: str) -> Callable[..., Any]:
    def apply(mp: Any, value: Any) -> Any:
        if abs(value) > _MAX_LOG and name in ("exp", "sinh", "cosh"):
            raise ValueError("too large")
        if abs(value) > 10**15 and name in ("sin", "cos", "tan", "cot", "sec", "csc"):
            raise ValueError("too large")
        return getattr(mp, _MPMATH.get(name, name))(value)

    return apply


_MPMATH = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "abs": "fabs"}


def _operations(functions: Iterable[str]) -> dict[str, Callable[..., Any]]:
    table: dict[str, Callable[..., Any]] = {
        "+": lambda _, a, b: a + b,
        "-": lambda _, a, b: a - b,
        "*": lambda _, a, b: a * b,
        "/": lambda _, a, b: a / b,
        "neg": lambda _, a: -a,
        "%": lambda _, a: a / 100,
        "°": lambda mp, a: a * mp.pi / 180,
        "!": _factorial,
        "^": _power,
    }
    return table | {name: _bounded(name) for name in functions if name not in _ALIASES}


_OPERATIONS = _operations(_FUNCTIONS)
