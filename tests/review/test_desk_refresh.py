"""The index follows the files."""

from pathlib import Path

from tests.review.desked import (
    ANN,
    BEN,
    JUDGE,
    SINGLE,
    TWICE,
    a_desk,
    a_run,
    filled,
    label_all,
    labels,
    refused,
    reopened,
)
from trajaudit.datamodel.review import ItemState
from trajaudit.record.reviews import ReviewLedger
from trajaudit.review.desk_records import Refusal


def test_a_label_is_copied_to_a_run_that_came_later(tmp_path: Path) -> None:
    same = {f"t{n}": "Forty-two." for n in range(4)}
    a_run(tmp_path, "r1", tasks=4, replies=same)
    desk = a_desk(tmp_path)
    label_all(desk, ANN)
    later = a_run(tmp_path, "r2", tasks=4, replies=same)
    desk.enqueue([later])
    assert desk.next(BEN) is None
    assert len(labels(tmp_path, "r2")) == 4
    assert {p.run_id for one in labels(tmp_path, "r2") for p in one.places} == {"r1", "r2"}
    assert len({one.review_id for one in labels(tmp_path, "r2")}) == 4


def test_deleting_the_index_loses_no_label(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path, TWICE)
    label_all(desk, ANN)
    opened = desk.next(BEN)
    assert opened is not None
    desk.save(BEN, filled(opened, "fail"))
    item = opened.item_id
    before, history = desk.lead(), desk.history(ANN)
    desk.close()
    for path in (tmp_path / ".review").glob("desk.sqlite*"):
        path.unlink()
    desk = a_desk(tmp_path, TWICE)
    after = desk.lead()
    assert after.states == before.states
    assert after.labels == before.labels
    assert [one.item_id for one in desk.history(ANN)] == [one.item_id for one in history]
    assert desk.conflicts(JUDGE)[0].item_id == item


def test_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    label_all(desk, ANN)
    desk.close()
    for path in (tmp_path / ".review").glob("desk.sqlite*"):
        path.write_bytes(b"no database at all, and long enough to be looked at" * 100)
    desk = a_desk(tmp_path)
    assert desk.lead().states == {ItemState.AGREED: 6}


def test_labels_that_others_wrote_are_found_when_the_desk_opens(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    desk = a_desk(tmp_path, TWICE)
    label_all(desk, ANN)
    desk.close()
    one = labels(tmp_path)[0]
    other = one.model_copy(update={"review_id": "from-a-file", "reviewer": "ben"})
    ReviewLedger(run).append(other)
    again = reopened(tmp_path)
    assert again.lead().states == {ItemState.AGREED: 1, ItemState.WAITING: 5}


def test_what_was_typed_before_the_index_was_lost_is_kept(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    desk.close()
    for path in (tmp_path / ".review").glob("desk.sqlite*"):
        path.unlink()
    desk = a_desk(tmp_path)
    form = filled(opened, "fail")
    assert not desk.keep(BEN, form), "another person's lease"
    assert desk.keep(ANN, form)
    assert desk.open(ANN, opened.item_id).draft == form


def test_a_draft_opens_no_item_that_a_person_was_not_given(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path, SINGLE.model_copy(update={"batch": 1}))
    own, other = desk.next(BEN), desk.next(ANN)
    assert own is not None
    assert other is not None
    assert own.item_id != other.item_id
    for token in ("guessed", other.lease, own.lease):
        form = filled(other, "fail").model_copy(update={"lease": token})
        assert not desk.keep(BEN, form)
        assert refused(desk.open, BEN, other.item_id).reason is Refusal.NO_SUCH_ITEM
