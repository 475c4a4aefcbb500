"""What people said survives a crash at any moment, and two processes that write at once."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.made import adjudication, review, run_dir, withdrawal
from trajaudit.datamodel.review import FlagReview, FlagView, LedgerRecord, Revision
from trajaudit.errors import RunDirError, StorageError
from trajaudit.record.reviews import REVIEWS, ReviewLedger, read_reviews
from trajaudit.record.rundir import RunDir

ONE, TWO = review("p1"), review("p2", "fail", reason="多谢 \U0001f600\nsecond line")
EVERY: list[LedgerRecord] = [
    ONE,
    withdrawal(ONE),
    adjudication("pass"),
    Revision(
        item_id=ONE.item_id,
        review_id="p1-1",
        reviewer="p1",
        verdict=TWO.verdict,
        reason="I missed step 3.",
        saved="2026-11-29T13:00:00Z",
    ),
    FlagReview(
        item_id=ONE.item_id,
        reviewer="p1",
        judge="openai/x",
        criterion="done",
        step=2,
        view=FlagView.SPOT_ON,
        saved="2026-11-29T13:00:00Z",
    ),
]


def test_every_kind_of_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = run_dir(tmp_path)
    assert list(read_reviews(run)) == []

    ReviewLedger(run).append(*EVERY)
    ReviewLedger(run).append(TWO)

    assert list(read_reviews(run)) == [*EVERY, TWO]


@pytest.fixture(scope="module")
def shared_run(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    return run_dir(tmp_path_factory.mktemp("runs"))


@given(cut=st.integers(0, 10_000))
def test_a_last_line_that_was_cut_anywhere_is_no_record_and_makes_room(
    shared_run: RunDir, cut: int
) -> None:
    ledger = ReviewLedger(shared_run)
    ledger.path.unlink(missing_ok=True)
    ledger.append(ONE, TWO)
    content = ledger.path.read_bytes()
    first = content.index(b"\n") + 1
    ledger.path.write_bytes(content[: first + cut % (len(content) - first)])

    assert list(read_reviews(shared_run)) == [ONE]
    ledger.append(TWO)

    assert list(read_reviews(shared_run)) == [ONE, TWO]


def test_a_whole_line_that_is_damaged_is_told_with_its_place(tmp_path: Path) -> None:
    run = run_dir(tmp_path)
    ledger = ReviewLedger(run)
    ledger.append(ONE)
    for line in (
        b"{}\n",
        b"nothing\n",
        b'{"record":"opinion"}\n',
        b'{"record":"review"}\n',
        b"[]\n",
    ):
        whole = ledger.path.read_bytes()
        ledger.path.write_bytes(whole + line)

        with pytest.raises(RunDirError, match=rf"{REVIEWS}:2: damaged"):
            list(read_reviews(run))
        ledger.path.write_bytes(whole)


def test_a_newer_record_is_refused_by_its_version(tmp_path: Path) -> None:
    run = run_dir(tmp_path)
    ReviewLedger(run).append(ONE.model_copy(update={"schema_version": 99}))

    with pytest.raises(RunDirError, match=r"reviews\.jsonl:1: was written by a newer trajaudit"):
        list(read_reviews(run))


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    run = run_dir(tmp_path)
    (run.path / REVIEWS).mkdir()

    with pytest.raises(StorageError, match=r"reviews\.jsonl: cannot be written"):
        ReviewLedger(run).append(ONE)


WRITER = """
import sys
from pathlib import Path
from trajaudit.datamodel.review import Review
from trajaudit.record.reviews import ReviewLedger
from trajaudit.record.rundir import RunDir

ledger = ReviewLedger(RunDir(Path(sys.argv[1])))
one = Review.model_validate_json(sys.argv[3])
for number in range(40):
    ledger.append(one.model_copy(update={"review_id": f"{sys.argv[2]}-{number}"}))
"""


def test_processes_and_threads_that_append_at_once_lose_nothing(tmp_path: Path) -> None:
    run = run_dir(tmp_path)
    long = review("p1", reason="long " * 400)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(run.path), f"process{at}", long.model_dump_json()]
        )
        for at in range(2)
    ]

    def write_many(who: str) -> None:
        ledger = ReviewLedger(run)
        for number in range(40):
            ledger.append(long.model_copy(update={"review_id": f"{who}-{number}"}))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write_many, ("thread0", "thread1")))
    assert [one.wait(60) for one in processes] == [0, 0]

    found = [one.review_id for one in read_reviews(run) if one.record == "review"]

    names = ("process0", "process1", "thread0", "thread1")
    assert len(found) == 40 * len(names)
    for who in names:
        own = [one for one in found if one.startswith(f"{who}-")]
        assert own == [f"{who}-{number}" for number in range(40)]
