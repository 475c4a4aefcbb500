"""After which steps was an accepted path complete? The calls up to each step, matched again."""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from trajaudit.datamodel.accept import Accept, AcceptedPath
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.score.accepted_paths import accept_of, accepted_paths
from trajaudit.score.call_reading import tools_of
from trajaudit.score.moment import Moment


def path_moments(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Moment]:
    """Return whether the calls so far followed a path leniently, after each step with a call.

    Empty where the task lists no path, or where the matching of some prefix stays open.
    """
    accept = accept_of(scenario, task)
    if accept is None or not accept.paths:
        return []
    moments: list[Moment] = []
    shortcut = _Shortcut(scenario, task, accept)
    for kept, step in enumerate(trajectory.steps, start=1):
        shortcut.see(step)
        if not any(call.executed for call in step.tool_calls):
            continue
        state = shortcut.state(step, moments[-1].state if moments else "wrong")
        reason = moments[-1].quote if moments else ""
        if state is None:
            prefix = trajectory.model_copy(update={"steps": trajectory.steps[:kept]})
            verdicts = accepted_paths(scenario, task, prefix)
            lenient = next(one for one in verdicts if one.mode == "lenient")
            if lenient.passed is None:
                return []
            state, reason = ("right" if lenient.passed else "wrong"), lenient.reason
        moments.append(Moment(step.number, state, quote=reason, seq=step.tool_calls[0].seq))
    return moments


def is_plainly_short(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[bool]:
    """Return for each number of first steps, from none to all, whether they lack calls that every
    accepted path needs, which is plain without matching.
    """
    accept = accept_of(scenario, task)
    if accept is None:
        return [False] * (len(trajectory.steps) + 1)
    shortcut = _Shortcut(scenario, task, accept)
    short = [shortcut.lacks]
    for step in trajectory.steps:
        shortcut.see(step)
        short.append(shortcut.lacks)
    return short


class _Shortcut:
    """Knows the state after a step where that is plain without matching, which takes its time."""

    def __init__(self, scenario: Scenario, task: Task, accept: Accept) -> None:
        effects = {tool.name: tool.effect for tool in tools_of(scenario, task)}
        self._declared = frozenset(effects)
        self._readers = frozenset(name for name, effect in effects.items() if effect == "read")
        self._reading_is_free = accept.extra_calls != "none"
        self._needed = [Counter(self._writes_of(path)) for path in accept.paths]
        self._asked: Counter[str] = Counter()
        self._all_known = True

    def see(self, step: Step) -> None:
        """Count the calls of the next step, those that nothing carried out included."""
        self._asked.update(call.tool for call in step.tool_calls)
        self._all_known &= all(call.tool in self._declared for call in step.tool_calls)

    def state(self, step: Step, before: str) -> Literal["right", "wrong"] | None:
        """Return the state after a step that was seen, or None where it has to be matched."""
        names = {call.tool for call in step.tool_calls}
        if before == "right":
            # More looking around takes nothing from a path that is complete.
            return "right" if self._reading_is_free and names <= self._readers else None
        return "wrong" if self.lacks else None

    @property
    def lacks(self) -> bool:
        """Whether the calls so far plainly lack some that each path needs."""
        return self._all_known and not any(needed <= self._asked for needed in self._needed)

    def _writes_of(self, path: AcceptedPath) -> Iterator[str]:
        """Yield the tools of the calls that a path cannot do without."""
        for call in path.calls:
            if not call.optional and call.tool not in self._readers:
                yield call.tool
