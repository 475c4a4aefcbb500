"""Are the calls of a trajectory, to the letter, those of a path? Most trials that pass do so.

Deliberate: a question of its own before any call is read or matched. It says yes only where the
matching would say yes, and costs little more than parsing the arguments.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar

from trajaudit.datamodel.accept import ExpectedCall
from trajaudit.datamodel.trajectory import ToolCall, Trajectory
from trajaudit.score.arguments_reading import identity_of_text

_Key = TypeVar("_Key")
Letter = tuple[str, bytes | str | None]
"""A tool as it was named, and the identity of the arguments as they were written."""


class Written:
    """The calls of a trajectory as they are written."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._steps = [step for step in trajectory.steps if step.tool_calls]
        self.calls: list[ToolCall] = [call for step in self._steps for call in step.tool_calls]

    @cached_property
    def names(self) -> dict[str, int]:
        """How often each tool was called."""
        return dict(Counter([call.tool for call in self.calls]))

    @cached_property
    def letters(self) -> list[Letter] | None:
        """The calls in order; None where one was not carried out, failed or cannot be read."""
        if any(seen.is_error for step in self._steps for seen in step.observations):
            return None
        found: list[Letter] = []
        for call in self.calls:
            identity = identity_of_text(call.arguments_text) if call.executed else None
            if identity is None:
                return None
            found.append((call.tool, identity))
        return found

    @cached_property
    def counts(self) -> dict[Letter, int]:
        """How often each call was made."""
        return dict(Counter(self.letters or ()))

    @property
    def is_sequence(self) -> bool:
        """Whether no two calls were made in one step."""
        return len(self._steps) == len(self.calls)


class Letters:
    """The calls that a path lists, where each of them can be written in one way only."""

    def __init__(
        self,
        listed: Sequence[tuple[ExpectedCall, Letter]],
        *,
        ordered: bool,
        keeps_order: bool,
    ) -> None:
        """Take the calls as they are listed, and what is known of the order that they keep."""
        self._listed = [letter for _, letter in listed]
        self._ordered = ordered
        self._keeps_order = keeps_order
        needed = [letter for call, letter in listed if not call.optional]
        self._least = dict(Counter(needed))
        self._most = dict(Counter(self._listed))
        self._least_names = dict(Counter(name for name, _ in needed))
        self._most_names = dict(Counter(name for name, _ in self._listed))
        self._repeated = frozenset(letter for call, letter in listed if call.repeat)
        self._repeated_names = frozenset(name for name, _ in self._repeated)

    def are(self, written: Written) -> bool:
        """Whether the trajectory makes exactly these calls, in an order that is surely allowed."""
        if written.names != self._most_names or written.letters is None:
            return False
        if self._ordered:
            in_order = self._keeps_order and written.is_sequence
            return in_order and written.letters == self._listed
        return written.counts == self._most

    def are_among(self, written: Written, is_free: Callable[[str], bool] | None) -> bool:
        """Whether the trajectory surely makes these calls, and no others than free ones.

        `is_free` tells whether calls of a tool are free; None: all are.
        """
        if self._ordered:
            return self.are(written)
        names = written.names
        if names != self._most_names and not _has(names, self._least_names):
            return False
        if is_free and not _explains(names, self._most_names, self._repeated_names, is_free):
            return False
        made = written.counts if written.letters is not None else None
        if made is None or made == self._most:
            return made is not None
        if is_free is None:
            return _has(made, self._least)
        return _has(made, self._least) and _explains(
            made, self._most, self._repeated, lambda letter: is_free(letter[0])
        )


def _has(made: dict[_Key, int], least: dict[_Key, int]) -> bool:
    """Whether everything was done, often enough."""
    for key, times in least.items():  # noqa: SIM110 (all() takes half as long again)
        if made.get(key, 0) < times:
            return False
    return True


def _explains(
    made: dict[_Key, int],
    most: dict[_Key, int],
    repeated: frozenset[_Key],
    is_free: Callable[[_Key], bool],
) -> bool:
    """Whether nothing was done too often that may not be."""
    for key, times in made.items():
        if times > most.get(key, 0) and key not in repeated and not is_free(key):
            return False
    return True
