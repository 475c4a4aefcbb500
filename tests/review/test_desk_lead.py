"""What the lead of a team sees."""

from pathlib import Path

from tests.judge.made import vote
from tests.review.desked import (
    ANN,
    BEN,
    JUDGE,
    SINGLE,
    TWICE,
    Clock,
    a_desk,
    a_run,
    filled,
    in_conflict,
    label_all,
    people,
)
from tests.review.made import decision
from trajaudit.datamodel.review import ItemState, Reviewer
from trajaudit.review.desk import Desk
from trajaudit.review.desk_records import AdjudicationForm, FormVerdict
from trajaudit.review.lead_records import AgreementFigure


def of(desk: Desk, between: str) -> AgreementFigure:
    (found,) = (one for one in desk.lead().agreement if one.between == between)
    return found


def test_states_queues_and_people_are_counted(tmp_path: Path) -> None:
    judged = [decision("pass", "resolve" if n < 2 else "audit", task_id=f"t{n}") for n in range(6)]
    a_run(tmp_path, decisions=judged, outcomes={f"t{n}": (True, True) for n in range(6)})
    people(tmp_path, ANN, BEN)
    clock = Clock()
    desk = a_desk(tmp_path, SINGLE, clock=clock)
    for _ in range(4):
        opened = desk.next(ANN)
        assert opened is not None
        clock.pass_(minutes=2)
        desk.save(ANN, filled(opened, seconds=90))
    desk.next(BEN)
    figures = desk.lead()
    assert figures.states == {ItemState.AGREED: 4, ItemState.NEW: 1, ItemState.LEASED: 1}
    assert figures.queues == {"resolve": 2, "audit": 4}
    assert sum(figures.left.values()) == 2
    ann, ben = figures.reviewers
    assert (ann.name, ann.labelled, ann.minutes, ann.median_seconds, ann.per_hour) == (
        "ann",
        4,
        6.0,
        90,
        40.0,
    )
    assert (ben.labelled, ben.per_hour, ben.median_seconds) == (0, None, None)
    assert figures.note == ""


def test_the_agreement_of_people_is_that_of_their_labels(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=10)
    desk = a_desk(tmp_path, TWICE)
    first: dict[str, str] = {}
    while (opened := desk.next(ANN)) is not None:
        first[opened.item_id] = "pass" if len(first) < 5 else "fail"
        desk.save(ANN, filled(opened, first[opened.item_id]))
    each = list(first)
    differ = {each[0], each[9]}
    while (opened := desk.next(BEN)) is not None:
        verdict = first[opened.item_id]
        if opened.item_id in differ:
            verdict = "fail" if verdict == "pass" else "pass"
        desk.save(BEN, filled(opened, verdict))
    people_ = of(desk, "people")
    # Po = 0.8 and Pe = 0.5, both people using each label five times.
    assert (people_.items, people_.share) == (10, 0.8)
    assert people_.kappa is not None
    assert abs(people_.kappa - 0.6) < 1e-12
    assert people_.low is not None
    assert people_.high is not None
    assert desk.lead().conflicts == 2


def test_the_panel_is_held_against_people_where_both_settled_a_trial(tmp_path: Path) -> None:
    judged = [
        decision("pass" if n % 2 else "fail", "resolve" if n == 0 else "audit", task_id=f"t{n}")
        for n in range(8)
    ]
    passing = {f"t{n}": (bool(n % 2), bool(n % 2)) for n in range(8)}
    a_run(tmp_path, tasks=8, decisions=judged, outcomes=passing)
    desk = a_desk(tmp_path, SINGLE)
    assert label_all(desk, ANN, "pass") == 8
    panel = of(desk, "panel_people")
    assert panel.items == 7
    assert panel.share == 4 / 7


def test_judges_are_held_against_each_other(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=4)
    cast = [
        vote(family, order, "pass" if family == "gpt" or n else "fail").model_copy(
            update={"task_id": f"t{n}"}
        )
        for n in range(4)
        for family in ("gpt", "claude")
        for order in (1, 2)
    ]
    run.write_records("votes", cast)
    desk = a_desk(tmp_path, SINGLE)
    judges = of(desk, "judges")
    assert (judges.items, judges.share) == (4, 0.75)


def test_figures_that_cannot_be_had_say_why(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path, SINGLE)
    for one in desk.lead().agreement:
        assert (one.items, one.alpha) == (0, None)
        assert one.note


def test_figures_are_made_anew_once_more_was_said_and_a_minute_passed(tmp_path: Path) -> None:
    a_run(tmp_path)
    clock = Clock()
    desk = a_desk(tmp_path, TWICE, clock=clock)
    assert of(desk, "people").items == 0
    label_all(desk, ANN)
    label_all(desk, BEN)
    assert of(desk, "people").items == 0
    clock.pass_(seconds=61)
    assert of(desk, "people").items == 6


def test_adjudications_are_counted_for_who_made_them(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    people(tmp_path, ANN, BEN, JUDGE)
    desk = a_desk(tmp_path, TWICE)
    item = in_conflict(desk)
    held = desk.open_conflict(JUDGE, item)
    form = AdjudicationForm(item_id=item, lease=held.lease, verdict=FormVerdict.TASK_BROKEN)
    desk.adjudicate(JUDGE, form)
    figures = desk.lead()
    assert [one.adjudicated for one in figures.reviewers] == [0, 0, 1]
    assert figures.broken_tasks == ("t0",)
    assert (figures.labels, figures.conflicts) == (2, 0)


def test_who_labelled_and_was_removed_is_still_counted(tmp_path: Path) -> None:
    a_run(tmp_path)
    people(tmp_path, ANN, BEN)
    desk = a_desk(tmp_path, SINGLE)
    label_all(desk, Reviewer(name="gone"))
    assert {one.name: one.labelled for one in desk.lead().reviewers}["gone"] == 6


def test_one_reviewer_is_told_that_no_agreement_can_be_measured(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path, SINGLE)
    label_all(desk, ANN)
    assert desk.lead().note == "one reviewer: no agreement can be measured"
