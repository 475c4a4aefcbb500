"""How far do voters disagree, and what are votes with correlated errors worth?"""

import math
from collections.abc import Mapping, Sequence

KINDS = 3
"""Pass, fail and abstain."""


def entropy(shares: Sequence[float]) -> float:
    """Return the Shannon entropy in bits."""
    return -sum(share * math.log2(share) for share in shares if share > 0) + 0.0


def shares(votes: Sequence[str], kinds: Sequence[str]) -> list[float]:
    """Return the share of each kind among votes, of which there is at least one."""
    return [votes.count(kind) / len(votes) for kind in kinds]


def divergence(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return Jensen-Shannon divergence between groups and mean entropy inside them, over log2 3.

    (Lin 1991.) Both lie between 0 and 1; each group is a distribution over the same kinds.
    """
    inside = sum(entropy(group) for group in groups) / len(groups)
    mean = [sum(column) / len(groups) for column in zip(*groups, strict=True)]
    scale = math.log2(KINDS)
    return max(0.0, entropy(mean) - inside) / scale, inside / scale


def order_difference(by_order: Mapping[int, Sequence[float]]) -> float:
    """Return how far two orders' mean shares of passes lie apart; 0 where one order is missing."""
    means = [sum(values) / len(values) for values in by_order.values() if values]
    return abs(means[0] - means[1]) if len(means) == 2 else 0.0


def effective_votes(votes: int, correlation: float) -> float:
    """Return how many independent votes so many with correlated errors are worth (Kish 1965)."""
    return votes / (1 + (votes - 1) * correlation) if votes else 0.0


def majority_confidence(leading: int, others: int, correlation: float) -> float:
    """Return the probability that the leading side is the likelier one, votes discounted.

    1 - I_{1/2}(1 + a·n/V, 1 + b·n/V): the Beta posterior of a share from a flat prior, above one
    half, with n effective votes of V.
    """
    total = leading + others
    scale = effective_votes(total, correlation) / total if total else 0.0
    return 1 - _beta_below_half(1 + leading * scale, 1 + others * scale)


def _beta_below_half(a: float, b: float) -> float:
    """Return the regularised incomplete beta function at one half, by Simpson's rule.

    Both parameters are at least 1, so that the density is bounded.
    """
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)

    def density(t: float) -> float:
        # With x = t^4 / 2 the density is smooth at 0, too, where a is no whole number.
        x = t**4 / 2
        if x == 0:
            return 0.0
        return 2 * t**3 * math.exp(scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))

    pieces = 2000
    width = 1 / pieces
    inner = sum((4 if i % 2 else 2) * density(i * width) for i in range(1, pieces))
    return (density(0.0) + inner + density(1.0)) * width / 3
