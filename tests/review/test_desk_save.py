"""What a reviewer saves, and what is refused."""

from pathlib import Path

import pytest

from tests.review.desked import (
    ANN,
    BEN,
    SINGLE,
    Clock,
    a_desk,
    a_run,
    compared,
    filled,
    label_all,
    labels,
    refused,
)
from tests.review.made import decision
from trajaudit.datamodel.review import ItemState, ReviewPolicy
from trajaudit.review.blind import BlindTrial
from trajaudit.review.desk_records import (
    BlindPair,
    FormMark,
    Refusal,
)


def test_a_saved_label_is_in_the_run_with_all_that_was_said(tmp_path: Path) -> None:
    a_run(tmp_path)
    clock = Clock()
    desk = a_desk(tmp_path, clock=clock)
    opened = desk.next(ANN)
    assert opened is not None
    clock.pass_(seconds=20)
    mark = FormMark(step=1, quote="It is")
    saved = desk.save(
        ANN, filled(opened, "fail", reason="no", steps=(1,), evidence=(mark,), seconds=500)
    )
    (label,) = labels(tmp_path)
    assert label.review_id == saved.record_id
    assert (label.reviewer, label.verdict, label.reason) == ("ann", "fail", "no")
    assert (label.steps, label.evidence[0].quote) == ((1,), "It is")
    assert label.seconds == 20
    """Nobody looks longer than a page is open."""
    assert (label.rubric, label.rubric_version) == ("task_success", 1)


def test_a_double_click_saves_once(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    first = desk.save(ANN, filled(opened))
    second = desk.save(ANN, filled(opened, "fail"))
    assert second.repeated
    assert not first.repeated
    assert second.record_id == first.record_id
    assert [one.verdict for one in labels(tmp_path)] == ["pass"]


def test_a_lease_that_is_over_goes_to_the_next_and_a_late_form_is_kept(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    clock = Clock()
    desk = a_desk(tmp_path, clock=clock)
    late = desk.next(ANN)
    assert late is not None
    assert desk.next(BEN) is None
    clock.pass_(minutes=31)
    taken = desk.next(BEN)
    assert taken is not None
    error = refused(desk.save, ANN, filled(late, reason="typed for long"))
    assert (error.reason, error.draft_kept) == (Refusal.HELD_BY_OTHER, True)
    desk.defer(BEN, taken.lease)
    again = desk.open(ANN, late.item_id)
    assert again.draft is not None
    assert again.draft.reason == "typed for long"


def test_a_late_form_counts_where_nobody_else_came(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    clock = Clock()
    desk = a_desk(tmp_path, clock=clock)
    late = desk.next(ANN)
    assert late is not None
    clock.pass_(hours=5)
    assert not desk.save(ANN, filled(late)).repeated


def test_a_late_form_is_refused_once_another_labelled_the_item(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    clock = Clock()
    desk = a_desk(tmp_path, clock=clock)
    late = desk.next(ANN)
    assert late is not None
    clock.pass_(minutes=31)
    taken = desk.next(BEN)
    assert taken is not None
    desk.save(BEN, filled(taken, "fail"))
    assert refused(desk.save, ANN, filled(late)).reason is Refusal.SETTLED
    assert [one.reviewer for one in labels(tmp_path)] == ["ben"]


def test_an_unknown_lease_saves_nothing(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    forged = filled(opened).model_copy(update={"lease": "0" * 32})
    assert refused(desk.save, ANN, forged).reason is Refusal.LEASE_OVER
    assert refused(desk.save, BEN, filled(opened)).reason is Refusal.LEASE_OVER
    assert labels(tmp_path) == []


@pytest.mark.parametrize(
    "more",
    [
        {"verdict": None},
        {"verdict": "left"},
        {"steps": (2,)},
        {"steps": (0,)},
        {"evidence": ({"step": 9},)},
        {"evidence": ({"step": 1, "hand": "left"},)},
    ],
)
def test_what_cannot_be_said_of_a_trial_is_refused_and_kept(
    tmp_path: Path, more: dict[str, object]
) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    form = filled(opened, "pass", reason="kept").model_validate(
        {**filled(opened, "pass", reason="kept").model_dump(), **more}
    )
    error = refused(desk.save, ANN, form)
    assert (error.reason, error.draft_kept) == (Refusal.BAD_FORM, True)
    again = desk.next(ANN)
    assert again is not None
    assert again.draft is not None
    assert again.draft.reason == "kept"
    assert labels(tmp_path) == []


def test_a_label_that_denies_the_panel_is_made_twice(tmp_path: Path) -> None:
    judged = [decision("pass", task_id=f"t{n}").model_copy(update={"trial": 1}) for n in range(2)]
    outcomes = dict.fromkeys(("t0", "t1"), (True, True))
    a_run(tmp_path, tasks=2, decisions=judged, outcomes=outcomes)
    policy = SINGLE.model_copy(update={"double": 1e-9})
    desk = a_desk(tmp_path, policy)
    first, verdicts = desk.next(ANN), iter(("pass", "fail"))
    while first is not None:
        desk.save(ANN, filled(first, next(verdicts)))
        first = desk.next(ANN)
    assert desk.lead().states == {ItemState.AGREED: 1, ItemState.WAITING: 1}
    assert label_all(desk, BEN, "fail") == 1


def test_the_sides_of_a_pair_are_mapped_back_to_the_runs(tmp_path: Path) -> None:
    first, second = a_run(tmp_path, "r1", tasks=8), a_run(tmp_path, "r2", tasks=8)
    compared(first, second, {f"t{n}": "undecided" for n in range(8)})
    desk = a_desk(tmp_path)
    hands: set[tuple[str, str]] = set()
    while (opened := desk.next(ANN)) is not None:
        if isinstance(opened.content, BlindTrial):
            desk.save(ANN, filled(opened))
            continue
        assert isinstance(opened.content, BlindPair)
        left_is_a = "r1" in (opened.content.left.trajectory.final_reply or "")
        # Always for the trial of the first run, wherever it stands.
        saved = desk.save(ANN, filled(opened, "left" if left_is_a else "right"))
        (label,) = (one for one in labels(tmp_path) if one.review_id == saved.record_id)
        hands.add(("left" if left_is_a else "right", label.verdict.value))
        assert [place.run_id for place in label.places] == ["r1", "r2"]
    assert hands == {("left", "a"), ("right", "a")}


def test_the_same_content_of_two_runs_is_labelled_once_for_both(tmp_path: Path) -> None:
    same = {f"t{n}": "Forty-two." for n in range(4)}
    a_run(tmp_path, "r1", tasks=4, replies=same)
    a_run(tmp_path, "r2", tasks=4, replies=same)
    desk = a_desk(tmp_path)
    assert label_all(desk, ANN) == 4
    assert len(labels(tmp_path, "r1")) == len(labels(tmp_path, "r2")) == 4
    assert {place.run_id for place in labels(tmp_path)[0].places} == {"r1", "r2"}


def test_who_is_paused_or_was_removed_gets_and_saves_nothing(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    paused = ANN.model_copy(update={"paused": True})
    assert refused(desk.next, paused).reason is Refusal.PAUSED
    error = refused(desk.save, paused, filled(opened, reason="kept"))
    assert (error.reason, error.draft_kept) == (Refusal.PAUSED, True)
    gone = ANN.model_copy(update={"removed": True})
    assert refused(desk.next, gone).reason is Refusal.NOT_ALLOWED


def test_alone_one_label_settles_and_nobody_is_waited_for(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path, ReviewPolicy(double=1.0, gold=0.5), alone=True)
    assert desk.progress(ANN).alone
    verdicts = iter(("pass", "fail", "cannot_tell", "task_broken", "pass", "pass"))
    while (opened := desk.next(ANN)) is not None:
        desk.save(ANN, filled(opened, next(verdicts)))
    figures = desk.lead()
    assert figures.states == {ItemState.AGREED: 5, ItemState.UNDECIDED: 1}
    assert figures.note == "one reviewer: no agreement can be measured"
    assert figures.agreement == ()
    assert len(figures.broken_tasks) == 1
