"""Which settled trials do people look at all the same, and with which probability was each taken?

Errors live in the unanimous trials as well; only a random sample with known probabilities tells how
many. The sample is drawn for each stratum by its own seed, whatever the triggers said.
"""

import hashlib
import math
import random
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

from trajaudit.datamodel.judging import Audit, PanelDecision
from trajaudit.datamodel.pairwise import PairDecision

Decision = TypeVar("Decision", PanelDecision, PairDecision)
_PILOT = {"pass": 0.93, "fail": 0.07}
"""Share of true passes that each result is expected to hold before anything is known."""


def with_audit(decisions: Sequence[Decision], audit: Audit, *, seed: int) -> list[Decision]:
    """Return the decisions with the audit sample marked and its probabilities stored."""
    strata: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(decisions):
        if one.queue != "resolve":
            strata[one.stratum].append(at)
    sizes = allocation({name: len(each) for name, each in strata.items()}, audit)
    result = list(decisions)
    for name, members in sorted(strata.items()):
        digest = hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()
        chosen = set(random.Random(digest).sample(members, sizes[name]))
        for at in members:
            update = {
                "queue": "audit" if at in chosen else "none",
                "inclusion": sizes[name] / len(members),
            }
            result[at] = decisions[at].model_copy(update=update)
    return result


def allocation(strata: dict[str, int], audit: Audit) -> dict[str, int]:
    """Return how many of each stratum are looked at: by size and spread (Neyman 1934), floored."""
    total = sum(strata.values())
    wanted = min(total, max(audit.least, math.ceil(audit.share * total)))
    weights = {name: size * _spread(name) for name, size in strata.items()}
    whole = sum(weights.values())
    return {
        name: min(size, max(audit.floor, math.ceil(wanted * weights[name] / whole)))
        for name, size in strata.items()
    }


def _spread(stratum: str) -> float:
    share = _PILOT.get(stratum.split("/", maxsplit=1)[0], 0.5)
    return math.sqrt(share * (1 - share))
