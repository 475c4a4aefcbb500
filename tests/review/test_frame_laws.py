"""The sample is random inside each stratum, known beforehand, and only ever grows."""

import itertools
import random
from collections import Counter, defaultdict

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.review.framing import (
    BOTH_FAIL,
    WRONG,
    Columns,
    chosen,
    framed_by,
    key,
    outcome,
    plans,
    trials,
)
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.review import Framed, SamplePlan
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.review.frame import Key, frame, sizes_of


@given(trials, plans)
def test_inclusion_is_the_share_that_was_taken_of_each_stratum(
    some: list[tuple[Columns, tuple[FailureKind, ...]]], plan: SamplePlan
) -> None:
    framed = framed_by(some, plan)
    taken = {one.name: one.chosen / one.size for one in sizes_of(framed)}

    assert len(framed) == len(some)
    assert all(one.inclusion == taken[one.stratum] for one in framed)
    assert all(one.inclusion == 1.0 for one in framed if one.stratum.startswith("resolve/"))


@given(trials, plans, st.randoms())
def test_neither_people_nor_the_order_of_trials_change_the_sample(
    some: list[tuple[Columns, tuple[FailureKind, ...]]], plan: SamplePlan, chance: random.Random
) -> None:
    outcomes = [outcome(at, said) for at, (said, _) in enumerate(some)]
    found = {key(one): each for one, (_, each) in zip(outcomes, some, strict=True)}
    labelled = [outcome(at, said, human=at % 2 == 0) for at, (said, _) in enumerate(some)]

    chance.shuffle(labelled)

    framed = frame(outcomes, [], found, plan)

    assert frame(labelled, [], found, plan) == framed


@given(trials, plans)
def test_a_task_that_people_call_broken_changes_no_stratum(
    some: list[tuple[Columns, tuple[FailureKind, ...]]], plan: SamplePlan
) -> None:
    outcomes = [outcome(at, said) for at, (said, _) in enumerate(some)]
    lost = outcome(len(some), (None, None)).model_copy(update={"status": GradeStatus.INFRA_ERROR})
    found = {key(one): each for one, (_, each) in zip(outcomes, some, strict=True)}
    found[key(lost)] = (FailureKind.SANDBOX_FAILED,)
    said = {"final": None, "source": "none", "status": GradeStatus.TASK_BROKEN}
    broken = [one.model_copy(update=said) for one in [*outcomes, lost] if one.task_id != "t0"]
    whole = [one for one in [*outcomes, lost] if one.task_id == "t0"]

    framed = frame([*broken, *whole], [], found, plan)

    assert framed == frame([*outcomes, lost], [], found, plan)


@given(trials, plans, plans)
def test_a_larger_plan_only_adds_to_a_smaller_one(
    some: list[tuple[Columns, tuple[FailureKind, ...]]], one: SamplePlan, other: SamplePlan
) -> None:
    names = ("failures", "passes", "floor", "least")
    larger = one.model_copy(
        update={name: max(getattr(one, name), getattr(other, name)) for name in names}
    )
    everything = SamplePlan(seed=one.seed, everything=True)

    parts = [chosen(framed_by(some, plan)) for plan in (one, larger, everything)]

    assert parts[0] <= parts[1] <= parts[2]


@given(trials, st.integers(1, 60), st.integers(0, 20))
def test_a_larger_smoke_sample_holds_the_smaller_one(
    some: list[tuple[Columns, tuple[FailureKind, ...]]], first: int, more: int
) -> None:
    small = framed_by(some, SamplePlan(smoke=first))
    large = framed_by(some, SamplePlan(smoke=first + more))

    assert chosen(small) <= chosen(large)
    assert len(chosen(small)) == min(len(some), max(first, len(sizes_of(small))))


@given(trials)
@settings(max_examples=30)
def test_the_lowest_ranks_of_a_stratum_are_its_sample(
    some: list[tuple[Columns, tuple[FailureKind, ...]]],
) -> None:
    strata: dict[str, list[Framed]] = defaultdict(list)
    for one in framed_by(some, SamplePlan(least=10)):
        strata[one.stratum].append(one)

    for members in strata.values():
        ordered = sorted(members, key=lambda one: one.rank)
        taken = [one.queue != "none" for one in ordered]
        assert taken == sorted(taken, reverse=True)


def test_over_many_seeds_each_trial_is_taken_as_often_as_its_probability_says() -> None:
    some = [(BOTH_FAIL, (WRONG,))] * 20
    seeds, plan = 2000, {"failures": 0.25, "floor": 0, "least": 0}
    taken: Counter[Key] = Counter()
    pairs: Counter[tuple[Key, Key]] = Counter()
    for seed in range(seeds):
        drawn = sorted(chosen(framed_by(some, SamplePlan.model_validate({"seed": seed, **plan}))))
        taken.update(drawn)
        pairs.update(itertools.combinations(drawn, 2))

    # Four standard errors of a share of 2,000: 0.25 and, of two together, (5 · 4)/(20 · 19).
    assert len(taken) == 20
    assert all(abs(count / seeds - 0.25) < 0.039 for count in taken.values())
    assert all(abs(count / seeds - 20 / 380) < 0.02 for count in pairs.values())
