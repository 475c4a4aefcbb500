"""What people are to look at gets into the index."""

import random
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.desked import ANN, SINGLE, a_desk, a_run, a_trial, filled, label_all, reopened
from tests.review.made import decision
from trajaudit.datamodel.review import SamplePlan
from trajaudit.errors import UsageError
from trajaudit.record.rundir import RunDir
from trajaudit.review.desk import Desk
from trajaudit.review.enqueue import turns_of
from trajaudit.review.policy import store_plan


def items(desk: Desk) -> dict[str, str]:
    """Task → queue."""
    with desk.core.store.read() as tx:
        rows = tx.all(
            "SELECT p.task_id, i.queue FROM items i JOIN places p ON p.number = i.number"
            " WHERE p.pair = ''"
        )
    return {row.task_id: row.queue for row in rows}


def test_each_trial_of_the_sample_becomes_an_item_with_its_queue(tmp_path: Path) -> None:
    judged = [decision("pass", "resolve" if n < 2 else "audit", task_id=f"t{n}") for n in range(5)]
    a_run(tmp_path, tasks=5, decisions=judged, outcomes={f"t{n}": (True, True) for n in range(5)})
    assert items(a_desk(tmp_path)) == {
        "t0": "resolve",
        "t1": "resolve",
        "t2": "audit",
        "t3": "audit",
        "t4": "audit",
    }


def test_a_run_that_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    desk = a_desk(tmp_path)
    for task in ("t0", "t1"):
        run.journal_path(task, 1).write_text("damaged\n")
    (again,) = desk.enqueue([run])
    assert (again.unchanged, again.read, again.wanted) == (True, 0, 6)


def test_a_changed_sample_reads_no_journal_twice(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=12, plan=SamplePlan(smoke=4))
    desk = a_desk(tmp_path)
    assert len(items(desk)) == 4
    store_plan(run, SamplePlan(everything=True))
    (again,) = desk.enqueue([run])
    assert (again.wanted, again.read) == (12, 8)
    store_plan(run, SamplePlan(smoke=4))
    desk.enqueue([run])
    assert list(items(desk).values()).count("none") == 8


def test_what_left_the_sample_keeps_its_labels_and_is_not_given_out(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=8)
    desk = a_desk(tmp_path)
    opened = desk.next(ANN)
    assert opened is not None
    desk.save(ANN, filled(opened))
    store_plan(run, SamplePlan(smoke=2))
    desk.enqueue([run])
    given = label_all(desk, ANN)
    assert given <= 2
    assert desk.lead().labels == given + 1


def test_an_enqueueing_that_was_interrupted_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = a_run(tmp_path, tasks=12)
    monkeypatch.setattr("trajaudit.review.enqueue._CHUNK", 3)
    desk = reopened(tmp_path)

    def stop(_run: str, done: int, _total: int) -> None:
        if done == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        desk.enqueue([run], stop)
    desk.close()
    desk = reopened(tmp_path)
    assert len(items(desk)) == 6
    told: list[tuple[str, int, int]] = []
    (found,) = desk.enqueue([run], lambda *all_: told.append(all_))
    assert (found.wanted, found.read) == (12, 6)
    assert told == [("r1", n, 12) for n in (3, 6, 9, 12)]


def test_a_damaged_journal_is_told_and_the_others_are_put_up(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=3)
    path = run.journal_path("t1", 1)
    path.write_text('{"kind": "nonsense"}\n')
    desk = reopened(tmp_path)
    (found,) = desk.enqueue([run])
    assert len(found.damaged) == 1
    assert "t1" in found.damaged[0]
    assert set(items(desk)) == {"t0", "t2"}


def test_a_run_that_was_not_scored_is_refused(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=1)
    (run.path / "outcomes.jsonl").unlink()
    with pytest.raises(UsageError, match="not scored"):
        reopened(tmp_path).enqueue([run])


def test_a_trial_that_was_done_anew_is_another_item(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=2)
    desk = a_desk(tmp_path)
    label_all(desk, ANN)
    trial = run.trial_dir("t0", 1)
    for path in trial.iterdir():
        path.unlink()
    trial.rmdir()
    a_trial(run, "t0", "Another answer altogether.")
    run.write_records("outcomes", list(run.read_outcomes())[::-1])
    (found,) = desk.enqueue([run])
    assert found.read == 1
    opened = desk.next(ANN)
    assert opened is not None
    assert "Another answer" in opened.model_dump_json()


def test_items_of_a_stratum_are_given_out_by_their_rank(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=30, outcomes={f"t{n}": (n < 15, True) for n in range(30)})
    desk = a_desk(tmp_path, SINGLE)
    with desk.core.store.read() as tx:
        rows = tx.all("SELECT item_id, queue, turn FROM items")
    of = {row.item_id: (row.queue, row.turn) for row in rows}
    given: dict[str, list[float]] = defaultdict(list)
    batch: list[tuple[str, float]] = []
    while (opened := desk.next(ANN)) is not None:
        batch.append(of[opened.item_id])
        if desk.save(ANN, filled(opened)).batch_over:
            for queue, turn in sorted(batch):
                given[queue].append(turn)
            batch = []
    assert set(given) == {"resolve", "audit"}
    for turns in given.values():
        # Shuffled inside of a batch, in order from batch to batch.
        assert turns == sorted(turns)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 10**6), st.sampled_from(["resolve", "audit"]), st.sampled_from("abc")
        ),
        max_size=60,
        unique_by=lambda one: one[0],
    )
)
def test_all_strata_of_the_audit_are_worked_off_alike(
    drawn: list[tuple[int, str, str]],
) -> None:
    rng = random.Random(1)
    queued = [((f"t{n}", 1), queue, stratum, rng.random()) for n, queue, stratum in drawn]
    turns = turns_of(queued)
    for half in (0.25, 0.5, 0.75):
        for stratum in "abc":
            mine = [one for one in queued if one[1:3] == ("audit", stratum)]
            begun = sum(turns[one[0]] <= half for one in mine)
            assert abs(begun - half * len(mine)) <= 1
    for one in queued:
        if one[1] == "resolve":
            assert turns[one[0]] == one[3]


def test_a_second_desk_sees_what_the_first_put_up(tmp_path: Path) -> None:
    a_run(tmp_path)
    a_desk(tmp_path)
    other = reopened(tmp_path)
    assert len(items(other)) == 6
    assert other.enqueue([RunDir(tmp_path / "r1")])[0].unchanged
