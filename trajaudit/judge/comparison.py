"""Which of two does a sentence prefer, where no verdict is marked?"""

import re

from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.judge.claim import Claim
from trajaudit.judge.protocol import Protocol

_NAMES = r"(?:assistant|response|model|answer|candidate|agent|trajectory|option)"
_ADVERB = r"(?:(?:clearly|slightly|much|far|somewhat|overall|marginally|significantly|the)\s+)*"
_EQUAL = re.compile(
    r"\b(?:equally (?:good|bad|correct|well|strong|valid)|(?:it|this) is a tie|it's a tie"
    r"|are (?:equal|tied|equivalent)|no (?:real |clear )?(?:winner|difference)|neither is better)",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:not|n't|but|however|although|though|while|if|unless|might|may|could|would|whether|yet"
    r"|seems?|at first)\b|n't|\?",
    re.IGNORECASE,
)


def compared(text: str, protocol: Protocol) -> list[Claim]:
    """Return what the sentences of a short reply prefer; nothing where one of them is hedged."""
    if protocol.kind != "pairwise" or len(protocol.labels) < 2 or _HEDGED.search(text):
        return []
    found: list[Claim] = []
    if "tie" in protocol.labels:
        found += [_claim(match, "tie") for match in _EQUAL.finditer(text)]
    pair = [label for label in protocol.labels if label != "tie"]
    for label, other in zip(pair, reversed(pair), strict=True):
        found += [_claim(match, label) for match in _better(label).finditer(text)]
        found += [_claim(match, other) for match in _worse(label).finditer(text)]
    return sorted(found, key=lambda claim: claim.at)


def _claim(match: re.Match[str], label: str) -> Claim:
    return Claim(match.start(), match.end(), ReplyStatus.OK, label)


def _better(label: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w)(?:(?i:{_NAMES})\s+)?{re.escape(label)}\s+"
        rf"(?i:(?:is|was)\s+{_ADVERB}(?:better|best|stronger|superior|preferable|winner)|wins)\b"
    )


def _worse(label: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w)(?:(?i:{_NAMES})\s+)?{re.escape(label)}\s+"
        rf"(?i:(?:is|was)\s+{_ADVERB}(?:worse|weaker|inferior)|loses)\b"
    )
