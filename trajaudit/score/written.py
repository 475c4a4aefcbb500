"""Are the calls of a trajectory, to the letter, those of a path? Most trials that pass do so.

Deliberate: a question of its own before any call is read or matched. It says yes only where the
matching would say yes, and costs little more than parsing the arguments.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from trajaudit.datamodel.trajectory import ToolCall, Trajectory
from trajaudit.score.arguments_reading import identity_of_text

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

    @property
    def is_sequence(self) -> bool:
        """Whether no two calls were made in one step."""
        return len(self._steps) == len(self.calls)


class Letters:
    """The calls that a path lists, where each of them can be written in one way only."""

    def __init__(self, listed: Sequence[Letter], *, ordered: bool, keeps_order: bool) -> None:
        """Take the calls as they are listed, and what is known of the order that they keep."""
        self._listed = list(listed)
        self._ordered = ordered
        self._keeps_order = keeps_order
        self._names = dict(Counter(name for name, _ in listed))
        self._counts = dict(Counter(listed))

    def are(self, written: Written) -> bool:
        """Whether the trajectory makes exactly these calls, in an order that is surely allowed."""
        if written.names != self._names or written.letters is None:
            return False
        if not self._ordered:
            return dict(Counter(written.letters)) == self._counts
        in_order = self._keeps_order and written.is_sequence
        return in_order and written.letters == self._listed
