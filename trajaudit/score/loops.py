"""Did the agent go round in circles? The same calls with the same replies, again and again.

A repeated call whose reply changes is polling, and a call that changes the world is work: neither
is a loop.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.score.call_reading import CallReading, read_calls
from trajaudit.score.nearest_path import evidence_of
from trajaudit.score.verdict_pair import both_modes

NAME = "loops"
ROUNDS = 3
"""Rounds from which a repetition is a loop."""
LONGEST = 12
"""Calls in the longest circle that is looked for."""


@dataclass(frozen=True)
class Loop:
    """A circle of `length` calls that was gone round `rounds` times, from call number `start`."""

    start: int
    length: int
    rounds: int

    @property
    def end(self) -> int:
        return self.start + self.length * self.rounds


def loops(scenario: Scenario, _task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Look for circles among the calls and their replies."""
    readings = read_calls(trajectory, scenario.tools)
    if not readings:
        return []
    replies = [reading.reply for reading in readings]
    # Where no reply came twice, no turn did: what the arguments mean need not be known.
    found = [] if len(set(replies)) == len(replies) else find_loops(_turns(readings, trajectory))
    hit: list[CallReading] = [readings[n] for loop in found for n in range(loop.start, loop.end)]
    return both_modes(
        trajectory,
        NAME,
        passed=not found,
        reason="; ".join(_explain(loop, readings) for loop in found[:3]) or "no call is repeated",
        evidence=tuple(evidence_of(reading) for reading in hit[:20]),
        detail={
            "loops": [
                {"start": loop.start + 1, "length": loop.length, "rounds": loop.rounds}
                for loop in found[:20]
            ]
        },
    )


def _turns(readings: Sequence[CallReading], trajectory: Trajectory) -> list[tuple[str, ...]]:
    changed = {change.step for change in trajectory.world_changes if change.patch}
    return [
        (*reading.repeats, str(reading.reply), str(number) if reading.step in changed else "")
        for number, reading in enumerate(readings)
    ]


def find_loops(turns: Sequence[object], rounds: int = ROUNDS) -> list[Loop]:
    """Return the circles that are gone round at least `rounds` times without a pause.

    The shortest circle wins; circles do not overlap.
    """
    found: list[Loop] = []
    at = 0
    while at < len(turns):
        loop = next(
            (
                Loop(at, length, times)
                for length in range(1, LONGEST + 1)
                if (times := _rounds(turns, at, length)) >= rounds
            ),
            None,
        )
        if loop is not None:
            found.append(loop)
        at = loop.end if loop is not None else at + 1
    return found


def _rounds(turns: Sequence[object], at: int, length: int) -> int:
    count = 1
    if turns[at : at + 1] != turns[at + length : at + length + 1]:
        # Most often so, and cheaper to see than that whole circles differ.
        return count
    circle = turns[at : at + length]
    while circle == turns[at + count * length : at + (count + 1) * length]:
        count += 1
    return count


def _explain(loop: Loop, readings: Sequence[CallReading]) -> str:
    names = ", ".join(r.call.tool for r in readings[loop.start : loop.start + loop.length])
    first, last = readings[loop.start].step, readings[loop.end - 1].step
    return f"{names} {loop.rounds} times with the same reply, steps {first} to {last}"
