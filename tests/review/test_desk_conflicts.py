"""Two differ, a third one decides."""

import re
from pathlib import Path

from tests.review.desked import (
    ANN,
    BEN,
    CLEO,
    JUDGE,
    TWICE,
    Clock,
    a_desk,
    a_run,
    in_conflict,
    label_all,
    refused,
)
from trajaudit.datamodel.review import ItemState
from trajaudit.review.desk_records import (
    AdjudicationForm,
    FormVerdict,
    Refusal,
)


def test_two_equal_labels_settle_a_double_item(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path, TWICE)
    assert label_all(desk, ANN) == 6
    assert desk.lead().states == {ItemState.WAITING: 6}
    assert label_all(desk, BEN) == 6
    assert label_all(desk, CLEO) == 0
    assert desk.lead().states == {ItemState.AGREED: 6}


def test_a_conflict_goes_to_a_third_person_without_names(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    desk = a_desk(tmp_path, TWICE)
    item = in_conflict(desk)
    (row,) = desk.conflicts(JUDGE)
    assert row.item_id == item
    conflict = desk.open_conflict(JUDGE, item)
    assert sorted(one.letter for one in conflict.reviews) == ["A", "B"]
    assert {one.verdict for one in conflict.reviews} == {FormVerdict.PASS, FormVerdict.FAIL}
    text = conflict.model_dump_json()
    assert not re.search(r"\b(ann|ben)\b", text)
    form = AdjudicationForm(item_id=item, lease=conflict.lease, verdict=FormVerdict.FAIL)
    saved = desk.adjudicate(JUDGE, form)
    assert desk.adjudicate(JUDGE, form).repeated
    assert desk.conflicts(JUDGE) == []
    assert desk.lead().states == {ItemState.ADJUDICATED: 1}
    assert saved.item_id == item


def test_nobody_adjudicates_a_conflict_of_their_own(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    desk = a_desk(tmp_path, TWICE)
    label_all(desk, JUDGE, "pass")
    label_all(desk, BEN, "fail")
    assert desk.conflicts(JUDGE) == []
    item = desk.history(JUDGE)[0].item_id
    assert refused(desk.open_conflict, JUDGE, item).reason is Refusal.OWN_CONFLICT
    assert refused(desk.conflicts, BEN).reason is Refusal.NOT_ALLOWED


def test_one_conflict_is_held_by_one_adjudicator(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    desk = a_desk(tmp_path, TWICE)
    item = in_conflict(desk)
    desk.open_conflict(JUDGE, item)
    other = JUDGE.model_copy(update={"name": "jo"})
    assert desk.conflicts(other)[0].held
    assert refused(desk.open_conflict, other, item).reason is Refusal.HELD_BY_OTHER


def test_a_late_adjudication_is_refused_and_kept(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    clock = Clock()
    desk = a_desk(tmp_path, TWICE, clock=clock)
    item = in_conflict(desk)
    late = desk.open_conflict(JUDGE, item)
    clock.pass_(minutes=31)
    other = JUDGE.model_copy(update={"name": "jo"})
    taken = desk.open_conflict(other, item)
    form = AdjudicationForm(item_id=item, lease=taken.lease, verdict=FormVerdict.PASS)
    desk.adjudicate(other, form)
    mine = form.model_copy(update={"lease": late.lease, "verdict": FormVerdict.FAIL})
    error = refused(desk.adjudicate, JUDGE, mine)
    assert (error.reason, error.draft_kept) == (Refusal.NOT_IN_CONFLICT, True)
