"""Known items: who gets them, and what becomes of somebody who is wrong on them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.desked import (
    ANN,
    BEN,
    CLEO,
    DAN,
    TWICE,
    Clock,
    a_desk,
    a_run,
    filled,
    label_all,
    labels,
    people,
    refused,
)
from trajaudit.datamodel.review import ItemState, QueueName, Reviewer, ReviewPolicy
from trajaudit.review.desk import Desk
from trajaudit.review.desk_records import Refusal
from trajaudit.review.gold import GoldLabel, standing
from trajaudit.review.people import People
from trajaudit.review.policy import store_policy

HALF_GOLD = ReviewPolicy(double=1e-12, gold=0.5, batch=10)


def known(runs: Path, *, tasks: int = 24, settled: int = 12) -> Desk:
    """A desk at which Ann and Ben agreed on some items; all of these are passes."""
    a_run(runs, tasks=tasks)
    desk = a_desk(runs, TWICE.model_copy(update={"batch": settled}))
    done: list[str] = []
    while len(done) < settled and (opened := desk.next(ANN)) is not None:
        desk.save(ANN, filled(opened))
        done.append(opened.item_id)
    while (opened := desk.next(BEN)) is not None and opened.item_id in done:
        desk.save(BEN, filled(opened))
    with desk.core.store.write() as tx:
        tx.do("UPDATE items SET wanted = 1 WHERE labels = 0")
    store_policy(runs, HALF_GOLD)
    return desk


def gold_of(runs: Path, who: Reviewer) -> list[str]:
    return [
        one.item_id
        for one in labels(runs)
        if one.reviewer == who.name and one.queue is QueueName.GOLD
    ]


def test_known_items_are_mixed_in_and_counted_apart(tmp_path: Path) -> None:
    desk = known(tmp_path)
    people(tmp_path, ANN, BEN, CLEO)
    states = desk.lead().states[ItemState.AGREED]
    count = label_all(desk, CLEO)
    mine = gold_of(tmp_path, CLEO)
    assert 0 < len(mine) < count
    assert desk.lead().states[ItemState.AGREED] == states + count - len(mine)
    (cleo,) = (one for one in desk.lead().reviewers if one.name == "cleo")
    assert (cleo.gold.right, cleo.gold.of) == (len(mine), len(mine))
    assert cleo.labelled == count


def test_nobody_gets_a_known_item_that_they_labelled_or_one_twice(tmp_path: Path) -> None:
    desk = known(tmp_path)
    label_all(desk, ANN)
    assert gold_of(tmp_path, ANN) == []
    label_all(desk, CLEO)
    assert len(set(gold_of(tmp_path, CLEO))) == len(gold_of(tmp_path, CLEO))


def test_who_is_surely_wrong_too_often_is_paused_and_the_batch_goes_to_others(
    tmp_path: Path,
) -> None:
    desk = known(tmp_path)
    people(tmp_path, CLEO)
    said = 0
    while True:
        now = People(tmp_path).find("cleo")
        assert now is not None
        if now.paused:
            break
        opened = desk.next(now)
        assert opened is not None, "the wrong ones were never noticed"
        desk.save(now, filled(opened, "fail"))
        said += 1
    assert refused(desk.next, now).reason is Refusal.PAUSED
    last = labels(tmp_path)[-1]
    alone = {
        one.item_id
        for one in labels(tmp_path)
        if one.batch == last.batch and one.queue is not QueueName.GOLD
    }
    assert alone
    with desk.core.store.read() as tx:
        waiting = {row.item_id for row in tx.all("SELECT item_id FROM items WHERE reopened = 1")}
    assert waiting == alone
    assert desk.lead().states[ItemState.WAITING] == len(alone)
    label_all(desk, DAN)
    assert alone <= {one.item_id for one in labels(tmp_path) if one.reviewer == "dan"}


def test_a_failed_batch_stays_reopened_when_the_index_is_lost(tmp_path: Path) -> None:
    desk = known(tmp_path)
    people(tmp_path, CLEO)
    while not (now := People(tmp_path).find("cleo") or CLEO).paused:
        opened = desk.next(now)
        assert opened is not None
        desk.save(now, filled(opened, "fail"))
    before = desk.lead().states[ItemState.WAITING]
    desk.close()
    for path in (tmp_path / ".review").glob("desk.sqlite*"):
        path.unlink()
    again = a_desk(tmp_path, HALF_GOLD)
    assert again.lead().states[ItemState.WAITING] == before


def test_a_known_item_can_be_put_off_and_taken_back_like_any_other(tmp_path: Path) -> None:
    desk = known(tmp_path)
    clock = Clock()
    put_off: set[str] = set()
    while (opened := desk.next(CLEO)) is not None:
        if opened.item_id not in put_off:
            put_off.add(opened.item_id)
            desk.defer(CLEO, opened.lease)
            assert desk.progress(CLEO).deferred == len(put_off - set(_mine(tmp_path)))
            continue
        desk.save(CLEO, filled(opened))
        assert desk.undo(CLEO) == opened.item_id
        again = desk.next(CLEO)
        assert again is not None
        assert again.item_id == opened.item_id
        desk.save(CLEO, filled(again))
        clock.pass_(minutes=1)
    assert set(_mine(tmp_path)) == put_off
    assert gold_of(tmp_path, CLEO)


def _mine(runs: Path) -> list[str]:
    return [one.item_id for one in labels(runs) if one.reviewer == "cleo"]


@pytest.mark.parametrize(
    ("right", "wrong", "failed"),
    # 0.05^(1/n): with no hit the upper limit is 0.95 after one label, 0.776 after two.
    [(0, 1, 0), (0, 2, 1), (1, 1, 0), (5, 0, 0)],
)
def test_the_limit_is_that_of_clopper_and_pearson(right: int, wrong: int, failed: int) -> None:
    said = [GoldLabel("b", True)] * right + [GoldLabel("b", False)] * wrong
    assert len(standing(said, 0.8).failed) == failed


def test_after_a_failure_the_counting_begins_anew() -> None:
    wrong, right = GoldLabel("first", False), GoldLabel("second", True)
    found = standing([wrong, wrong, right, GoldLabel("second", False)], 0.8)
    assert found.failed == ("first",)
    assert (found.right, found.of) == (1, 4)
    assert found.upper is not None
    assert found.upper > 0.8


@given(st.lists(st.booleans(), max_size=60), st.floats(0, 1))
def test_nobody_who_is_right_often_enough_fails(said: list[bool], least: float) -> None:
    found = standing([GoldLabel(str(at), right) for at, right in enumerate(said)], least)
    if all(said):
        assert found.failed == ()
    assert found.of == len(said)
    assert found.right == sum(said)


def test_the_share_of_known_items_is_as_wanted(tmp_path: Path) -> None:
    desk = known(tmp_path, tasks=60, settled=30)
    policy = HALF_GOLD.model_copy(update={"gold": 0.25, "batch": 12})
    store_policy(tmp_path, policy)
    counts = []
    for seed in range(40):
        desk.core.rng.seed(seed)
        who = Reviewer(name=f"p{seed}")
        desk.next(who)
        with desk.core.store.write() as tx:
            kinds = tx.all("SELECT kind FROM turns WHERE reviewer = :w", w=who.name)
            tx.do("DELETE FROM turns")
            tx.do("DELETE FROM leases")
            tx.do("DELETE FROM batches")
        counts.append(sum(one.kind == "gold" for one in kinds) / len(kinds))
    assert abs(sum(counts) / len(counts) - 0.25) < 0.03


def test_the_place_of_a_known_item_in_a_batch_tells_nothing(tmp_path: Path) -> None:
    desk = known(tmp_path, tasks=60, settled=30)
    places = []
    for seed in range(60):
        desk.core.rng.seed(seed)
        who = Reviewer(name=f"p{seed}")
        desk.next(who)
        with desk.core.store.write() as tx:
            rows = tx.all(
                "SELECT place FROM turns WHERE kind = 'gold' AND reviewer = :w", w=who.name
            )
            places += [row.place for row in rows]
            tx.do("DELETE FROM turns")
            tx.do("DELETE FROM leases")
            tx.do("DELETE FROM batches")
    mean = sum(places) / len(places)
    # Of 0 to 9, uniform: 4.5, with a standard error of 2.87/sqrt(300).
    assert abs(mean - 4.5) < 0.7


def test_what_is_left_gets_less_by_one_whichever_item_was_labelled(tmp_path: Path) -> None:
    desk = known(tmp_path)
    opened = desk.next(CLEO)
    before = desk.progress(CLEO)
    while opened is not None:
        over = desk.save(CLEO, filled(opened)).batch_over
        after = desk.progress(CLEO)
        assert after.left == before.left - 1
        assert after.labelled == before.labelled + 1
        opened = desk.next(CLEO)
        before = desk.progress(CLEO) if over else after
    assert gold_of(tmp_path, CLEO)
