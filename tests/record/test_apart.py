"""Folders of runs are laid apart where the file system can do that; elsewhere nothing happens."""

import errno
import fcntl
import os
import sys
from pathlib import Path

import pytest

from trajaudit.record import apart
from trajaudit.record.apart import lay_apart

TOPDIR, NO_TIME = 0x20000, 0x80


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_MACHINES", frozenset({os.uname().machine}))


def _flags(folder: Path) -> int | None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        read = fcntl.ioctl(fd, 0x80086601, bytes(8))
        return int.from_bytes(read[:4], sys.byteorder)
    except OSError:
        return None
    finally:
        os.close(fd)


def test_a_folder_on_this_disk_is_marked_or_left_alone(tmp_path: Path) -> None:
    before = _flags(tmp_path)

    lay_apart(tmp_path)
    lay_apart(tmp_path)

    assert _flags(tmp_path) in (before, None if before is None else before | TOPDIR)
    (tmp_path / "run").mkdir()


@pytest.mark.usefixtures("machine")
def test_other_marks_of_a_folder_are_kept_and_one_that_is_there_is_not_set_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [NO_TIME]

    def ioctl(fd: int, call: int, flags: bytearray) -> int:
        if call == apart._GET:
            flags[:4] = known[-1].to_bytes(4, sys.byteorder)
        else:
            known.append(int.from_bytes(flags[:4], sys.byteorder))
        return 0

    monkeypatch.setattr(fcntl, "ioctl", ioctl)

    lay_apart(tmp_path)
    lay_apart(tmp_path)

    assert known == [NO_TIME, NO_TIME | TOPDIR]


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("code", [errno.ENOTTY, errno.EOPNOTSUPP, errno.EPERM, errno.EROFS])
def test_a_disk_that_cannot_do_it_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    asked: list[int] = []

    def ioctl(fd: int, call: int, flags: bytearray) -> int:
        asked.append(call)
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "ioctl", ioctl)

    lay_apart(tmp_path)

    assert asked == [apart._GET]


def test_a_folder_that_is_not_there_is_no_fault(tmp_path: Path) -> None:
    lay_apart(tmp_path / "none")

    assert not (tmp_path / "none").exists()
