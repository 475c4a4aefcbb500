"""One line of the results, and the counts that it is made of."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

from trajaudit.stats.interval import Interval

Kind = Literal["ours", "guaranteed", "naive"]
PROMISED = (0.93, 0.98)
"""What a 95 % interval of ours covers, but for one that guarantees, which may cover more."""


@dataclass(frozen=True)
class Row:
    """How often one kind of interval held the truth in one setting."""

    method: str
    setting: str
    kind: Kind
    coverage: float
    error: float
    """Standard error of the coverage."""
    width: float | None
    """Mean; None: it is no interval but a whole series of them."""
    reps: int
    rare: bool = False
    """Errors are so rare that labels mostly show none. An interval that then leaves room for some
    cannot miss where there are next to none; it may hold more often than promised."""

    @property
    def is_kept(self) -> bool:
        """Whether the promise holds, by two standard errors."""
        low, high = PROMISED
        limited = self.kind == "ours" and not self.rare
        above = limited and self.coverage - 2 * self.error > high
        return not (self.coverage + 2 * self.error < low or above)

    def line(self) -> str:
        """Write it for a terminal."""
        width = "" if self.width is None else f"width {self.width:.3f}"
        note = "" if self.kind == "naive" or self.is_kept else "  OUT OF RANGE"
        return (
            f"{self.kind:10} {self.method:34} {self.setting:48} {self.coverage:.3f} "
            f"± {self.error:.3f}  {width}{note}"
        )

    def markdown(self) -> str:
        """Write it as a row of a Markdown table."""
        width = "" if self.width is None else f"{self.width:.3f}"
        cells = (self.method, self.setting, f"{self.coverage:.3f} ± {self.error:.3f}", width)
        return f"| {' | '.join(cells)} |"


class Hits:
    """Counts intervals that hold the truth."""

    def __init__(self) -> None:
        self.held = self.reps = 0
        self._width = 0.0

    def add(self, interval: Interval, truth: float) -> None:
        """Count one interval; its edges belong to it."""
        self.reps += 1
        self.held += interval.low - 1e-9 <= truth <= interval.high + 1e-9
        self._width += interval.high - interval.low

    def row(
        self, method: str, setting: str, kind: Kind, *, width: bool = True, rare: bool = False
    ) -> Row:
        """Return what was counted; with one made-up miss and hit each in the standard error."""
        share = self.held / self.reps
        smooth = (self.held + 1) / (self.reps + 2)
        return Row(
            method=method,
            setting=setting,
            kind=kind,
            coverage=share,
            error=sqrt(smooth * (1 - smooth) / self.reps),
            width=self._width / self.reps if width else None,
            reps=self.reps,
            rare=rare,
        )
