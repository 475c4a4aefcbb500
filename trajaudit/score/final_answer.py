"""Is the final answer right: by the declared format, and as a careful person reads it?

Strict: the last line of the declared format, character by character. Lenient: the value the reply
commits to in the end. A strict pass is a lenient pass by construction: a format line that the
reply takes back later passes neither.
"""

from typing import NamedTuple

from trajaudit.datamodel import target as kinds
from trajaudit.datamodel._base import typed
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, GradeStatus, Mode, Verdict
from trajaudit.score.extract.commit import READ, Reading, read_reply
from trajaudit.score.extract.found import Reader
from trajaudit.score.extract.reader import reader_for
from trajaudit.score.extract.strict import format_line, is_written
from trajaudit.score.extract.visible import visible
from trajaudit.score.recent import Recent

NAME = "final_answer"
_evidence, _of_trial = typed(Evidence), typed(Verdict)


class Judgement(NamedTuple):
    """What a reply is worth, in one mode."""

    passed: bool | None
    """None: even a careful reader cannot tell."""
    outcome: str
    """`correct`, `incorrect`, `no_answer` or `ambiguous`."""
    reason: str
    reading: str | None = None
    tolerances: tuple[str, ...] = ()
    label: FailureKind | None = None
    quote: str = ""


_read_reply = Recent(read_reply)


def read_answer(
    text: str,
    target: kinds.Target,
    *,
    question: str = "",
    finish_reason: str | None = None,
    answer_format: str | None = None,
) -> Reading:
    """The value that `text` commits to; needs no records, so that any message can be read."""
    reader = reader_for(target, question)
    if reader is None:
        return Reading("no_answer")
    declared = answer_format or target.answer_format
    return _read_reply(text, reader, finish_reason=finish_reason, answer_format=declared)


def judge_reading(reading: Reading, target: kinds.Target, *, question: str = "") -> Judgement:
    """Compare what was read with the target (the lenient verdict)."""
    reader = reader_for(target, question)
    if reader is None:
        return Judgement(None, "ambiguous", "no rule reads this kind of target")
    return _lenient(reading, reader)


def judge_reply(
    text: str,
    target: kinds.Target,
    *,
    question: str = "",
    finish_reason: str | None = None,
    answer_format: str | None = None,
) -> tuple[Judgement, Judgement]:
    """Strict and lenient judgement of one reply."""
    declared = answer_format or target.answer_format
    reading = read_answer(
        text, target, question=question, finish_reason=finish_reason, answer_format=declared
    )
    lenient = judge_reading(reading, target, question=question)
    line = format_line(visible(text).text, text, declared)
    right = line is not None and is_written(line, target)
    if right and lenient.outcome != "correct" and not _was_taken_back(reading):
        lenient = Judgement(
            True, "correct", "the answer stands in the declared format", line, quote=line or ""
        )
    strict = _strict(line, lenient, right=right, declared=declared)
    if lenient.passed and not strict.passed:
        lenient = lenient._replace(tolerances=_all_tolerances(lenient, reading, declared))
    elif strict.passed:
        lenient = lenient._replace(tolerances=())
    if len(text) > READ:
        lenient = lenient._replace(
            reason=f"{lenient.reason} (of {len(text)} characters the last {READ} were read)"
        )
    return strict, lenient


def final_answer(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Strict and lenient verdict on the final reply of a trial."""
    return list(_final_answer(scenario, task, trajectory))


@Recent
def _final_answer(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    target = task.target
    if target is None or isinstance(target, kinds.PatchTarget):
        return []
    if trajectory.end_reason == "infra_error":
        return _both(
            trajectory,
            GradeStatus.INFRA_ERROR,
            trajectory.end_detail or "the trial was cut off by the infrastructure",
        )
    if isinstance(target, kinds.RubricTarget):
        return _both(trajectory, GradeStatus.NEEDS_JUDGE, "only judges read this target")
    if target.requires_submit and not trajectory.submitted:
        label = (
            FailureKind.NO_ANSWER if trajectory.end_reason == "replied" else FailureKind.TRUNCATED
        )
        missing = Judgement(
            False, "no_answer", "nothing was submitted, and only a submission counts", label=label
        )
        return [_verdict(trajectory, mode, missing) for mode in ("strict", "lenient")]
    strict, lenient = judge_reply(
        trajectory.final_reply or "",
        target,
        question=task.prompt,
        finish_reason=trajectory.finish_reason,
        answer_format=scenario.answer_format,
    )
    lenient = _without_switched_off(lenient, scenario.tolerances.off)
    return [_verdict(trajectory, "strict", strict), _verdict(trajectory, "lenient", lenient)]


def _lenient(reading: Reading, reader: Reader) -> Judgement:
    found = reading.found
    quote = found.quote if found else ""
    if reading.status == "no_answer":
        label = _NO_ANSWER.get(reading.label or "", FailureKind.NO_ANSWER)
        return Judgement(
            False,
            "no_answer",
            _WHY_NONE.get(reading.label or "", "the reply commits to no value"),
            label=label,
            quote=quote,
        )
    if reading.status == "ambiguous" or found is None or found.value is None:
        return Judgement(None, "ambiguous", "the reply leaves it open between values", quote=quote)
    right, tolerances, reason = reader.matches(found.value, found.plain or "")
    if right is None:
        return Judgement(None, "ambiguous", reason, found.plain, quote=quote)
    if right:
        notes = tuple(dict.fromkeys((*found.notes, *tolerances)))
        return Judgement(True, "correct", reason, found.plain, notes, quote=quote)
    label = FailureKind.WRONG_ANSWER
    for earlier in reading.earlier:
        if earlier.value is not None and reader.matches(earlier.value, earlier.plain or "")[0]:
            label = FailureKind.EARLY_CORRECT_LATE_FAIL
            reason = f"{reason}; {earlier.plain} was said before and given up"
    return Judgement(False, "incorrect", reason, found.plain, label=label, quote=quote)


_NO_ANSWER = {
    "truncated": FailureKind.TRUNCATED,
    "retracted": FailureKind.RETRACTED,
    "refused": FailureKind.REFUSED,
}
_WHY_NONE = {
    "truncated": "the reply was cut before it committed to a value",
    "retracted": "the reply takes its answer back and gives no other",
    "refused": "the reply declines to answer",
    "empty": "the reply is empty",
}


def _was_taken_back(reading: Reading) -> bool:
    return reading.how == "correction" or reading.label == "truncated"


def _strict(
    line: str | None, lenient: Judgement, *, right: bool, declared: str | None
) -> Judgement:
    if right and lenient.passed:
        return lenient._replace(
            reason="the declared format holds the answer, character by character",
            reading=line,
            tolerances=(),
        )
    if right:
        return Judgement(
            False,
            "incorrect",
            f"the format line {line!r} does not stand: {lenient.reason}",
            line,
            label=lenient.label,
        )
    if line is None:
        reason = f"no line has the declared format {declared!r}"
    else:
        reason = f"{line[:200]!r} is not the answer, character by character"
    label = FailureKind.FORMAT_MISMATCH if lenient.passed else lenient.label
    return Judgement(False, "incorrect", reason, line[:300] if line else None, label=label)


def _all_tolerances(lenient: Judgement, reading: Reading, declared: str | None) -> tuple[str, ...]:
    """The tolerances of the value, and the one that found it; at least one."""
    form = (
        ()
        if declared is None or reading.how == "declared"
        else (f"found_in_{reading.how or 'reply'}",)
    )
    return (*lenient.tolerances, *form) or ("layout",)


def _without_switched_off(lenient: Judgement, off: tuple[str, ...]) -> Judgement:
    needed = [name for name in lenient.tolerances if name in off]
    if not lenient.passed or not needed:
        return lenient
    reason = f"right only by {', '.join(needed)}, which this scenario does not allow"
    return lenient._replace(
        passed=False,
        outcome="incorrect",
        reason=reason,
        tolerances=(),
        label=FailureKind.FORMAT_MISMATCH,
    )


def _both(trajectory: Trajectory, status: GradeStatus, reason: str) -> list[Verdict]:
    modes: tuple[Mode, Mode] = ("strict", "lenient")
    return [
        Verdict(
            task_id=trajectory.task_id,
            trial=trajectory.trial,
            scorer=NAME,
            mode=mode,
            passed=None,
            status=status,
            reason=reason,
        )
        for mode in modes
    ]


def _verdict(trajectory: Trajectory, mode: Mode, judgement: Judgement) -> Verdict:
    evidence = _evidence(
        seq=trajectory.final_seq, step=trajectory.final_step, quote=judgement.quote
    )
    return _of_trial(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=NAME,
        mode=mode,
        passed=judgement.passed,
        status=GradeStatus.GRADED if judgement.passed is not None else GradeStatus.AMBIGUOUS,
        reason=judgement.reason,
        reading=judgement.reading,
        tolerances=judgement.tolerances,
        evidence=(evidence,) if trajectory.final_reply else (),
        label=judgement.label.value if judgement.label else None,
        fault=Fault.AGENT if judgement.passed is False else None,
        detail={"outcome": judgement.outcome},
    )
