"""Pairs that judges compared get into the index."""

from pathlib import Path

from tests.review.desked import ANN, BEN, SINGLE, a_desk, a_run, compared, filled, labels, reopened
from trajaudit.datamodel.review import ItemState
from trajaudit.record.pairs import SUMMARY, pairs_dir
from trajaudit.review.desk import Desk
from trajaudit.review.desk_records import BlindPair
from trajaudit.review.settle import human_decisions


def pairs(desk: Desk) -> dict[str, str]:
    """Task → queue."""
    with desk.core.store.read() as tx:
        rows = tx.all("SELECT task_id, queue FROM items WHERE is_pair = 1")
    return {row.task_id: row.queue for row in rows}


def test_pairs_that_judges_queued_are_put_up_with_both_trials(tmp_path: Path) -> None:
    first, second = a_run(tmp_path, "r1", tasks=3), a_run(tmp_path, "r2", tasks=3)
    compared(first, second, {"t0": "undecided", "t1": "a"})
    desk = a_desk(tmp_path)
    assert pairs(desk) == {"t0": "resolve", "t1": "audit"}
    seen = 0
    while (opened := desk.next(ANN)) is not None:
        if isinstance(opened.content, BlindPair):
            seen += 1
            replies = {
                opened.content.left.trajectory.final_reply,
                opened.content.right.trajectory.final_reply,
            }
            assert {str(one).split()[2] for one in replies} == {"r1", "r2"}
            assert opened.rubric.name == "pair_outcome"
            assert "r1/r2" not in opened.model_dump_json()
        desk.save(ANN, filled(opened, "tie" if opened.is_pair else "pass"))
    assert seen == 2


def test_a_comparison_that_is_not_whole_is_left_out(tmp_path: Path) -> None:
    first, second = a_run(tmp_path, "r1"), a_run(tmp_path, "r2")
    compared(first, second, {"t0": "undecided"})
    (pairs_dir(first, "r2") / SUMMARY).unlink()
    assert pairs(a_desk(tmp_path)) == {}


def test_a_comparison_that_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    first, second = a_run(tmp_path, "r1"), a_run(tmp_path, "r2")
    compared(first, second, {"t0": "undecided"})
    a_desk(tmp_path).close()
    found = reopened(tmp_path).enqueue([first, second])
    assert [(one.source, one.unchanged) for one in found] == [
        ("r1", True),
        ("r1/r2", True),
        ("r2", True),
    ]


def test_a_label_that_denies_the_judges_of_a_pair_is_made_twice(tmp_path: Path) -> None:
    first, second = a_run(tmp_path, "r1", tasks=2), a_run(tmp_path, "r2", tasks=2)
    compared(first, second, {"t0": "tie", "t1": "tie"})
    desk = a_desk(tmp_path, SINGLE.model_copy(update={"double": 1e-12}))
    said = iter(("tie", "left"))
    while (opened := desk.next(ANN)) is not None:
        desk.save(ANN, filled(opened, next(said) if opened.is_pair else "pass"))
    with desk.core.store.read() as tx:
        states = [row.state for row in tx.all("SELECT state FROM items WHERE is_pair = 1")]
    assert sorted(states) == [ItemState.AGREED, ItemState.WAITING]
    again = desk.next(BEN)
    assert again is not None
    assert again.is_pair


def test_a_label_of_a_pair_lies_in_both_runs_and_decides_neither_trial(tmp_path: Path) -> None:
    first, second = a_run(tmp_path, "r1", tasks=1), a_run(tmp_path, "r2", tasks=1)
    compared(first, second, {"t0": "undecided"})
    desk = a_desk(tmp_path)
    while (opened := desk.next(ANN)) is not None:
        if opened.is_pair:
            desk.save(ANN, filled(opened, "left"))
        else:
            desk.defer(ANN, opened.lease)
        if labels(tmp_path, "r1"):
            break
    assert [one.is_pair for one in labels(tmp_path, "r1")] == [True]
    assert labels(tmp_path, "r1") == labels(tmp_path, "r2")
    assert human_decisions(first, SINGLE) == {}
