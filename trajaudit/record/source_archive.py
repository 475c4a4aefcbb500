"""Reads a source archive (.tar.gz, .tar.bz2, .tar.xz, .tar, .zip) into memory, never onto a disk.

Archives come from strangers: what leads out, what is no file, and what unpacks to more than it
should is refused before anything is made of it.
"""

import bz2
import gzip
import lzma
import posixpath
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from trajaudit.record.source_tree import (
    MOST_BYTES,
    MOST_FILES,
    SourceError,
    SourceFile,
    Tree,
    faults_of,
    is_git_own,
    without_top,
)

MAGIC = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
ZIP = b"PK\x03\x04"
ENCRYPTED = 0x1
OVERHEAD = 1024
"""Bytes of an archive that a file takes beside its content."""
UNREADABLE = (
    OSError, EOFError, tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, ValueError,
    NotImplementedError,
)  # fmt: skip


class _TooMuchError(Exception):
    """An archive unpacks to more than it may."""


def read_archive(path: Path) -> Tree:
    """Return the files of an archive, without the one folder that holds them all.

    What git keeps of itself is left out.

    Raises:
        SourceError: it cannot be read, or is dangerous; every fault at once.
    """
    faults: list[str] = []
    try:
        with path.open("rb") as stream:
            head = stream.read(6)
        members = _zip_members(path, faults) if head.startswith(ZIP) else _tar_members(path, faults)
        found = _collected(members, faults)
    except _TooMuchError as e:
        raise SourceError(str(path), [str(e)]) from e
    except UNREADABLE as e:
        raise SourceError(str(path), [f"archive cannot be read; got: {e}"]) from e
    faults += faults_of(found)
    if not found and not faults:
        faults.append("archive holds no file")
    if faults:
        raise SourceError(str(path), faults)
    return without_top(found)


def _collected(
    members: Iterator[tuple[str, SourceFile]], faults: list[str]
) -> dict[str, SourceFile]:
    found: dict[str, SourceFile] = {}
    total = 0
    for count, (name, file) in enumerate(members, start=1):
        path = name.removeprefix("./")
        total += len(file.content)
        if total > MOST_BYTES:
            raise _TooMuchError(f"archive unpacks to more than {MOST_BYTES} bytes")
        if count > MOST_FILES:
            raise _TooMuchError(f"archive holds more than {MOST_FILES} files")
        if is_git_own(path):
            continue
        if path in found and found[path] != file:
            faults.append(f"file is there twice; got {path!r}")
        found[path] = file
    return found


def _tar_members(path: Path, faults: list[str]) -> Iterator[tuple[str, SourceFile]]:
    with path.open("rb") as stream:
        head = stream.read(6)
    opened = next((opener for magic, opener in MAGIC.items() if head.startswith(magic)), open)
    seen: dict[str, SourceFile] = {}
    with opened(path, "rb") as raw, tarfile.open(fileobj=_Bounded(raw), mode="r|") as tar:  # type: ignore[operator, call-overload]  # openers of one shape
        for member in tar:
            file = _tar_file(tar, member, seen)
            if file is not None:
                seen[posixpath.normpath(member.name)] = file
                yield member.name, file
            elif not member.isdir():
                faults.append(f"neither file nor link; got {member.name!r}")


def _tar_file(
    tar: tarfile.TarFile, member: tarfile.TarInfo, seen: dict[str, SourceFile]
) -> SourceFile | None:
    if member.issym():
        return SourceFile(member.linkname.encode("utf-8", "surrogateescape"), link=True)
    if member.islnk():
        return seen.get(posixpath.normpath(member.linkname))
    stream = tar.extractfile(member) if member.isreg() else None
    if stream is None:
        return None
    if member.size > MOST_BYTES:
        raise _TooMuchError(f"archive unpacks to more than {MOST_BYTES} bytes")
    return SourceFile(stream.read(), executable=bool(member.mode & 0o100))


def _zip_members(path: Path, faults: list[str]) -> Iterator[tuple[str, SourceFile]]:
    with zipfile.ZipFile(path) as archive:
        left = MOST_BYTES
        for info in archive.infolist():
            mode = info.external_attr >> 16
            if info.is_dir():
                continue
            kind = stat.S_IFMT(mode)
            if info.flag_bits & ENCRYPTED or kind not in {0, stat.S_IFREG, stat.S_IFLNK}:
                faults.append(f"neither file nor link, or encrypted; got {info.filename!r}")
                continue
            # What the index says of a size is the word of whoever made the archive.
            with archive.open(info) as stream:
                content = stream.read(left + 1)
            left -= len(content)
            yield info.filename, SourceFile(content, bool(mode & 0o100), kind == stat.S_IFLNK)


class _Bounded:
    """A stream that gives no more than a tar archive of the largest tree can have."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._left = MOST_BYTES + MOST_FILES * OVERHEAD

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        data = self._stream.read(min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise _TooMuchError(f"archive unpacks to more than {MOST_BYTES} bytes")
        return data
