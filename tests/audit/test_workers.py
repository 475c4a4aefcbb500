"""Work that is spread over processes comes back as if one had done it."""

import gc
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajaudit.audit.worker import Ask
from trajaudit.audit.workers import processes_for, spread
from trajaudit.errors import InfraError, StorageError

HERE = os.getpid()


def _until(path: Path, seconds: float = 10) -> bool:
    """Wait until a file is there; return whether it is."""
    until = time.monotonic() + seconds
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.001)
    return path.exists()


def _numbered(unit: tuple[int, ...], ask: Ask) -> Iterator[tuple[int, int]]:
    """Ask for the number of each item, some of them at once, and say which items there were."""
    asked: list[tuple[int, Callable[[], Any]]] = []
    for place, item in enumerate(unit):
        time.sleep(item / 10_000)
        asked.append((item, ask(item, last=place == len(unit) - 1)))
        ask.attend()
        if item % 3 == 0:
            yield from ((one, answer()) for one, answer in asked)
            asked = []
    if unit and sum(unit) % 2:
        ask.soon()
    yield from ((one, answer()) for one, answer in asked)


def _all(units: list[tuple[int, ...]], processes: int) -> list[tuple[int, int]]:
    count = iter(range(1, 10_000))
    return list(spread(units, _numbered, lambda _: next(count), processes=processes))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.lists(st.integers(0, 40), max_size=4).map(tuple), max_size=12))
def test_the_result_does_not_depend_on_how_many_work(units: list[tuple[int, ...]]) -> None:
    alone = _all(units, 1)

    assert [item for item, _ in alone] == [item for unit in units for item in unit]
    assert [number for _, number in alone] == list(range(1, len(alone) + 1))
    assert _all(units, 2) == alone
    assert _all(units, 4) == alone


def test_several_processes_do_the_work_and_this_one_is_one_of_them() -> None:
    def pid(_: int, ask: Ask) -> Iterator[int]:
        time.sleep(0.02)
        yield os.getpid()

    found = set(spread(range(12), pid, processes=3))

    assert os.getpid() in found
    assert len(found) == 3


def test_a_worker_is_answered_while_this_process_works(tmp_path: Path) -> None:
    def work(unit: int, ask: Ask) -> Iterator[bool]:
        if os.getpid() != HERE:
            yield ask(unit)() == unit
            (tmp_path / "answered").touch()
            return
        yield _attends(ask, tmp_path / "answered")

    assert list(spread(range(2), work, lambda asked: asked, processes=2)) == [True, True]


def _drawn(folder: Path, count: int) -> Iterator[int]:
    """Yield units, and leave a file for each that was drawn: the one before was given away then."""
    for unit in range(count):
        (folder / f"drawn{unit}").touch()
        yield unit


def _attends(ask: Ask, path: Path) -> bool:
    """See to the others until a file is there; return whether it is."""
    until = time.monotonic() + 10
    while not path.exists() and time.monotonic() < until:
        ask.attend()
    return path.exists()


def test_a_worker_that_is_nearly_done_is_given_the_next_unit(tmp_path: Path) -> None:
    def work(unit: int, ask: Ask) -> Iterator[bool]:
        if unit == 0:
            ask.soon()
            yield _until(tmp_path / "drawn3", seconds=5)
        elif unit == 1:
            yield _attends(ask, tmp_path / "drawn3") and os.getpid() == HERE
        else:
            yield True

    assert list(spread(_drawn(tmp_path, 4), work, processes=2)) == [True] * 4


def test_a_unit_that_comes_before_an_answer_is_done_later(tmp_path: Path) -> None:
    def work(unit: int, ask: Ask) -> Iterator[int]:
        if unit == 1:
            # Until it is done, nobody answers the unit behind it.
            yield int(_attends(ask, tmp_path / "drawn4"))
        elif unit == 2:
            answer = ask(unit)
            ask.soon()
            yield answer()
        else:
            yield unit

    units = _drawn(tmp_path, 5)
    assert list(spread(units, work, lambda asked: asked * 10, processes=2)) == [0, 1, 20, 3, 4]


def test_garbage_is_looked_for_as_before() -> None:
    def work(unit: int, ask: Ask) -> Iterator[bool]:
        yield gc.isenabled()

    assert gc.isenabled()
    assert not any(spread(range(6), work, processes=2))
    assert gc.isenabled()
    assert not gc.get_freeze_count()


def test_an_error_of_a_worker_is_the_parents() -> None:
    def fail(unit: int, ask: Ask) -> Iterator[int]:
        if unit == 3:
            raise StorageError("disk full")
        yield unit

    with pytest.raises(StorageError, match="disk full"):
        list(spread(range(6), fail, processes=2))


def test_an_error_of_a_worker_is_the_parents_also_where_work_takes_it_for_its_own() -> None:
    def work(unit: int, ask: Ask) -> Iterator[int]:
        if os.getpid() != HERE:
            raise StorageError("disk full")
        until = time.monotonic() + 10
        with suppress(StorageError):
            while time.monotonic() < until:
                ask.attend()
        yield unit

    with pytest.raises(StorageError, match="disk full"):
        list(spread(range(2), work, processes=2))


@pytest.mark.parametrize("error", [EOFError("of work"), ConnectionError("of work")])
def test_an_error_of_work_is_not_taken_for_one_of_speaking(error: Exception) -> None:
    def fail(unit: int, ask: Ask) -> Iterator[int]:
        if os.getpid() != HERE:
            raise error
        yield unit

    with pytest.raises(type(error), match="of work"):
        list(spread(range(2), fail, processes=2))


def test_ctrl_c_is_the_parents_business() -> None:
    def interrupted(unit: int, ask: Ask) -> Iterator[int]:
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGINT)
        yield unit

    assert list(spread(range(6), interrupted, processes=3)) == list(range(6))


def test_an_error_that_cannot_be_sent_keeps_its_text() -> None:
    class OddError(Exception):
        def __init__(self, *, what: str) -> None:
            super().__init__(what)

    def fail(unit: int, ask: Ask) -> Iterator[int]:
        if os.getpid() != HERE:
            raise OddError(what="odd thing")
        yield unit

    with pytest.raises(RuntimeError, match="odd thing"):
        list(spread(range(2), fail, processes=2))


def test_a_worker_that_dies_is_told_of() -> None:
    def die(unit: int, ask: Ask) -> Iterator[int]:
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        yield unit

    with pytest.raises(InfraError, match="died; it ended with -9"):
        list(spread(range(2), die, processes=2))


def test_a_worker_that_is_killed_while_it_tells_much_is_told_of() -> None:
    def tell(unit: int, ask: Ask) -> Iterator[bytes]:
        if os.getpid() == HERE:
            time.sleep(0.5)  # Nobody listens, and the pipe is full.
            yield b""
        else:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            yield bytes(50_000_000)

    parts = spread(range(2), tell, processes=2)
    with pytest.raises(InfraError, match=f"died; it ended with -{int(signal.SIGALRM)}"):
        list(parts)


def test_who_waited_for_a_worker_does_not_matter() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        for _ in spread(range(6), lambda unit, ask: iter([unit]), processes=3):
            time.sleep(0.05)  # Those who have nothing left to do are gone by then.
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert gc.isenabled()


def test_a_worker_that_dies_with_nothing_to_do_is_told_of_when_it_is_given_work() -> None:
    def die(unit: int, ask: Ask) -> Iterator[int]:
        yield unit
        yield os.getpid()

    def units() -> Iterator[int]:
        yield 0
        while not pids:
            yield 1
        os.kill(pids[0], signal.SIGKILL)
        time.sleep(0.1)
        yield from range(2, 50)

    pids: list[int] = []
    parts = spread(units(), die, processes=2)
    with pytest.raises(InfraError, match="died; it ended with -9"):
        pids.extend(part for part in parts if part > 50 and part != HERE)


def test_no_process_is_left_whatever_happens(tmp_path: Path) -> None:
    def told(unit: int, ask: Ask) -> Iterator[int]:
        (tmp_path / str(os.getpid())).touch()
        yield unit

    parts = spread(range(50), told, processes=2)
    next(parts)
    parts.close()  # type: ignore[attr-defined]  # a generator

    for left in {one.name for one in tmp_path.iterdir()} - {str(HERE)}:
        assert not Path("/proc", left).exists()


def test_parts_of_a_unit_come_before_its_end(tmp_path: Path) -> None:
    seen = tmp_path / "seen"

    def many(unit: int, ask: Ask) -> Iterator[int]:
        yield from range(8)
        yield int(_until(seen))

    found = []
    for part in spread([0], many, processes=2):
        seen.touch()
        found.append(part)

    assert found == [*range(8), 1]


def test_a_unit_that_never_asks_holds_nobody_up() -> None:
    def some(unit: int, ask: Ask) -> Iterator[int]:
        yield unit if unit % 2 else ask(unit)()

    assert list(spread(range(9), some, lambda asked: asked * 10, processes=3)) == [
        unit if unit % 2 else unit * 10 for unit in range(9)
    ]


def test_processes_are_bounded() -> None:
    assert processes_for(1) == 1
    assert 1 <= processes_for() <= 16
    assert processes_for(1000) <= 16
