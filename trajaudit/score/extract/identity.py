"""Are two mathematical expressions equal?

Deliberate: our own parser and numeric identity testing instead of sympy or math-verify. A reply is
hostile text; both of them evaluate while they parse (`9**9**9` hangs), time-outs around them need
signals or processes, and importing sympy takes longer than scoring a thousand replies. Here two
trees of bounded size (see `expression`) are equal when they agree to 30 digits
at several fixed points (Schwartz and Zippel's argument: different rational functions agree on a
random point with vanishing probability). mpmath does the arithmetic, with bounded magnitudes.
"""

from collections.abc import Callable, Iterable
from typing import Any

from trajaudit.score.extract.expression import ALIASES, CONSTANTS, FUNCTIONS, Node, names

_MAX_LOG = 2000.0
"""Values beyond e**2000 are not computed: nobody means them."""


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
    return mp.inf if name in CONSTANTS else point[name]


def _power(mp: Any, base: Any, exponent: Any) -> Any:
    if base == 0:
        if mp.re(exponent) <= 0:
            raise ValueError("power of zero")
        return base
    if abs(exponent) > 100_000 or abs(exponent * mp.log(base)) > _MAX_LOG:
        raise ValueError("too large")
    return mp.power(base, exponent)


def _factorial(mp: Any, value: Any) -> Any:
    if mp.im(value) or abs(value) > 200:
        raise ValueError("no factorial")
    return mp.gamma(value + 1)


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
    return table | {name: _bounded(name) for name in functions if name not in ALIASES}


_OPERATIONS = _operations(FUNCTIONS)
