"""Put off, take back, go on, and how far one is."""

from pathlib import Path

from tests.review.desked import (
    ANN,
    BEN,
    TWICE,
    Clock,
    a_desk,
    a_run,
    filled,
    label_all,
    refused,
)
from trajaudit.record.reviews import read_reviews
from trajaudit.review.desk_records import (
    FormVerdict,
    Refusal,
)


def test_activity_keeps_an_item(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    clock = Clock()
    desk = a_desk(tmp_path, clock=clock)
    opened = desk.next(ANN)
    assert opened is not None
    for _ in range(4):
        clock.pass_(minutes=20)
        assert desk.renew(ANN, opened.lease) == clock.now.replace(
            minute=(clock.now.minute + 30) % 60, hour=clock.now.hour + (clock.now.minute + 30) // 60
        )
        assert desk.next(BEN) is None


def test_what_was_put_off_comes_last(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=3)
    desk = a_desk(tmp_path)
    first = desk.next(ANN)
    assert first is not None
    desk.defer(ANN, first.lease)
    desk.defer(ANN, first.lease)
    assert desk.progress(ANN).deferred == 1
    order = []
    while (opened := desk.next(ANN)) is not None:
        order.append(opened.item_id)
        desk.save(ANN, filled(opened))
    assert len(order) == 3
    assert order[-1] == first.item_id
    assert desk.progress(ANN).deferred == 0


def test_undo_gives_the_last_item_back_with_what_was_said(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    desk.save(ANN, filled(opened, "fail", reason="hasty"))
    assert desk.undo(ANN) == opened.item_id
    again = desk.next(ANN)
    assert again is not None
    assert again.item_id == opened.item_id
    assert again.draft is not None
    assert (again.draft.reason, again.draft.verdict) == ("hasty", FormVerdict.FAIL)
    assert again.lease != opened.lease
    error = refused(desk.save, ANN, filled(opened, "fail"))
    assert error.reason is Refusal.LEASE_OVER
    desk.save(ANN, filled(again, "pass"))
    assert [one.record for one in read_reviews(run)] == ["review", "withdrawal", "review"]
    assert desk.progress(ANN).labelled == 1


def test_undo_takes_back_one_label_and_none_that_was_locked(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    assert desk.undo(ANN) is None
    for _ in range(2):
        opened = desk.next(ANN)
        assert opened is not None
        desk.save(ANN, filled(opened))
    assert desk.undo(ANN) is not None
    assert refused(desk.undo, ANN).reason is Refusal.NOTHING_TO_UNDO


def test_a_label_is_not_taken_back_once_another_counts_beside_it(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    desk = a_desk(tmp_path, TWICE)
    label_all(desk, ANN)
    label_all(desk, BEN)
    assert refused(desk.undo, BEN).reason is Refusal.NOTHING_TO_UNDO
    assert refused(desk.undo, ANN).reason is Refusal.NOTHING_TO_UNDO


def test_progress_counts_labels_and_what_is_left(tmp_path: Path) -> None:
    a_run(tmp_path)
    clock = Clock()
    desk = a_desk(tmp_path, TWICE, clock=clock)
    for seconds in (10, 20, 60):
        opened = desk.next(ANN)
        assert opened is not None
        clock.pass_(seconds=100)
        desk.save(ANN, filled(opened, seconds=seconds))
    mine = desk.progress(ANN)
    assert (mine.labelled, mine.left, mine.batch_done, mine.batch_of) == (3, 3, 3, 5)
    assert (mine.minutes, mine.median_seconds, mine.batch_minutes) == (1.5, 20, 5.0)
    assert desk.progress(BEN).left == 6


def test_a_batch_ends_by_number_or_by_time(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=12)
    clock = Clock()
    desk = a_desk(tmp_path, clock=clock)
    over = []
    for _ in range(5):
        opened = desk.next(ANN)
        assert opened is not None
        over.append(desk.save(ANN, filled(opened)).batch_over)
    assert over == [False, False, False, False, True]
    opened = desk.next(ANN)
    assert opened is not None
    clock.pass_(minutes=61)
    assert desk.save(ANN, filled(opened)).batch_over
    desk.next(ANN)
    assert desk.progress(ANN).batch_done == 0


def test_a_label_that_was_put_off_first_can_be_taken_back_like_any_other(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    desk.defer(ANN, opened.lease)
    desk.save(ANN, filled(opened, "fail", reason="my words"))
    assert desk.undo(ANN) == opened.item_id
    again = desk.next(ANN)
    assert again is not None
    assert again.item_id == opened.item_id
    assert again.draft is not None
    assert again.draft.reason == "my words"


def test_a_label_stays_once_somebody_else_is_at_the_item(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    desk = a_desk(tmp_path, TWICE)
    opened = desk.next(ANN)
    assert opened is not None
    desk.save(ANN, filled(opened))
    assert [one.can_undo for one in desk.history(ANN)] == [True]

    assert desk.next(BEN) is not None

    assert [one.can_undo for one in desk.history(ANN)] == [False]
    assert refused(desk.undo, ANN).reason is Refusal.NOTHING_TO_UNDO
