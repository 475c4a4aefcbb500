"""What is seen of a settled item."""

from pathlib import Path

from tests.judge.made import vote
from tests.review.desked import (
    ANN,
    BEN,
    CLEO,
    TWICE,
    a_desk,
    a_run,
    filled,
    label_all,
    refused,
)
from trajaudit.datamodel.judging import Citation, CriterionVote
from trajaudit.datamodel.review import FlagView, ItemState
from trajaudit.review.desk_records import (
    FlagForm,
    FormVerdict,
    Refusal,
    RevisionForm,
)


def test_nothing_is_revealed_before_it_is_settled_nor_to_others(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    desk = a_desk(tmp_path, TWICE)
    label_all(desk, ANN)
    item = desk.history(ANN)[0].item_id
    assert refused(desk.reveal, ANN, item).reason is Refusal.NOT_SETTLED
    label_all(desk, BEN)
    assert refused(desk.reveal, CLEO, item).reason is Refusal.NO_SUCH_ITEM
    revealed = desk.reveal(ANN, item)
    assert [one.letter for one in revealed.labels] == ["you", "A"]
    assert revealed.trials[0].outcome is not None
    assert revealed.trials[0].place.task_id == "t0"


def test_what_was_revealed_is_not_taken_back(tmp_path: Path) -> None:
    a_run(tmp_path)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    desk.save(ANN, filled(opened))
    desk.reveal(ANN, opened.item_id)
    assert refused(desk.undo, ANN).reason is Refusal.NOTHING_TO_UNDO


def test_a_revision_stands_beside_the_review(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    desk = a_desk(tmp_path)
    label_all(desk, ANN)
    item = desk.history(ANN)[0].item_id
    desk.reveal(ANN, item)
    form = RevisionForm(item_id=item, verdict=FormVerdict.FAIL, reason="the judge saw more")
    desk.revise(ANN, form)
    (mine,) = desk.reveal(ANN, item).labels
    assert (mine.verdict, mine.revised) == (FormVerdict.PASS, FormVerdict.FAIL)
    assert desk.lead().states == {ItemState.AGREED: 1}


def test_only_a_step_that_a_judge_cites_is_flagged(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=1)
    said = CriterionVote(id="done", evidence=(Citation(step=1, quote="It"),), verdict="met")
    cast = vote("gpt", 1, criteria=(said,)).model_copy(update={"task_id": "t0"})
    run.write_records("votes", [cast])
    desk = a_desk(tmp_path)
    label_all(desk, ANN)
    item = desk.history(ANN)[0].item_id
    shown = desk.reveal(ANN, item)
    assert len(shown.trials[0].votes) == 1
    form = FlagForm(item_id=item, judge=cast.judge, criterion="done", step=1, view=FlagView.SPOT_ON)
    desk.flag(ANN, form)
    desk.flag(ANN, form.model_copy(update={"view": FlagView.WRONG}))
    assert [one.view for one in desk.reveal(ANN, item).flags] == [FlagView.WRONG]
    missing = form.model_copy(update={"step": 77})
    assert refused(desk.flag, ANN, missing).reason is Refusal.NOT_FOUND
