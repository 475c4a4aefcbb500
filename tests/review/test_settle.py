"""What people say together does not depend on who wrote first, and nothing is settled by chance."""

from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.made import ITEM, adjudication, decision, review, run_dir, withdrawal
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.judging import Trigger
from trajaudit.datamodel.review import (
    ItemState,
    LedgerRecord,
    Place,
    QueueName,
    Review,
    ReviewPolicy,
    Round,
)
from trajaudit.record.judged import write_judged
from trajaudit.record.reviews import ReviewLedger
from trajaudit.review.people import People
from trajaudit.review.policy import store_policy
from trajaudit.review.settle import decisions_of, human_decisions, settle, wants_two

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
POLICY = ReviewPolicy()
ONCE = ReviewPolicy(double=1e-9)
"""Hardly any item is labelled twice."""
ALONE = ReviewPolicy(double=0)
VERDICTS = st.sampled_from(["pass", "fail", "cannot_tell", "task_broken"])
LABELS = st.lists(VERDICTS, max_size=4).map(
    lambda said: [review(f"p{at}", one, at + 1) for at, one in enumerate(said)]
)


def state(*records: LedgerRecord, doubled: bool = True, policy: ReviewPolicy = POLICY) -> str:
    found = settle(ITEM, records, policy, doubled=doubled)
    return f"{found.state.value} {found.verdict.value if found.verdict else '-'}"


@pytest.mark.parametrize(
    ("said", "doubled", "expected"),
    [
        ([], False, "new -"),
        (["pass"], False, "agreed pass"),
        (["pass"], True, "waiting -"),
        (["pass", "pass"], True, "agreed pass"),
        (["fail", "fail"], False, "agreed fail"),
        (["pass", "fail"], True, "conflict -"),
        (["pass", "fail"], False, "conflict -"),
        (["pass", "cannot_tell"], True, "conflict -"),
        (["cannot_tell", "cannot_tell"], True, "undecided -"),
        (["cannot_tell"], False, "waiting -"),
        (["task_broken"], False, "waiting -"),
        (["task_broken", "task_broken"], False, "agreed task_broken"),
        (["task_broken", "pass"], True, "conflict -"),
        (["pass", "pass", "fail"], True, "conflict -"),
        (["fail", "fail", "fail"], True, "agreed fail"),
    ],
)
def test_labels_settle_an_item(said: list[str], doubled: bool, expected: str) -> None:
    labels = [review(f"p{at}", one) for at, one in enumerate(said)]

    assert state(*labels, doubled=doubled) == expected


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("pass", "adjudicated pass"),
        ("task_broken", "adjudicated task_broken"),
        ("cannot_tell", "undecided -"),
    ],
)
def test_an_adjudication_wins_over_labels(verdict: str, expected: str) -> None:
    assert state(review("p1"), review("p2", "fail"), adjudication(verdict)) == expected


def test_the_later_adjudication_counts() -> None:
    assert state(adjudication("pass", 2), adjudication("fail", 1)) == "adjudicated pass"


def test_one_person_who_labels_twice_is_still_one_and_means_the_later_label() -> None:
    assert state(review("p1", "pass", 1), review("p1", "pass", 2)) == "waiting -"
    twice = [review("p1", "fail", 3), review("p1", "pass", 1), review("p2", "fail", 2)]
    assert state(*twice) == "agreed fail"


def test_a_label_on_a_known_item_says_nothing_of_the_item() -> None:
    known = review("p3", "fail", 3, queue=QueueName.GOLD)

    assert state(review("p1"), review("p2"), known) == "agreed pass"


def test_records_of_other_items_do_not_count() -> None:
    assert state(review("p1"), review("p2", "fail", item="b" * 64)) == "waiting -"


def test_somebody_alone_settles_what_nobody_else_can_look_at() -> None:
    assert state(review("me", "task_broken"), doubled=False, policy=ALONE) == "agreed task_broken"
    assert state(review("me", "cannot_tell"), doubled=False, policy=ALONE) == "undecided -"


@given(LABELS, st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_different_peoples_labels_makes_no_difference(
    labels: list[Review],
    random: Random,
    doubled: bool,
) -> None:
    mixed = list(labels)
    random.shuffle(mixed)

    found = settle(ITEM, mixed, POLICY, doubled=doubled)

    assert found == settle(ITEM, labels, POLICY, doubled=doubled)


@given(LABELS, VERDICTS, st.integers(0, 5))
def test_a_withdrawn_review_never_counts(labels: list[Review], verdict: str, at: int) -> None:
    gone = review("gone", verdict, 9)
    records: list[LedgerRecord] = [*labels, withdrawal(gone)]
    records.insert(at, gone)

    assert settle(ITEM, records, POLICY, doubled=True) == settle(ITEM, labels, POLICY, doubled=True)


def test_nobody_withdraws_the_review_of_another() -> None:
    one, other = review("p1"), review("p2")

    assert state(one, other, withdrawal(other, "p1")) == "agreed pass"


def test_the_same_line_in_two_files_is_one_label() -> None:
    one = review("p1")

    assert state(one, one) == "waiting -"


def test_which_items_are_double_is_decided_by_id_and_seed_for_the_share_that_is_asked() -> None:
    ids = [f"{number:064x}" for number in range(2000)]
    drawn = [wants_two(one, ReviewPolicy(double=0.2)) for one in ids]

    assert 330 < sum(drawn) < 470
    assert drawn == [wants_two(one, ReviewPolicy(double=0.2)) for one in ids]
    assert drawn != [wants_two(one, ReviewPolicy(double=0.2, seed=1)) for one in ids]
    assert all(wants_two(one, ReviewPolicy(double=1)) for one in ids)
    # Who is drawn at a lower share is drawn at a higher one, too.
    more = [wants_two(one, ReviewPolicy(double=0.5)) for one in ids]
    assert all(now or not before for before, now in zip(drawn, more, strict=True))


def test_two_look_where_it_matters_most() -> None:
    passed = review("p1", queue=QueueName.AUDIT)
    harmful = decision("undecided", "resolve", triggers=[Trigger.SAFETY])

    assert not wants_two(ITEM, ONCE, reviews=[passed], judged=[decision("pass")])
    assert wants_two(ITEM, ONCE, reviews=[passed], judged=[decision("fail")])
    assert wants_two(ITEM, ONCE, judged=[harmful])
    assert wants_two(ITEM, ONCE, about_harm=True)
    assert not wants_two(ITEM, ONCE, reviews=[passed], judged=[decision("fail", "resolve")])
    assert not wants_two(ITEM, ONCE.model_copy(update={"round": Round.CALIBRATION}))
    assert wants_two(ITEM, ALONE, reviews=[review("p1", round=Round.CERTIFICATION)])
    assert not wants_two(ITEM, ALONE, reviews=[passed], judged=[decision("fail")])


def test_a_label_stands_at_every_trial_of_the_run_that_shows_its_content() -> None:
    places = (
        Place(run_id="r1", task_id="late", trial=1),
        Place(run_id="r2", task_id="late", trial=7),
        Place(run_id="r1", task_id="late", trial=3),
    )
    one = review("p1", "fail", places=places, failure_kind=FailureKind.LOOP)

    found = decisions_of("r1", [one], ONCE, {})

    assert list(found) == [("late", 1), ("late", 3)]
    assert found["late", 3].passed is False
    assert found["late", 3].failure_kind is FailureKind.LOOP
    assert list(decisions_of("r2", [one], ONCE, {})) == [("late", 7)]


def test_what_is_open_is_no_decision_and_what_nobody_could_tell_is_one() -> None:
    open_ones = [review("p1"), review("p2", "fail")]
    unclear = [review("p1", "cannot_tell"), review("p2", "cannot_tell")]

    assert decisions_of("r1", open_ones, ONCE, {}) == {}
    found = decisions_of("r1", unclear, ONCE, {})["late", 1]
    assert (found.passed, found.state, found.task_broken) == (None, ItemState.UNDECIDED, False)


def test_a_preference_says_nothing_of_a_trial_but_that_its_task_is_broken() -> None:
    pair = review("p1", "a", is_pair=True)
    broken = [review(who, "task_broken", is_pair=True) for who in ("p1", "p2")]

    assert decisions_of("r1", [pair], ONCE, {}) == {}
    assert decisions_of("r1", broken, ONCE, {})["late", 1].task_broken


def test_people_who_differ_on_the_kind_of_failure_name_none() -> None:
    both = [
        review("p1", "fail", failure_kind=FailureKind.LOOP),
        review("p2", "fail", failure_kind=FailureKind.WRONG_ANSWER),
    ]

    assert decisions_of("r1", both, POLICY, {})["late", 1].failure_kind is None


def test_the_files_of_a_run_say_what_was_settled(tmp_path: Path) -> None:
    run = run_dir(tmp_path)
    assert human_decisions(run) == {}
    store_policy(tmp_path, ONCE)
    People(tmp_path).add("p1", now=NOW)
    ReviewLedger(run).append(review("p1", queue=QueueName.AUDIT))
    assert human_decisions(run)["late", 1].passed is True

    write_judged(run, [], [decision("fail")])

    assert human_decisions(run) == {}
    ReviewLedger(run).append(review("p2"))
    assert human_decisions(run)["late", 1].passed is True
    ReviewLedger(run).append(adjudication("fail"))
    settled = human_decisions(run)["late", 1]
    assert (settled.passed, settled.state) == (False, ItemState.ADJUDICATED)


def test_one_person_alone_waits_for_nobody_until_others_were_added(tmp_path: Path) -> None:
    run = run_dir(tmp_path)
    store_policy(tmp_path, ReviewPolicy(double=1))
    ReviewLedger(run).append(review("me", "task_broken"))
    assert human_decisions(run)["late", 1].task_broken

    People(tmp_path).add("Ada", now=NOW)

    assert human_decisions(run) == {}


def test_where_two_people_labelled_nobody_was_alone(tmp_path: Path) -> None:
    run = run_dir(tmp_path)
    store_policy(tmp_path, ReviewPolicy(double=1))
    elsewhere = (Place(run_id="r1", task_id="late", trial=2),)
    other = review("p2", item="b" * 64, places=elsewhere)

    ReviewLedger(run).append(review("p1"), other)

    assert human_decisions(run) == {}


def test_no_label_of_a_paused_person_is_enough_alone(tmp_path: Path) -> None:
    run, people = run_dir(tmp_path), People(tmp_path)
    store_policy(tmp_path, ONCE)
    people.add("Ada", now=NOW)
    people.add("Bo", now=NOW)
    ReviewLedger(run).append(review("Ada"))
    assert list(human_decisions(run)) == [("late", 1)]

    people.pause("Ada", paused=True)

    assert human_decisions(run) == {}
    ReviewLedger(run).append(review("Bo", number=2))
    assert list(human_decisions(run)) == [("late", 1)]
