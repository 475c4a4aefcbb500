"""Every trial has one stratum, and each stratum a sample of the size that its plan says."""

import time
from collections import Counter

import pytest

from tests.review.framing import (
    BOTH_FAIL,
    BOTH_PASS,
    COLUMNS,
    LEAK,
    WRONG,
    Columns,
    chosen,
    decision,
    framed_by,
    key,
    outcome,
)
from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.judging import Trigger
from trajaudit.datamodel.review import SamplePlan
from trajaudit.datamodel.verdict import Fault, GradeStatus
from trajaudit.review.frame import frame, kinds_of, rank_of, sizes_of


@pytest.mark.parametrize(
    ("said", "found", "stratum", "queue"),
    [
        (BOTH_PASS, (), "rules/pass", "audit"),
        (BOTH_FAIL, (WRONG, FailureKind.LOOP), "rules/fail/wrong_answer", "audit"),
        (BOTH_FAIL, (), "rules/fail/none", "audit"),
        ((False, True), (), "resolve/differ", "resolve"),
        ((False, None), (), "resolve/ungraded", "resolve"),
        ((None, True), (), "resolve/ungraded", "resolve"),
        ((True, False), (), "resolve/contradiction", "resolve"),
        (BOTH_PASS, (FailureKind.LOOP, LEAK), "resolve/suspicious", "resolve"),
        (BOTH_FAIL, (LEAK,), "rules/fail/answer_leak", "audit"),
    ],
)
def test_what_the_rules_said_names_the_stratum(
    said: Columns, found: tuple[FailureKind, ...], stratum: str, queue: str
) -> None:
    [one] = framed_by([(said, found)], SamplePlan())

    assert (one.stratum, one.queue, one.inclusion) == (stratum, queue, 1.0)


def test_trials_that_are_none_of_the_agents_belong_to_no_stratum() -> None:
    lost = outcome(1, (None, None)).model_copy(update={"status": GradeStatus.INFRA_ERROR})
    missed = outcome(2, (None, None)).model_copy(update={"status": GradeStatus.FAULT_NOT_HIT})

    assert frame([lost, missed], [], {}, SamplePlan()) == []


def test_a_judged_trial_takes_what_its_panel_drew() -> None:
    outcomes = [outcome(at, (False, True)) for at in range(20)]
    decisions = [decision(one, "audit" if at < 5 else "none") for at, one in enumerate(outcomes)]

    found = frame(outcomes, decisions, {}, SamplePlan(least=0, floor=0))

    assert chosen(found) == {key(one) for one in outcomes[:5]}
    assert {(one.stratum, one.inclusion) for one in found} == {("panel/pass/ruled", 0.25)}


def test_what_a_panel_could_not_settle_is_resolved_first_by_its_priority() -> None:
    outcomes = [outcome(at, (False, True)) for at in range(3)]
    costly = decision(outcomes[0], "resolve", "undecided", (Trigger.FAMILY_SPLIT,))
    decisions = [costly.model_copy(update={"priority": 5.0}), decision(outcomes[1], "audit")]

    first, second, third = frame(outcomes, decisions, {}, SamplePlan())

    assert (first.stratum, first.queue, first.priority) == (
        "resolve/undecided/ruled",
        "resolve",
        5.0,
    )
    assert (second.stratum, second.queue, second.priority) == ("panel/pass/ruled", "audit", 0.0)
    assert (third.stratum, third.queue) == ("resolve/differ", "resolve")
    assert third.priority == 0.5


def test_a_rubric_that_does_not_decide_makes_no_stratum() -> None:
    one = outcome(0, BOTH_PASS)
    harm = decision(one, "resolve", "fail").model_copy(update={"decides": False})

    assert frame([one], [harm], {}, SamplePlan())[0].stratum == "rules/pass"


def test_what_the_rules_or_a_cheat_speak_against_is_looked_at_whatever_the_panel_said() -> None:
    denied, cheated = outcome(0, BOTH_FAIL), outcome(1, (False, True))

    first, second = frame(
        [denied, cheated],
        [decision(denied), decision(cheated)],
        {key(cheated): [LEAK]},
        SamplePlan(),
    )

    assert (first.stratum, first.queue) == ("resolve/denied", "resolve")
    assert (second.stratum, second.queue) == ("resolve/suspicious", "resolve")


def test_trials_that_were_sent_for_what_people_said_stay_in_their_stratum() -> None:
    # Else their stratum would be smaller for what was found in it, and its weight be wrong.
    outcomes = [outcome(at, (False, True)) for at in range(6)]
    risk = (Trigger.AUDITED_RISK,)
    decisions = [
        decision(one, "audit") if at < 2 else decision(one, "resolve", triggers=risk)
        for at, one in enumerate(outcomes)
    ]

    found = frame(outcomes, decisions, {}, SamplePlan())

    assert {one.stratum for one in found} == {"panel/pass/ruled"}
    assert Counter(one.queue for one in found) == {"audit": 2, "resolve": 4}
    assert {one.inclusion for one in found} == {1.0}


def test_a_share_of_each_kind_of_failure_and_a_floor_of_each() -> None:
    many = [(BOTH_FAIL, (WRONG,))] * 100 + [(BOTH_FAIL, (FailureKind.LOOP,))] * 8
    few = [(BOTH_PASS, ())] * 200
    plan = SamplePlan(failures=0.15, passes=0.05, floor=5, least=0)

    assert sizes_of(framed_by([*many, *few], plan)) == [
        ("rules/fail/loop", 8, 5),
        ("rules/fail/wrong_answer", 100, 15),
        ("rules/pass", 200, 10),
    ]


def test_a_small_run_is_looked_at_until_there_are_enough() -> None:
    some = [(BOTH_PASS, ())] * 90 + [(BOTH_FAIL, (WRONG,))] * 30
    plan = SamplePlan(failures=0, passes=0, floor=0, least=40)

    assert sizes_of(framed_by(some, plan)) == [
        ("rules/fail/wrong_answer", 30, 10),
        ("rules/pass", 90, 30),
    ]


def test_the_panels_own_sample_counts_among_the_least() -> None:
    outcomes = [outcome(at, BOTH_PASS) for at in range(100)]
    decisions = [decision(one, "audit" if at < 30 else "none") for at, one in enumerate(outcomes)]
    plan = SamplePlan(passes=0, floor=0, least=40)

    found = frame(outcomes, decisions[:50], {}, plan)

    assert sizes_of(found) == [("panel/pass/ruled", 50, 30), ("rules/pass", 50, 10)]


def test_everything_and_a_smoke_sample() -> None:
    some = [(BOTH_PASS, ())] * 90 + [((False, True), ())] * 25 + [(BOTH_FAIL, ())] * 5

    everything = sizes_of(framed_by(some, SamplePlan(everything=True)))
    smoke = sizes_of(framed_by(some, SamplePlan(smoke=12)))

    assert [one.chosen for one in everything] == [25, 5, 90]
    # 12 in all by size, and at least one of each.
    assert smoke == [("resolve/differ", 25, 3), ("rules/fail/none", 5, 1), ("rules/pass", 90, 8)]


def test_a_smoke_sample_and_everything_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="everything and smoke=3 exclude each other"):
        SamplePlan(everything=True, smoke=3)


def test_a_reference_in_doubt_follows_from_final_outcomes_and_names_no_stratum() -> None:
    made_by = {
        FailureKind.REFERENCE_SUSPECT: Fault.REFERENCE,
        WRONG: Fault.AGENT,
        FailureKind.LOOP: Fault.AGENT,
    }
    findings = [
        Finding(task_id="t", trial=1, kind=kind, fault=fault, reason="so")
        for kind, fault in made_by.items()
    ]

    assert kinds_of(findings) == {("t", 1): [WRONG, FailureKind.LOOP]}


def test_a_rank_is_drawn_once_for_each_trial_and_seed() -> None:
    ranks = [rank_of(seed, task, trial) for seed in (0, 1) for task in "ab" for trial in (1, 2)]

    assert len(set(ranks)) == 8
    assert all(0 <= rank < 1 for rank in ranks)
    assert rank_of(0, "a", 1) == ranks[0]
    assert 0 <= rank_of(0, "no Unicode: \ud800", 1) < 1


def test_a_hundred_thousand_trials_take_seconds() -> None:
    outcomes = [outcome(at, COLUMNS[at % 5]) for at in range(100_000)]
    began = time.perf_counter()

    framed = frame(outcomes, [], {}, SamplePlan())

    assert len(framed) == 100_000
    # About one second here; a sample that were quadratic would take hours.
    assert time.perf_counter() - began < 20
