"""What is kept is given back whole under its own key, by any process, or not at all."""

import json
import sqlite3
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from trajaudit.errors import StorageError
from trajaudit.llm.answer_store import FILE, AnswerStore, KeptAnswersWarning

KEYS = [f"{n:064x}" for n in range(40)]
WRITER = """\
import sys
from pathlib import Path
from trajaudit.llm.answer_store import AnswerStore
store = AnswerStore(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for n in range(int(sys.argv[2]), int(sys.argv[3])):
    store.keep(f"{n:064x}", "m", 1, {"n": n})
"""


def body(n: int) -> dict[str, Any]:
    return {"n": n, "text": f"answer {n} " * 40}


def filled(folder: Path) -> AnswerStore:
    store = AnswerStore(folder)
    for n, key in enumerate(KEYS):
        store.keep(key, "m", 1, body(n))
    return store


@contextmanager
def changed(folder: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    yield connection
    connection.close()


def test_what_is_kept_is_found_and_nothing_else_is(tmp_path: Path) -> None:
    store = filled(tmp_path / "made" / "when needed")

    assert [store.find(key) for key in KEYS] == [body(n) for n in range(len(KEYS))]
    assert store.find("f" * 64) is None
    assert AnswerStore(tmp_path / "nowhere").find(KEYS[0]) is None
    assert not (tmp_path / "nowhere").exists()


def test_it_is_one_file_in_wal_mode_that_says_whose_answer_it_holds(tmp_path: Path) -> None:
    AnswerStore(tmp_path).keep(KEYS[0], "openai/m@http://h", 3, {"text": "\ud800"})

    with changed(tmp_path) as connection:
        mode = connection.execute("PRAGMA journal_mode").fetchone()
        rows = connection.execute("SELECT key, model, draw, body FROM answers").fetchall()
    assert mode == ("wal",)
    assert rows == [(KEYS[0], "openai/m@http://h", 3, json.dumps({"text": "\ud800"}))]
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_threads_that_write_and_read_at_once_lose_nothing(tmp_path: Path) -> None:
    store = AnswerStore(tmp_path)

    def both(n: int) -> dict[str, Any] | None:
        store.keep(KEYS[n], "m", 1, body(n))
        return store.find(KEYS[n])

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(both, range(len(KEYS))))

    assert found == [body(n) for n in range(len(KEYS))]


def test_two_processes_that_begin_with_the_file_lose_nothing(tmp_path: Path) -> None:
    parts = [("0", "60"), ("40", "100")]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / "kept"), *part],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for part in parts
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    # Both wait at the same line: they make the file together.
    ends = ThreadPoolExecutor(2).map(lambda writer: writer.communicate("\n", 60), writers)

    assert [said for _, said in ends] == ["", ""]
    assert [writer.returncode for writer in writers] == [0, 0]
    store = AnswerStore(tmp_path / "kept")
    assert [store.find(f"{n:064x}") for n in range(100)] == [{"n": n} for n in range(100)]


@pytest.mark.parametrize("share", [0.0, 0.001, 0.01, 0.2, 0.5, 0.8, 0.99])
def test_a_truncated_file_gives_no_wrong_answer_and_stops_nobody(
    tmp_path: Path, share: float
) -> None:
    store = filled(tmp_path)
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = [store.find(key) for key in KEYS]
        store.keep(KEYS[0], "m", 1, body(0))
        again = store.find(KEYS[0])

    assert all(one in (None, body(n)) for n, one in enumerate(found))
    assert None in found
    # Without any page it is a new file; where a page lacks its end only, the others are of use.
    assert (again == body(0)) is (share in (0.0, 0.99))
    assert (told == []) is (share in (0.0, 0.99))
    assert all(issubclass(one.category, KeptAnswersWarning) for one in told)


def test_an_overwritten_page_gives_no_wrong_answer(tmp_path: Path) -> None:
    store = filled(tmp_path)
    path = tmp_path / FILE
    content = bytearray(path.read_bytes())
    for at in range(4096, len(content), 97):
        content[at] ^= 0x15
    path.write_bytes(content)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeptAnswersWarning)
        found = [store.find(key) for key in KEYS]

    assert all(one in (None, body(n)) for n, one in enumerate(found))
    assert None in found


def test_an_answer_that_was_put_under_another_key_is_no_hit_and_is_made_good(
    tmp_path: Path,
) -> None:
    store = filled(tmp_path)
    with changed(tmp_path) as connection:
        connection.execute(
            "UPDATE answers SET body = (SELECT body FROM answers WHERE key = ?),"
            " sha256 = (SELECT sha256 FROM answers WHERE key = ?) WHERE key = ?",
            (KEYS[1], KEYS[1], KEYS[0]),
        )

    assert store.find(KEYS[0]) is None
    store.keep(KEYS[0], "m", 1, body(0))
    assert store.find(KEYS[0]) == body(0)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("PRAGMA user_version = 2", "wanted version 1; got 2"),
        ("PRAGMA user_version = 0", "a database of something else"),
        ("DROP TABLE answers", "no such table"),
    ],
)
def test_a_file_of_something_else_is_left_as_it_is(
    tmp_path: Path, statement: str, why: str
) -> None:
    store = filled(tmp_path)
    with changed(tmp_path) as connection:
        connection.execute(statement)
    before = (tmp_path / FILE).read_bytes()

    with pytest.warns(KeptAnswersWarning, match=f"{FILE}: kept answers cannot be used; .*{why}"):
        assert store.find(KEYS[0]) is None
    with pytest.warns(KeptAnswersWarning, match=why):
        store.keep(KEYS[0], "m", 1, body(0))

    assert (tmp_path / FILE).read_bytes() == before


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()

    assert AnswerStore(tmp_path).find(KEYS[0]) is None
    with pytest.raises(StorageError, match="an answer cannot be kept"):
        AnswerStore(tmp_path).keep(KEYS[0], "m", 1, body(0))
