"""Do independent trials of one task agree on something other than its reference?

One trial that is wrong says nothing about the task. Several that were made apart and all say the
same other thing are a reason to look at the reference: either it is wrong, or the task misleads.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import orjson
from pydantic import JsonValue

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.trajectory import ToolCall, Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict
from trajaudit.score.argument_repair import canonical

LEAST = 3
"""So many independent trials have to agree; two may share a slip."""
_SHOWN = 20
_LENGTH = 200

_AGAINST = 3
"""So many times the weight of the passes: a reference that is met is one that can be met."""
_REPEAT = 0.5
"""What a further trial of one model weighs: it shares the model's habits."""

What = Literal["answer", "end state", "calls"]


@dataclass(frozen=True, kw_only=True)
class TrialReading:
    """What one trial of a task came to."""

    trial: int
    passed: bool | None
    """Its outcome; None: not graded, and no voice in this."""
    answer: str | None = None
    """The value that its reply commits to, where the target calls it wrong."""
    end_state: str | None = None
    """Digest of the world it left, or of the effects of its calls where no world is known; where
    that is called wrong and it changed anything at all."""
    calls: str | None = None
    """Its calls, as equal text for equal calls, where they are all that was judged and are called
    wrong."""
    origin: str = ""
    """Who made it. Trials of one origin repeat each other and have one voice together; empty: it
    was made on its own."""
    model: str = ""
    """The model that made it, where the trials of a task are by several. Repeats of one model weigh
    less than trials of another."""
    task_id: str = ""
    """Its own task, where different versions of one are looked at together."""


def reading_of(
    outcome: Outcome,
    verdicts: Sequence[Verdict],
    trajectory: Trajectory,
    origin: str = "",
    model: str = "",
) -> TrialReading:
    """Return what a scored trial came to."""
    lenient = {one.scorer: one for one in verdicts if one.mode == "lenient"}
    answer = lenient.get("final_answer")
    return TrialReading(
        trial=outcome.trial,
        passed=outcome.final,
        answer=answer.reading if answer is not None and answer.passed is False else None,
        end_state=_other_state(lenient, trajectory),
        calls=_other_calls(lenient, trajectory),
        origin=origin,
        model=model,
        task_id=outcome.task_id,
    )


def _other_state(lenient: Mapping[str, Verdict], trajectory: Trajectory) -> str | None:
    """Return the digest of a state that was changed into something else than is wanted."""
    state, done = lenient.get("end_state"), lenient.get("effects")
    if trajectory.world_end is not None:
        is_wrong = state is not None and state.passed is False
        is_other = is_wrong and trajectory.world_end != trajectory.world_start
        return digest_of(trajectory.world_end) if is_other else None
    checked = lenient.get("recorded_checks")
    if done is None or done.passed or (checked is not None and checked.passed):
        return None
    return str(done.detail["digest"]) if done.detail.get("changes") else None


def _other_calls(lenient: Mapping[str, Verdict], trajectory: Trajectory) -> str | None:
    """Return the calls of a trial that nothing but its calls can tell right from wrong."""
    path = lenient.get("accepted_paths")
    is_wrong = path is not None and path.passed is False
    if not is_wrong or "effects" in lenient or trajectory.world_end is not None:
        return None
    made = [call for step in trajectory.steps for call in step.tool_calls]
    texts = sorted(f"{call.tool} {_plain(call)}" for call in made)
    return "; ".join(texts) if texts else None


def _plain(call: ToolCall) -> str:
    return call.arguments_text if call.arguments is None else canonical(call.arguments)


def digest_of(world: JsonValue) -> str:
    """Return the SHA-256 (hex) of a world; the order of keys plays no part."""
    return sha256(orjson.dumps(world, option=orjson.OPT_SORT_KEYS)).hexdigest()


def suspect_references(task_id: str, trials: Sequence[TrialReading]) -> list[Finding]:
    """Return a `reference_suspect` for each trial that agrees with most others against the task.

    They agree when at least three independent failed trials, and more than half of all that were
    graded, came to the same other answer or the same other end state. Where the models are known,
    several have to agree, a further trial of one weighs half, and passes speak for the reference:
    the others must weigh more than three times as much. The passes are named too, as being by a
    reference that is in doubt.
    """
    graded = [one for one in trials if one.passed is not None]
    if len(graded) < LEAST:
        return []
    kinds: tuple[What, ...] = ("answer", "end state", "calls")
    return next((found for what in kinds if (found := _agreeing(task_id, graded, what))), [])


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
        if agree >= LEAST and _outweigh(group, graded):
            told = f"{agree} of {voices} independent trials come to the same other {what}"
            doubted = [one for one in graded if one.passed and _models(group)]
            return [_finding(task_id, one, group, told, what) for one in [*group, *doubted]]
    return []


def _outweigh(group: Sequence[TrialReading], graded: Sequence[TrialReading]) -> bool:
    """Whether those who agree are enough against all others, and against those that pass."""
    weight = _weight(group)
    if weight < LEAST or 2 * weight <= _weight(graded):
        return False
    models = _models(group)
    passing = [one for one in graded if one.passed]
    return not models or (len(models) > 1 and weight > _AGAINST * _weight(passing))


def _models(trials: Sequence[TrialReading]) -> set[str]:
    return {one.model for one in trials if one.model}


def _weight(trials: Sequence[TrialReading]) -> float:
    """Return the weight of what trials say: of each model, a further voice weighs less."""
    models = Counter(
        one.model or str(voice) for voice, one in {_voice(one): one for one in trials}.items()
    )
    return sum(1 + _REPEAT * (count - 1) for count in models.values())


def _said(one: TrialReading, what: What) -> str | None:
    """Return what a failed trial came to, in a form that is equal where it is the same."""
    if one.passed:
        return None
    if what != "answer":
        return one.end_state if what == "end state" else one.calls
    said = " ".join((one.answer or "").split()).casefold()
    return said or None


def _voices(trials: Sequence[TrialReading]) -> set[str]:
    return {_voice(one) for one in trials}


def _voice(one: TrialReading) -> str:
    return one.origin or f"{one.task_id}/{one.trial}"


def _finding(
    task_id: str, one: TrialReading, group: Sequence[TrialReading], told: str, what: What
) -> Finding:
    value = {
        "answer": group[0].answer,
        "end state": (group[0].end_state or "")[:12],
        "calls": group[0].calls,
    }[what]
    shown = (value or "")[:_LENGTH]
    others = tuple(
        Evidence(
            quote=f"{other.task_id or task_id}/{other.trial}: {shown}"
            + f" ({other.origin or other.model})" * bool(other.origin or other.model)
        )
        for other in group[:_SHOWN]
    )
    return Finding(
        task_id=one.task_id or task_id,
        trial=one.trial,
        kind=FailureKind.REFERENCE_SUSPECT,
        fault=Fault.REFERENCE,
        reason=f"{told}, {shown!r}: look at the reference, or at what misleads them all",
        evidence=others,
    )
