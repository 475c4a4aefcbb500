"""How far may an agreement lie from what was seen, where items come in groups?"""

import random
from collections.abc import Sequence

from trajaudit.stats.agreement import Label, cohen_kappa
from trajaudit.stats.interval import Interval

LEAST_GROUPS = 10
"""With fewer groups nothing useful can be drawn."""


def kappa_interval(
    groups: Sequence[Sequence[tuple[Label, Label]]],
    *,
    rng: random.Random,
    confidence: float = 0.95,
    draws: int = 2000,
) -> Interval | None:
    """Percentile interval of Cohen's κ, whole groups drawn with replacement (Efron 1979).

    A group holds the pairs of labels of items that belong together, for example of a trial and its
    twin. Draws in which one label alone occurs have no κ, and are left out. None: too few groups,
    or more than a tenth of the draws had no κ.
    """
    if len(groups) < LEAST_GROUPS:
        return None
    found: list[float] = []
    for _ in range(draws):
        pairs = [pair for group in rng.choices(groups, k=len(groups)) for pair in group]
        value = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs]).value if pairs else None
        if value is not None:
            found.append(value)
    if len(found) < 0.9 * draws:
        return None
    found.sort()
    tail = int((1 - confidence) / 2 * len(found))
    return Interval(found[tail], found[len(found) - 1 - tail])
