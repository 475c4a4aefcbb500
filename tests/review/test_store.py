"""The index file itself."""

import sqlite3
import threading
from pathlib import Path

import pytest

from trajaudit.errors import StorageError
from trajaudit.review.rows import SHAPES, TRIGGERS, ItemRow, ReviewRow
from trajaudit.review.store import FILE, VERSION, Store, version_of


def an_item(number: int, queue: str = "audit") -> ItemRow:
    return ItemRow(item_id=f"{number:064x}", queue=queue)


def a_label(who: str, number: int, seconds: float = 3.0) -> ReviewRow:
    return ReviewRow(
        review_id=f"{who}{number}",
        item_id=f"{number:064x}",
        reviewer=who,
        verdict="pass",
        queue="audit",
        round="production",
        batch="b",
        saved=f"2026-11-29T10:{number:02d}:00Z",
        seconds=seconds,
        line="{}",
    )


def test_the_counts_follow_the_items(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.write() as tx:
        tx.add_new(*(an_item(n, "resolve" if n < 3 else "audit") for n in range(10)))
        tx.do("UPDATE items SET state = 'agreed', open = 0 WHERE number <= 2")
        tx.do("DELETE FROM items WHERE number = 10")
    with store.read() as tx:
        rows = tx.all("SELECT queue, state, open, items FROM counts WHERE items > 0")
        direct = tx.all("SELECT queue, state, open, count(*) AS items FROM items GROUP BY 1, 2, 3")
    assert {tuple(row) for row in rows} == {tuple(row) for row in direct}


def test_the_tallies_follow_the_labels(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.write() as tx:
        assert tx.add_new(*(a_label("ann", n) for n in range(4))) == 4
        assert tx.add_new(a_label("ann", 3, 100.0)) == 0
        tx.do("UPDATE reviews SET gone = 1 WHERE review_id = 'ann1'")
        tx.do("UPDATE reviews SET gone = 1 WHERE review_id = 'ann1'")
    with store.read() as tx:
        row = tx.first("SELECT labelled, seconds, last FROM tallies WHERE person = 'ann'")
    assert row is not None
    assert tuple(row) == (3, 9.0, "2026-11-29T10:03:00Z")


def test_what_fails_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)

    def fail() -> None:
        with store.write() as tx:
            tx.add_new(an_item(1))
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with store.read() as tx:
        assert tx.number("SELECT count(*) FROM items") == 0


def test_writers_wait_for_each_other(tmp_path: Path) -> None:
    stores = [Store(tmp_path), Store(tmp_path)]

    def count(store: Store) -> None:
        for _ in range(25):
            with store.write() as tx:
                n = tx.number("SELECT priority FROM items WHERE number = 1")
                tx.do("UPDATE items SET priority = :n WHERE number = 1", n=n + 1)

    with stores[0].write() as tx:
        tx.add_new(an_item(1))
    threads = [threading.Thread(target=count, args=(store,)) for store in stores * 2]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    with stores[0].read() as tx:
        assert tx.number("SELECT priority FROM items WHERE number = 1") == 100


def test_other_columns_are_another_version() -> None:
    (table, columns), *others = SHAPES

    assert version_of([SHAPES, TRIGGERS]) == VERSION
    assert version_of([[(table, [*columns, "more TEXT"]), *others], TRIGGERS]) != VERSION
    assert version_of([SHAPES, TRIGGERS[:-1]]) != VERSION


def test_an_index_of_another_version_is_made_anew(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.write() as tx:
        tx.add_new(an_item(1))
    store.close()
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("PRAGMA user_version=999")
    connection.close()
    with Store(tmp_path).read() as tx:
        assert tx.number("SELECT count(*) FROM items") == 0


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"desk\.sqlite: cannot be opened"):
        Store(tmp_path / "nowhere")


def test_a_statement_that_fails_is_told_with_the_file(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(StorageError, match="removing this file"), store.read() as tx:
        tx.all("SELECT nothing FROM nowhere")
