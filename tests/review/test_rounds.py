"""Calibration and certification: everybody labels the same items."""

from collections import Counter
from pathlib import Path

import pytest

from tests.review.desked import (
    ANN,
    BEN,
    CLEO,
    LEAD,
    SINGLE,
    a_desk,
    a_run,
    filled,
    label_all,
    labels,
    people,
    reopened,
)
from trajaudit.datamodel.review import QueueName, Reviewer, Round
from trajaudit.errors import UsageError
from trajaudit.review.desk import Desk
from trajaudit.review.policy import store_policy

CALIBRATION = SINGLE.model_copy(update={"round": Round.CALIBRATION, "double": 0.2, "batch": 8})
CERTIFICATION = CALIBRATION.model_copy(update={"round": Round.CERTIFICATION})


def said(desk: Desk, who: Reviewer, *, wrong: int = 0) -> dict[str, str]:
    """What somebody says of each item: what the rules say, but for some."""
    found: dict[str, str] = {}
    while (opened := desk.next(who)) is not None:
        with desk.core.store.read() as tx:
            row = tx.first("SELECT expected FROM items WHERE item_id = :id", id=opened.item_id)
        assert row is not None
        verdict = row.expected
        if len(found) < wrong:
            verdict = "fail" if verdict == "pass" else "pass"
        desk.save(who, filled(opened, verdict))
        found[opened.item_id] = verdict
    return found


def test_everybody_labels_the_same_twenty_of_both_classes(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=40)
    desk = a_desk(tmp_path, CALIBRATION)
    people(tmp_path, ANN, BEN, CLEO)
    each = [said(desk, who) for who in (ANN, BEN, CLEO)]
    assert each[0] == each[1] == each[2]
    assert Counter(each[0].values()) == {"pass": 10, "fail": 10}
    assert {one.queue for one in labels(tmp_path)} == {QueueName.CALIBRATION}
    assert {(one.round, one.batch) for one in labels(tmp_path)} == {
        (Round.CALIBRATION, "calibration-1")
    }
    figures = desk.lead().round
    assert (figures.items, figures.done, figures.passed) == (20, 20, None)
    assert "calibration" in figures.note


def test_people_see_a_round_in_orders_of_their_own(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=40)
    desk = a_desk(tmp_path, CALIBRATION)
    orders = [list(said(desk, who)) for who in (ANN, BEN)]
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]


def test_a_further_round_has_other_items(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=50)
    desk = a_desk(tmp_path, CALIBRATION)
    first = said(desk, ANN)
    assert desk.begin_round() == 20
    second = said(desk, ANN)
    assert len(second) == 20
    assert not first.keys() & second.keys()
    assert {one.batch for one in labels(tmp_path)} == {"calibration-1", "calibration-2"}


def test_a_round_that_was_begun_is_the_same_when_the_index_is_lost(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=40)
    desk = a_desk(tmp_path, CALIBRATION)
    for _ in range(7):
        opened = desk.next(ANN)
        assert opened is not None
        desk.save(ANN, filled(opened))
    theirs = said(desk, BEN)
    desk.close()
    for path in (tmp_path / ".review").glob("desk.sqlite*"):
        path.unlink()
    desk = a_desk(tmp_path, CALIBRATION)
    label_all(desk, ANN)
    mine = {one.item_id for one in labels(tmp_path) if one.reviewer == "ann"}
    assert mine == theirs.keys()


@pytest.mark.parametrize(("wrong", "passed"), [(0, True), (25, False)])
def test_the_lower_limit_of_the_agreement_decides_a_certification(
    tmp_path: Path, wrong: int, passed: bool
) -> None:
    a_run(tmp_path, tasks=60)
    desk = a_desk(tmp_path, CERTIFICATION)
    people(tmp_path, ANN, BEN)
    said(desk, ANN)
    before = desk.lead().round
    assert (before.items, before.done, before.passed) == (50, 0, None)
    said(desk, BEN, wrong=wrong)
    after = desk.lead().round
    assert after.done == 50
    assert after.passed is passed
    assert after.low is not None
    assert (after.low >= 0.4) is passed


def test_a_certification_of_too_few_items_passes_nobody(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=10)
    desk = a_desk(tmp_path, CERTIFICATION)
    people(tmp_path, ANN, BEN)
    said(desk, ANN)
    said(desk, BEN)
    assert desk.lead().round.passed is None
    assert "50" in desk.lead().round.note


def test_production_goes_on_with_what_rounds_left(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=30)
    desk = a_desk(tmp_path, CALIBRATION)
    rounds = said(desk, ANN).keys() | said(desk, BEN).keys()
    store_policy(tmp_path, SINGLE)
    rest = said(desk, CLEO)
    assert len(rest) == 10
    assert not rest.keys() & rounds


def test_a_page_of_a_round_that_is_over_still_counts_for_it(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=30)
    desk = a_desk(tmp_path, CALIBRATION)
    opened = desk.next(ANN)
    assert opened is not None
    store_policy(tmp_path, SINGLE)
    desk.save(ANN, filled(opened))
    assert labels(tmp_path)[0].round is Round.CALIBRATION


def test_production_has_no_round_to_begin(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=3)
    desk = a_desk(tmp_path, SINGLE)
    with pytest.raises(UsageError, match="production"):
        desk.begin_round()


def test_a_round_needs_items_that_nobody_labelled(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=3)
    desk = a_desk(tmp_path, CALIBRATION)
    said(desk, ANN)
    with pytest.raises(UsageError, match="nobody labelled"):
        desk.begin_round()
    desk.close()
    assert reopened(tmp_path).next(ANN) is None


def test_an_item_whose_files_are_gone_leaves_the_round(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=20)
    desk = a_desk(tmp_path, CALIBRATION)
    run.journal_path("t3", 1).unlink()
    assert len(said(desk, ANN)) == 19
    assert desk.lead().round.items == 19


def test_a_lead_who_does_not_label_is_not_waited_for(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=30)
    desk = a_desk(tmp_path, CALIBRATION)
    people(tmp_path, ANN, BEN, LEAD)
    said(desk, ANN)
    said(desk, BEN)
    assert desk.lead().round.done == 20
