"""Do logs of one task judge it by different references? Then one of the references was corrected.

Benchmarks are corrected, and old logs keep the verdicts of the reference of their day. Where a
later log holds the same task with another reference, the earlier trials are scored by that one as
well: a verdict that turns is a reason to look at the reference that made it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.verdict import Evidence, Fault

_ALIKE = 0.5
"""Share of the words that two wordings of one task have in common."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Version:
    """A task as some logs hold it, and when the last of them began."""

    task: Task
    last_started: str
    """ISO 8601, which sorts as text; empty where no log tells."""


def latest_other(own: Version, versions: Sequence[Version]) -> Version | None:
    """Return the latest version of the task that has another reference than `own` and is no older;
    None where `own` is the latest, or the tasks have only the name in common.
    """
    others = [
        one
        for one in versions
        if one.task.accept != own.task.accept or one.task.target != own.task.target
    ]
    alike = [one for one in others if _are_alike(one.task.prompt, own.task.prompt)]
    latest = max(alike, key=lambda one: one.last_started, default=None)
    if latest is None or latest.last_started < own.last_started:
        return None
    return latest


def turned(outcome: Outcome, other: Outcome, version: Version) -> Finding | None:
    """Return a `reference_suspect` where the other reference says the opposite of a trial."""
    if outcome.final is None or other.final is None or outcome.final is other.final:
        return None
    said = "passes" if other.final else "fails"
    when = f" of {version.last_started[:10]}" if version.last_started else ""
    return Finding(
        task_id=outcome.task_id,
        trial=outcome.trial,
        kind=FailureKind.REFERENCE_SUSPECT,
        fault=Fault.REFERENCE,
        reason=f"another log{when} holds this task with another reference, by which it {said}",
        evidence=(Evidence(quote=f"reference of {version.task.id}"),),
    )


def _are_alike(one: str, other: str) -> bool:
    first, second = (set(_WORD.findall(text.casefold())) for text in (one, other))
    return len(first & second) >= _ALIKE * max(len(first | second), 1)
