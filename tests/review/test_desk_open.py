"""Who gets which item."""

from pathlib import Path

from tests.review.desked import (
    ANN,
    BEN,
    CLEO,
    TWICE,
    a_desk,
    a_run,
    filled,
    label_all,
    labels,
    refused,
    reopened,
)
from tests.review.made import decision, review
from trajaudit.datamodel.review import Reviewer
from trajaudit.record.reviews import ReviewLedger
from trajaudit.review.desk_records import (
    Refusal,
)
from trajaudit.review.desk_save import review_id


def test_next_gives_the_same_item_until_it_is_saved(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    first, again = desk.next(ANN), desk.next(ANN)
    assert first is not None
    assert again == first
    desk.save(ANN, filled(first))
    after = desk.next(ANN)
    assert after is not None
    assert after.item_id != first.item_id


def test_two_tabs_of_one_person_hold_one_lease(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    assert desk.open(ANN, opened.public_id).lease == opened.lease


def test_nobody_gets_an_item_that_another_holds(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=3)
    desk = a_desk(tmp_path)
    held = {who.name: desk.next(who) for who in (ANN, BEN, CLEO)}
    ids = {one.item_id for one in held.values() if one is not None}
    assert len(ids) == 3
    assert desk.next(Reviewer(name="dan")) is None


def test_an_item_of_somebody_else_is_not_opened_by_its_address(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    assert refused(desk.open, BEN, opened.public_id).reason is Refusal.NO_SUCH_ITEM
    assert refused(desk.open, BEN, "f" * 16).reason is Refusal.NO_SUCH_ITEM
    assert refused(desk.open, BEN, "../../etc/passwd").reason is Refusal.NO_SUCH_ITEM
    assert refused(desk.open, BEN, "%").reason is Refusal.NO_SUCH_ITEM
    desk.save(ANN, filled(opened))
    assert refused(desk.open, ANN, opened.public_id).reason is Refusal.LABELLED_ALREADY


def test_an_item_whose_files_changed_is_passed_over(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=2)
    desk = a_desk(tmp_path)
    run.journal_path("t0", 1).unlink()
    assert label_all(desk, ANN) == 1
    assert desk.lead().queues["none"] == 1


def test_nothing_that_is_given_out_tells_the_queue_or_the_run(tmp_path: Path) -> None:
    judged = [decision("pass", "resolve" if n % 2 else "audit", task_id=f"t{n}") for n in range(6)]
    a_run(
        tmp_path,
        "secretrun",
        decisions=judged,
        outcomes={f"t{n}": (True, True) for n in range(6)},
        replies={f"t{n}": f"answer {n}" for n in range(6)},
    )
    desk = a_desk(tmp_path)
    while (opened := desk.next(ANN)) is not None:
        text = opened.model_dump_json()
        for word in ("secretrun", "resolve", "audit", "stratum", "panel", "gpt-9", "careful bot"):
            assert word not in text
        desk.save(ANN, filled(opened))
    assert {one.queue for one in labels(tmp_path, "secretrun")} == {"resolve", "audit"}


def test_an_item_whose_save_was_cut_short_after_the_disk_is_not_given_out_again(
    tmp_path: Path,
) -> None:
    """The line is in the file, the index was not told: as a killed server leaves it."""
    run = a_run(tmp_path)
    desk = a_desk(tmp_path, TWICE)
    opened = desk.next(ANN)
    assert opened is not None
    half = review("ann", item=opened.item_id, review_id=review_id(opened.lease))
    ReviewLedger(run).append(half)
    desk.close()

    again = reopened(tmp_path)
    after = again.next(ANN)
    assert after is not None
    assert after.item_id != opened.item_id
    assert again.save(ANN, filled(opened)).repeated
    # The dead lease keeps the item from nobody.
    assert label_all(again, BEN) == 6


def test_an_item_that_was_settled_elsewhere_is_given_up(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    ReviewLedger(run).append(review("ben", item=opened.item_id))
    desk.catch_up()

    after = desk.next(ANN)
    assert after is not None
    assert after.item_id != opened.item_id
