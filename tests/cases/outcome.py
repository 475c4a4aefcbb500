"""What became of one case, and the counts of many."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """`said` of one case, and how it relates to what was expected."""

    said: str
    accepted: bool
    credited: bool = False
    """Something was said to be right (correct, exact, ok, applied, resolved)."""
    credit_allowed: bool = True
    """The case lets it be right."""
    shown: dict[str, Any] = field(default_factory=dict)

    @property
    def false_credit(self) -> bool:
        return not self.accepted and self.credited and not self.credit_allowed

    @property
    def false_denial(self) -> bool:
        return not self.accepted and not self.false_credit


Adapter = Callable[[dict[str, Any], dict[str, Any]], Outcome]
"""(input, expected) of a case → what the product says to it."""


@dataclass
class Counts:
    """Counts of one operation or category."""

    n: int = 0
    accepted: int = 0
    false_credit: int = 0
    false_denial: int = 0
    no_adapter: int = 0

    def add(self, outcome: Outcome | None) -> None:
        self.n += 1
        if outcome is None:
            self.no_adapter += 1
            return
        self.accepted += outcome.accepted
        self.false_credit += outcome.false_credit
        self.false_denial += outcome.false_denial
