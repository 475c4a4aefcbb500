"""What does a verdict mean that was written down elsewhere, in words of somebody's own?

Only a whole value counts, and only one whose meaning is plain. Half praise (`partially satisfied`,
`mostly correct`) and words that say nothing about the outcome mean neither: a person decides.
"""

import re
from typing import Literal

Meaning = Literal["pass", "fail"]

_GOOD = (
    "pass passed passes success successful succeeded satisfied satisfactory compliant correct"
    " right met true yes accept accepted acceptable resolved solved fulfilled good ok okay"
)
_BAD = (
    "fail failed fails failure unsuccessful unsatisfied unsatisfactory dissatisfied noncompliant"
    " incorrect wrong unmet false no reject rejected unacceptable unresolved unsolved unfulfilled"
    " violation violated violates bad"
)
_MEANS: dict[str, Meaning] = {
    **dict.fromkeys(_GOOD.split(), "pass"),
    **dict.fromkeys(_BAD.split(), "fail"),
}
_DENIALS = frozenset({"not", "non", "un", "never"})
_FULLY = frozenset({"fully", "completely", "entirely", "clearly", "is", "was", "verdict"})
"""Words that change nothing of what follows."""
_OTHER: dict[Meaning, Meaning] = {"pass": "fail", "fail": "pass"}


def meaning_of(written: object) -> Meaning | None:
    """Return what a recorded verdict means; None where it means neither, or is no single word."""
    if isinstance(written, bool):
        return "pass" if written else "fail"
    if not isinstance(written, str):
        return None
    words = [word for word in re.split(r"[\W_]+", written.casefold()) if word not in _FULLY]
    words = [word for word in words if word]
    denied = len(words) == 2 and words[0] in _DENIALS
    if len(words) != 1 and not denied:
        return None
    meant = _MEANS.get(words[-1])
    return _OTHER[meant] if denied and meant is not None else meant
