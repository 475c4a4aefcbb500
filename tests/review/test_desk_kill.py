"""Processes and threads at one desk, some of which are killed."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.review.desked import (
    SINGLE,
    TWICE,
    a_desk,
    a_run,
    filled,
    labels,
    reopened,
)
from trajaudit.datamodel.review import ItemState, Reviewer, ReviewPolicy
from trajaudit.review.desk import Desk
from trajaudit.review.desk_records import DeskError, Opened, Saved

ROOT = Path(__file__).parents[2]
_WORKER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from tests.review.desked import filled, reopened
from trajaudit.datamodel.review import Reviewer
desk = reopened(Path(sys.argv[1]), seed=int.from_bytes(sys.argv[2].encode()))
who = Reviewer(name=sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
while (opened := desk.next(who)) is not None:
    print(desk.save(who, filled(opened)).record_id, flush=True)
print("done", flush=True)
"""


def started(runs: Path, who: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", _WORKER, str(runs), who, str(ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.parametrize("attempt", range(3))
def test_a_kill_at_any_moment_loses_no_label_that_was_acknowledged(
    tmp_path: Path, attempt: int
) -> None:
    a_run(tmp_path, tasks=60)
    a_desk(tmp_path, SINGLE).close()
    with started(tmp_path, "ann") as process:
        go(process)
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(3)]
        time.sleep(random.Random(attempt).random() * 0.05)
        os.kill(process.pid, signal.SIGKILL)
        said += process.stdout.readlines()
    # A line without its end was not heard whole.
    acknowledged = {one.strip() for one in said if one.endswith("\n") and one != "done\n"}
    written = {one.review_id for one in labels(tmp_path)}
    assert acknowledged <= written
    desk = reopened(tmp_path)
    assert {one.item_id for one in labels(tmp_path)} == {
        one.item_id for one in desk.history(Reviewer(name="ann"), 100)
    }
    # At most the label that was being written was not acknowledged.
    assert len(written - acknowledged) <= 1
    assert desk.lead().states.get(ItemState.AGREED) == len(written)


def test_a_label_that_only_the_file_has_is_not_asked_for_again(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=2)
    desk = a_desk(tmp_path, SINGLE)
    opened = desk.next(Reviewer(name="ann"))
    assert opened is not None
    with desk.core.store.read() as tx:
        before = tx.all("SELECT * FROM leases")
    desk.save(Reviewer(name="ann"), filled(opened))
    with desk.core.store.write() as tx:
        # As if the process had died between the file and the index.
        tx.do("DELETE FROM reviews")
        tx.do("UPDATE sources SET reviews = '' WHERE run_id = 'r1'")
        tx.do("UPDATE leases SET over = ''")
        tx.do("UPDATE items SET state = 'new', labels = 0, open = 1, by = ''")
    assert len(before) == 1
    desk.close()
    desk = reopened(tmp_path)
    assert desk.save(Reviewer(name="ann"), filled(opened)).repeated
    assert len(labels(tmp_path)) == 1


def test_two_processes_share_the_work_and_do_none_of_it_twice(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=40)
    a_desk(tmp_path, ReviewPolicy(double=0.5, gold=0.0, batch=5)).close()
    both = [started(tmp_path, who) for who in ("ann", "ben")]
    for process in both:
        go(process)
    said = [process.communicate(timeout=120)[0].split() for process in both]
    for process in both:
        assert process.returncode == 0
    written = labels(tmp_path)
    assert {one.review_id for one in written} == {x for each in said for x in each if x != "done"}
    assert max(Counter((one.item_id, one.reviewer) for one in written).values()) == 1
    desk = reopened(tmp_path)
    assert desk.lead().states == {ItemState.AGREED: 40}
    assert {one.reviewer for one in written} == {"ann", "ben"}


def test_threads_share_the_work_and_do_none_of_it_twice(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=30)
    desk = a_desk(tmp_path, SINGLE)
    errors: list[Exception] = []

    def work(name: str) -> None:
        who = Reviewer(name=name)
        try:
            while (opened := desk.next(who)) is not None:
                desk.save(who, filled(opened))
        except Exception as error:  # noqa: BLE001 (told by the main thread)
            errors.append(error)

    threads = [threading.Thread(target=work, args=(f"p{n}",)) for n in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert errors == []
    written = labels(tmp_path)
    assert len(written) == len({one.item_id for one in written}) == 30


def test_of_many_clicks_at_once_one_saves(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    desk = a_desk(tmp_path, TWICE)
    opened = desk.next(Reviewer(name="ann"))
    assert opened is not None
    saved = at_once(desk, opened, 8)
    assert sum(not one.repeated for one in saved) == 1
    assert len({one.record_id for one in saved}) == 1
    assert len(labels(tmp_path)) == 1


def at_once(desk: Desk, opened: Opened, times: int) -> list[Saved]:
    """Send one form from several threads in the same moment."""
    gate, saved = threading.Barrier(times), []

    def click() -> None:
        gate.wait()
        saved.append(desk.save(Reviewer(name="ann"), filled(opened)))

    threads = [threading.Thread(target=click) for _ in range(times)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return saved


def test_one_item_is_leased_to_one_of_many_who_ask_at_once(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    desk = a_desk(tmp_path, SINGLE)
    gate, got = threading.Barrier(8), []

    def ask(name: str) -> None:
        gate.wait()
        try:
            got.append(desk.next(Reviewer(name=name)))
        except DeskError as error:
            got.append(error)  # type: ignore[arg-type]

    threads = [threading.Thread(target=ask, args=(f"p{n}",)) for n in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sum(one is not None for one in got) == 1
