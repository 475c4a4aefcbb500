"""Trials for the tests of the frame: what rules and panels said of them, and no more."""

from collections.abc import Sequence
from typing import Literal

from hypothesis import strategies as st

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.judging import PanelDecision, Trigger
from trajaudit.datamodel.review import Framed, SamplePlan
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.review.frame import Key, frame

Queue = Literal["none", "resolve", "audit"]
Result = Literal["pass", "fail", "undecided"]
Columns = tuple[bool | None, bool | None]

WRONG, LEAK = FailureKind.WRONG_ANSWER, FailureKind.ANSWER_LEAK
BOTH_PASS: Columns = (True, True)
BOTH_FAIL: Columns = (False, False)
COLUMNS: list[Columns] = [BOTH_PASS, BOTH_FAIL, (False, True), (False, None), (None, None)]

columns = st.sampled_from(COLUMNS)
kinds = st.sampled_from([(), (WRONG,), (FailureKind.LOOP, WRONG), (LEAK,)])
plans = st.builds(
    SamplePlan,
    seed=st.integers(0, 5),
    failures=st.sampled_from([0.0, 0.15, 0.5]),
    passes=st.sampled_from([0.0, 0.05, 0.3]),
    floor=st.integers(0, 8),
    least=st.integers(0, 60),
)
trials = st.lists(st.tuples(columns, kinds), max_size=60)


def outcome(number: int, said: Columns, human: bool | None = None) -> Outcome:
    strict, lenient = said
    graded = human is not None or lenient is not None
    return Outcome(
        task_id=f"t{number % 7}",
        trial=number // 7 + 1,
        strict=strict,
        lenient=lenient,
        human=human,
        final=lenient if human is None else human,
        source="lenient" if human is None else "human",
        status=GradeStatus.GRADED if graded else GradeStatus.AMBIGUOUS,
    )


def decision(
    one: Outcome,
    queue: Queue = "none",
    result: Result = "pass",
    triggers: tuple[Trigger, ...] = (),
) -> PanelDecision:
    return PanelDecision(
        task_id=one.task_id,
        trial=one.trial,
        panel="p",
        rubric="r",
        decides=True,
        result=result,
        stage="C" if queue == "resolve" else "A",
        queue=queue,
        triggers=triggers,
        stratum=f"{result}/ruled",
        priority=0.5 if queue == "resolve" else 0.0,
    )


def key(one: Outcome | Framed) -> Key:
    return one.task_id, one.trial


def framed_by(
    given_trials: Sequence[tuple[Columns, tuple[FailureKind, ...]]],
    plan: SamplePlan,
    human: bool | None = None,
) -> list[Framed]:
    outcomes = [outcome(at, said, human) for at, (said, _) in enumerate(given_trials)]
    found = {key(one): each for one, (_, each) in zip(outcomes, given_trials, strict=True)}
    return frame(outcomes, [], found, plan)


def chosen(framed: Sequence[Framed]) -> set[Key]:
    return {key(one) for one in framed if one.queue != "none"}
