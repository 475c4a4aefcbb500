"""On which inputs does a patch not do what the reference solution does?

Compared are value, exception type, changes to arguments, and what was printed. A difference counts
only where the reference solution answers the same twice, and takes its arguments for well-formed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.patch_findings import DifferingCall

MALFORMED = frozenset(
    {"TypeError", "AttributeError", "NotImplementedError", "RecursionError", "MemoryError"}
)
"""What a function says to arguments that it was never meant to get."""
MOST_SHOWN = 300

Likeness = Literal["unfixed", "changed", "other"]


class ProbeInput(Record):
    """One call that is made in each container."""

    function: str
    arguments: str
    made_up: bool
    """It was not seen in a test as it is."""


class Outcome(Record):
    """What one call came to."""

    number: int
    kind: Literal["returned", "raised", "hung", "died", "unusable"]
    value: str = ""
    """A canonical text of the value; of an exception, its type."""
    effects: str = ""
    """The arguments afterwards."""
    printed: str = ""

    @property
    def compared(self) -> tuple[str, ...]:
        if self.kind == "returned":
            return (self.kind, self.value, self.effects, self.printed)
        return (self.kind, self.value)

    def __str__(self) -> str:
        match self.kind:
            case "returned":
                return self.value
            case "raised":
                return f"raises {self.value}"
            case "hung":
                return "does not end"
            case "died":
                return "ends the process"
            case "unusable":
                return "cannot be called"


Outcomes = Mapping[int, Outcome]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One input on which two solutions differ."""

    call: DifferingCall
    likeness: Likeness
    """`unfixed`: as without a patch; `changed`: the reference solution left it as it was."""
    made_up: bool
    """No test makes this very call."""
    only_behind: bool
    """The same comes back; arguments afterwards or output differ."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What comparing came to."""

    differences: Sequence[Difference]
    """What comes back differently first, then what is left behind; calls of tests first, then the
    shortest arguments."""
    compared: int
    undecided: int
    """Inputs on which the reference solution varies, or that it takes for malformed."""


def suspects(inputs: Sequence[ProbeInput], gold: Outcomes, candidate: Outcomes) -> list[int]:
    """Return the numbers of the inputs on which two solutions seem to differ."""
    return [
        number
        for number, one in enumerate(inputs)
        if (right := _decisive(one, gold.get(number))) is not None
        and (mine := candidate.get(number)) is not None
        and mine.kind != "unusable"
        and right.compared != mine.compared
    ]


def compare(
    inputs: Sequence[ProbeInput],
    gold: Outcomes,
    again: Outcomes,
    candidate: Outcomes,
    base: Outcomes,
) -> Compared:
    """Compare outcomes input by input.

    Args:
        inputs: What was called.
        gold: What the reference solution came to.
        again: The same, once more, for each input on which the solutions seem to differ.
        candidate: What the patch came to.
        base: What came out without any, for the same inputs as `again`.
    """
    differences: list[Difference] = []
    differing = set(suspects(inputs, gold, candidate))
    compared = 0
    for number, one in enumerate(inputs):
        right, mine = _decisive(one, gold.get(number)), candidate.get(number)
        if right is None or mine is None or mine.kind == "unusable":
            continue
        if number not in differing:
            compared += 1
        elif number in again and again[number].compared == right.compared:
            compared += 1
            differences.append(_difference(one, right, mine, base.get(number)))
    differences.sort(
        key=lambda one: (
            one.only_behind,
            one.made_up,
            len(one.call.arguments),
            one.call.arguments,
        )
    )
    return Compared(differences=differences, compared=compared, undecided=len(inputs) - compared)


def _decisive(one: ProbeInput, said: Outcome | None) -> Outcome | None:
    """Return what is right for an input; None when that is not known."""
    if said is None or said.kind not in {"returned", "raised"}:
        return None
    if one.made_up and said.kind == "raised" and said.value in MALFORMED:
        return None
    return said


def _difference(one: ProbeInput, right: Outcome, mine: Outcome, base: Outcome | None) -> Difference:
    texts = _texts(right, mine)
    call = DifferingCall(
        function=one.function,
        arguments=_cut(one.arguments),
        gold=_cut(texts[0]),
        candidate=_cut(texts[1]),
        base=_cut(str(base)) if base is not None and base.kind != "unusable" else "",
    )
    likeness: Likeness = "other"
    if base is not None and base.compared == mine.compared:
        likeness = "unfixed"
    elif base is not None and base.compared == right.compared:
        likeness = "changed"
    return Difference(
        call=call, likeness=likeness, made_up=one.made_up, only_behind=str(right) == str(mine)
    )


def _texts(right: Outcome, mine: Outcome) -> tuple[str, str]:
    """Return what tells two outcomes apart."""
    if str(right) != str(mine):
        return str(right), str(mine)
    if right.effects != mine.effects:
        return f"leaves {right.effects}", f"leaves {mine.effects}"
    return f"prints {right.printed!r}", f"prints {mine.printed!r}"


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."
