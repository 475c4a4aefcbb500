"""How what the product says is held against what a case expects, field by field."""

from collections.abc import Callable
from typing import Any

from tests.cases.outcome import Adapter, Outcome

Case = dict[str, Any]
TOLERANCE = 1e-6
_NO_VALUES = frozenset({"tol", "must_not", "accept"})


def adapted(answer: Callable[[Case], Case], *, main: str = "value") -> Adapter:
    """Judge every field that the case expects; `accept` lists what the field `main` may be.

    A value that the case forbids (`must_not`) is the graver error: false credit.
    """

    def adapter(given: Case, expected: Case) -> Outcome:
        shown = answer(given)
        tol = expected.get("tol", TOLERANCE)
        wrong = [
            key
            for key, value in expected.items()
            if key not in _NO_VALUES and not same(shown.get(key), value, tol)
        ]
        if main in wrong and any(same(shown.get(main), one, tol) for one in accept_of(expected)):
            wrong.remove(main)
        forbidden = any(same(shown.get(main), one, tol) for one in expected.get("must_not", []))
        return Outcome(
            str(shown.get(main, shown)),
            accepted=not wrong and not forbidden,
            credited=forbidden,
            credit_allowed=not forbidden,
            shown=shown,
        )

    return adapter


def accept_of(expected: Case) -> list[Any]:
    """The values that may stand for the first choice."""
    return list(expected.get("accept", []))


def same(said: object, wanted: object, tol: float = TOLERANCE) -> bool:
    """Equal, and numbers near enough; a list is compared item by item."""
    if isinstance(said, bool) or isinstance(wanted, bool):
        return said is wanted
    if isinstance(said, (int, float)) and isinstance(wanted, (int, float)):
        return abs(said - wanted) <= tol
    if isinstance(said, (list, tuple)) and isinstance(wanted, (list, tuple)):
        return len(said) == len(wanted) and all(map(lambda a, b: same(a, b, tol), said, wanted))
    return said == wanted
