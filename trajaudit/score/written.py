"""Are the calls of a trajectory, to the letter, those of a path? Most trials that pass do so.

Deliberate: a question of its own before any call is read or matched. It says yes only where the
matching would say yes, and costs little more than parsing the arguments.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar

from trajaudit.datamodel.accept import ExpectedCall
from trajaudit.datamodel.trajectory import ToolCall, Trajectory
from trajaudit.score.argument_match import Letter
from trajaudit.score.arguments_reading import identities_of_texts

_Key = TypeVar("_Key")


class Written:
    """The calls of a trajectory as they are written."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._steps = [step for step in trajectory.steps if step.tool_calls]
        self.calls: list[ToolCall] = [call for step in self._steps for call in step.tool_calls]
        self._tools = [call.tool for call in self.calls]
        self.names = _counted(self._tools)
        """How often each tool was called."""
        self._letters: list[Letter] | None = None
        self._counts: dict[Letter, int] | None = None
        self._is_read = False

    @property
    def letters(self) -> list[Letter] | None:
        """The calls in order; None where one was not carried out, failed or cannot be read."""
        if not self._is_read:
            self._letters, self._is_read = self._read(), True
        return self._letters

    @property
    def counts(self) -> dict[Letter, int]:
        """How often each call was made."""
        if self._counts is None:
            self._counts = _counted(self.letters or ())
        return self._counts

    def _read(self) -> list[Letter] | None:
        for step in self._steps:
            for seen in step.observations:
                if seen.is_error:
                    return None
        texts = [call.arguments_text for call in self.calls if call.executed]
        if len(texts) < len(self.calls):
            return None
        identities = identities_of_texts(texts)
        return None if identities is None else list(zip(self._tools, identities, strict=True))

    @property
    def is_sequence(self) -> bool:
        """Whether no two calls were made in one step."""
        return len(self._steps) == len(self.calls)


class Letters:
    """The calls that a path lists, where each of them can be written in one way only."""

    def __init__(
        self,
        calls: Sequence[ExpectedCall],
        letters: Sequence[Letter],
        *,
        ordered: bool,
        keeps_order: bool,
    ) -> None:
        """Take the calls as they are listed, and what is known of the order that they keep."""
        listed = list(zip(calls, letters, strict=True))
        self._listed = letters
        self._needed = [letter for call, letter in listed if not call.optional]
        self._ordered = ordered
        self._keeps_order = keeps_order
        self._most_names = _counted(name for name, _ in self._listed)
        all_needed = len(self._needed) == len(self._listed)
        self._least_names = (
            self._most_names if all_needed else _counted(name for name, _ in self._needed)
        )
        self._repeated = frozenset(letter for call, letter in listed if call.repeat)
        self._repeated_names = frozenset(name for name, _ in self._repeated)

    @cached_property
    def _least(self) -> dict[Letter, int]:
        return _counted(self._needed)

    @cached_property
    def _most(self) -> dict[Letter, int]:
        return _counted(self._listed)

    def are(self, written: Written) -> bool:
        """Whether the trajectory makes exactly these calls, in an order that is surely allowed."""
        if written.names != self._most_names or written.letters is None:
            return False
        if self._ordered:
            in_order = self._keeps_order and written.is_sequence
            return in_order and written.letters == list(self._listed)
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


def _counted(things: Iterable[_Key]) -> dict[_Key, int]:
    """Count equal things: for the few of a trial in half the time that a Counter takes."""
    found: dict[_Key, int] = {}
    for thing in things:
        found[thing] = found.get(thing, 0) + 1
    return found


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
