"""At which steps was a criterion met? By message for the answer, by change for the world."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import JsonValue

from trajaudit.datamodel import target as kinds
from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.mocks.world import apply
from trajaudit.score.call_reading import read_calls, tools_of
from trajaudit.score.effects import effects_of, net_effects, wanted_effects
from trajaudit.score.end_state import check_assertions, check_golden
from trajaudit.score.extract.commit import Reading
from trajaudit.score.extract.found import Found
from trajaudit.score.extract.sentence import CONCLUSION
from trajaudit.score.final_answer import judge_reading, read_answer
from trajaudit.score.recent import Recent
from trajaudit.score.screen import may_hold

_ANNOUNCED = frozenset(
    {"declared", "box", "hashes", "tag", "heading", "word", "json", "correction"}
)
_NAMES_ANSWER = re.compile(r"(?i)\banswer|答案|\\boxed|####")
_MAY_WITHDRAW = (
    *("wrong", "right", "mistake", "correct", "error", "take", "withdraw", "retract", "scratch"),
    *("strike", "ignore", "disregard", "misread", "sure"),
)
"""One of the words that every withdrawal (`extract.sentence.WITHDRAWAL`) has in it."""
_MAY_NAME = ("answer", "\\boxed", "####")
_LIST_NUMBER = re.compile(r"\s*\(?\d+[.)]\s*")
_SHORT = 300
"""Characters up to which a whole message is taken as an answer."""
_PARTIAL = re.compile(
    r"(?i)\b(?:part|step|sub-?(?:question|problem|task)|stage|phase|intermediate|partial|interim"
    r"|so far|first|next|for now)\b"
)


@dataclass(frozen=True)
class Moment:
    """What one step says about a criterion."""

    step: int
    state: Literal["right", "wrong", "retracted", "none"]
    plain: str = ""
    quote: str = ""
    seq: int | None = None
    is_final: bool = False
    """It is the reply that counts in the end."""
    is_cut: bool = False
    is_announced: bool = False
    """It is said to be the answer, not only said."""


def answer_moments(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Moment]:
    """Return what each message of the agent commits to, in order; the final reply comes last.

    A message beside tool calls counts only where it announces an answer; unmarked prose counts
    only where it is addressed to the user and says more than the task did.
    """
    return list(_answer_moments(scenario, task, trajectory))


@Recent
def _answer_moments(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Moment]:
    if task.target is None or isinstance(task.target, kinds.PatchTarget | kinds.RubricTarget):
        return []
    reader = _Reader(scenario, task, trajectory)
    found = [moment for step in trajectory.steps for moment in reader.step(step)]
    return [*found, *reader.final()]


class _Reader:
    def __init__(self, scenario: Scenario, task: Task, trajectory: Trajectory) -> None:
        assert task.target is not None  # noqa: S101 (the caller asked before)
        self._target: kinds.Target = task.target
        self._format = scenario.answer_format
        self._question = task.prompt
        self._trajectory = trajectory
        self._given = [task.prompt]

    def step(self, step: Step) -> Iterator[Moment]:
        self._given += [m.content for m in step.before if m.role != "tool"]
        if self._is_final(step) or not step.message.content.strip():
            return
        if step.tool_calls and not _may_count(step.message.content):
            return
        reading = self._read(step.message.content, step.finish_reason)
        if self._counts(reading, step):
            text, seq = step.message.content, step.message.seq
            yield from self._moments(reading, text, step.number, seq, final=False)

    def final(self) -> Iterator[Moment]:
        trajectory = self._trajectory
        if trajectory.final_reply is None:
            return
        reading = self._read(trajectory.final_reply, trajectory.finish_reason)
        last = trajectory.steps[-1].number if trajectory.steps else 1
        number = trajectory.final_step or last
        text = trajectory.final_reply
        yield from self._moments(reading, text, number, trajectory.final_seq, final=True)

    def _is_final(self, step: Step) -> bool:
        """Whether a step's message is the reply that is read as the final one."""
        trajectory = self._trajectory
        is_last = trajectory.final_step in {None, step.number}
        return is_last and step.message.content == trajectory.final_reply

    def _read(self, text: str, finish_reason: str | None) -> Reading:
        return read_answer(
            text,
            self._target,
            question=self._question,
            finish_reason=finish_reason,
            answer_format=self._format,
        )

    def _counts(self, reading: Reading, step: Step) -> bool:
        text, found = step.message.content, reading.found
        if reading.label == "retracted":
            return True
        if found is None or reading.status != "value":
            return False
        if _PARTIAL.search(_sentence_of(text, found)):
            return False
        if reading.how in _ANNOUNCED:
            return not step.tool_calls or bool(_NAMES_ANSWER.search(text))
        if step.tool_calls or found.weak or _LIST_NUMBER.fullmatch(found.quote):
            return False
        plain = (found.plain or "").lower()
        told = any(plain in given.lower() for given in self._given)
        return not told and (len(text) <= _SHORT or bool(CONCLUSION.search(found.quote)))

    def _moments(
        self, reading: Reading, text: str, number: int, seq: int | None, *, final: bool
    ) -> Iterator[Moment]:
        for earlier in reading.earlier:
            if not _PARTIAL.search(earlier.quote) and not _is_one_sentence(text, earlier, reading):
                yield self._moment(earlier, number, seq)
        if reading.status == "value" and reading.found is not None:
            last = self._moment(reading.found, number, seq)
            said = reading.how in _ANNOUNCED
            yield replace(last, is_final=final, is_announced=said)
        else:
            state: Literal["retracted", "none"] = (
                "retracted" if reading.label == "retracted" else "none"
            )
            quote = reading.found.quote if reading.found else ""
            cut = reading.label == "truncated"
            yield Moment(number, state, "", quote, seq, is_final=final, is_cut=cut)

    def _moment(self, found: Found, number: int, seq: int | None) -> Moment:
        judged = judge_reading(Reading("value", found), self._target, question=self._question)
        state: Literal["right", "wrong", "none"] = "none"
        if judged.passed is not None:
            state = "right" if judged.passed else "wrong"
        return Moment(number, state, found.plain or "", found.quote, seq)


def _may_count(text: str) -> bool:
    """Whether a message beside tool calls can count: it names an answer, or takes one back.

    Cheap, and never stricter than reading it.
    """
    if not text.isascii():
        return True
    lower = text.lower()
    if may_hold(lower, _MAY_WITHDRAW):
        return True
    return may_hold(lower, _MAY_NAME) and bool(_NAMES_ANSWER.search(text))


def _is_one_sentence(text: str, earlier: Found, reading: Reading) -> bool:
    """Whether two values stand in one sentence, as parts of one answer: `5 hours and 20"
    " minutes`.
    """
    last = reading.found.quote[:40] if reading.found else ""
    start, end = text.find(earlier.quote[:40]), text.rfind(last)
    if not last or start < 0 or end <= start:
        return False
    return not re.search(r"[.!?]\s|\n", text[start + len(earlier.quote[:40]) : end])


def _sentence_of(text: str, found: Found) -> str:
    """Return the words around a value: its line up to the value, and what was quoted."""
    at = text.find(found.quote[:40]) if found.quote else -1
    start = max(text.rfind("\n", 0, max(at, 0)) + 1, at - 120, 0)
    return text[start : max(at, 0)] + found.quote[:160]


def state_moments(accept: Accept, trajectory: Trajectory) -> list[Moment]:
    """Return whether the world was as it should be: at the start (step 0), and after each change.

    Empty where the states cannot be told: none was recorded, or a patch does not fit.
    """
    world = trajectory.world_start
    if world is None:
        return []
    try:
        moments = [_state(accept, trajectory, world, 0, None)]
        for change in trajectory.world_changes:
            if change.patch:
                world = apply(world, change.patch)
                moments.append(_state(accept, trajectory, world, change.step, change.seq))
    except ValueError:
        return []
    return moments


def _state(
    accept: Accept, trajectory: Trajectory, world: JsonValue, step: int, seq: int | None
) -> Moment:
    faults = []
    if accept.state:
        start = trajectory.world_start
        faults.append(check_assertions(accept.state, start, world, lenient=True).faults)
    if accept.golden_state and accept.golden_world is not None:
        golden, ignored = accept.golden_world, accept.ignore_state
        faults.append(check_golden(golden, world, ignored, lenient=True).faults)
    least = min(faults, key=len, default=("nothing is asked of the state",))
    return Moment(step, "wrong" if least else "right", quote="; ".join(least[:3])[:300], seq=seq)


def effect_moments(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Moment]:
    """Return whether what was changed so far is what a path changes: at the start (step 0), and
    after each call that changes something. Empty where the task does not tell.
    """
    wanted = wanted_effects(scenario, task, trajectory)
    if not wanted:
        return []
    tools = tools_of(scenario, task)
    found = effects_of(read_calls(trajectory, tools, frozenset(scenario.tolerances.off)), tools)
    moments = [Moment(0, "right" if net_effects([]) in wanted else "wrong")]
    for number, last in enumerate(found, start=1):
        state: Literal["right", "wrong"] = "wrong"
        if net_effects(found[:number]) in wanted:
            state = "right"
        moments.append(Moment(last.step, state, quote=last.plain[:300], seq=last.seq))
    return moments
