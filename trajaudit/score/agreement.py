"""Do independent trials of one task agree on something other than its reference?

One trial that is wrong says nothing about the task. Several that were made apart and all say the
same other thing are a reason to look at the reference: either it is wrong, or the task misleads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import orjson
from pydantic import JsonValue

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict

LEAST = 3
"""So many independent trials have to agree; two may share a slip."""
_SHOWN = 20
_LENGTH = 200

What = Literal["answer", "end state"]


@dataclass(frozen=True, kw_only=True)
class TrialReading:
    """What one trial of a task came to."""

    trial: int
    passed: bool | None
    """Its outcome; None: not graded, and no voice in this."""
    answer: str | None = None
    """The value that its reply commits to, where the target calls it wrong."""
    end_state: str | None = None
    """Digest of the world it left, where that is called wrong and it changed anything at all."""
    origin: str = ""
    """Who made it. Trials of one origin repeat each other and have one voice together; empty: it
    was made on its own."""


def reading_of(
    outcome: Outcome, verdicts: Sequence[Verdict], trajectory: Trajectory, origin: str = ""
) -> TrialReading:
    """Return what a scored trial came to."""
    lenient = {one.scorer: one for one in verdicts if one.mode == "lenient"}
    answer, state = lenient.get("final_answer"), lenient.get("end_state")
    changed = trajectory.world_end is not None and trajectory.world_end != trajectory.world_start
    is_other = state is not None and state.passed is False and changed
    return TrialReading(
        trial=outcome.trial,
        passed=outcome.final,
        answer=answer.reading if answer is not None and answer.passed is False else None,
        end_state=digest_of(trajectory.world_end) if is_other else None,
        origin=origin,
    )


def digest_of(world: JsonValue) -> str:
    """Return the SHA-256 (hex) of a world; the order of keys plays no part."""
    return sha256(orjson.dumps(world, option=orjson.OPT_SORT_KEYS)).hexdigest()


def suspect_references(task_id: str, trials: Sequence[TrialReading]) -> list[Finding]:
    """Return a `reference_suspect` for each trial that agrees with most others against the task.

    They agree when at least three independent failed trials, and more than half of all that were
    graded, came to the same other answer or the same other end state.
    """
    graded = [one for one in trials if one.passed is not None]
    return _agreeing(task_id, graded, "answer") or _agreeing(task_id, graded, "end state")


def broken_task(outcome: Outcome) -> Finding | None:
    """Return a `task_broken` where a golden trajectory, which has to pass, failed."""
    if outcome.final is not False:
        return None
    return Finding(
        task_id=outcome.task_id,
        trial=outcome.trial,
        kind=FailureKind.TASK_BROKEN,
        fault=Fault.REFERENCE,
        reason="the golden trajectory fails: the task cannot be passed as it stands",
        evidence=(Evidence(quote=f"{outcome.task_id}/{outcome.trial}: golden trajectory failed"),),
        decided=True,
    )


def _agreeing(task_id: str, graded: Sequence[TrialReading], what: What) -> list[Finding]:
    groups: dict[str, list[TrialReading]] = {}
    for one in graded:
        said = _said(one, what)
        if said is not None:
            groups.setdefault(said, []).append(one)
    voices = len(_voices(graded))
    for group in groups.values():
        agree = len(_voices(group))
        if agree >= LEAST and 2 * agree > voices:
            told = f"{agree} of {voices} independent trials come to the same other {what}"
            return [_finding(task_id, one, group, told, what) for one in group]
    return []


def _said(one: TrialReading, what: What) -> str | None:
    """Return what a failed trial came to, in a form that is equal where it is the same."""
    if one.passed:
        return None
    if what == "end state":
        return one.end_state
    said = " ".join((one.answer or "").split()).casefold()
    return said or None


def _voices(trials: Sequence[TrialReading]) -> set[str | int]:
    return {one.origin or one.trial for one in trials}


def _finding(
    task_id: str, one: TrialReading, group: Sequence[TrialReading], told: str, what: What
) -> Finding:
    value = one.answer if what == "answer" else one.end_state
    shown = (value or "")[:_LENGTH] if what == "answer" else (value or "")[:12]
    others = tuple(
        Evidence(
            quote=f"{task_id}/{other.trial}: {shown}" + f" ({other.origin})" * bool(other.origin)
        )
        for other in group[:_SHOWN]
    )
    return Finding(
        task_id=task_id,
        trial=one.trial,
        kind=FailureKind.REFERENCE_SUSPECT,
        fault=Fault.REFERENCE,
        reason=f"{told}, {shown!r}: look at the reference, or at what misleads them all",
        evidence=others,
    )
