"""Reads a foreign ZIP archive member by member, within limits; nothing is ever unpacked to disk."""

import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self

from trajaudit.record.importers.archive_salvage import local_members
from trajaudit.record.importers.base import SourceError
from trajaudit.record.importers.losses import Losses

if TYPE_CHECKING:
    from zstandard import ZstdDecompressor

MOST_MEMBERS = 1_000_000
MEMBER_BYTES = 1024 * 1024 * 1024
"""A larger member is refused."""
FREE_BYTES = 16 * 1024 * 1024
"""Up to this size a member may shrink as much as it likes."""
MOST_RATIO = 500
"""Size to compressed size of a larger member: more is a bomb, no log."""
_ZSTANDARD = 93
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _ZSTANDARD})
_WINDOW_BYTES = 128 * 1024 * 1024
_LOCAL_HEADER = 30
_HOSTILE_NAME = re.compile(r"^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|[\x00-\x1f]")


class MemberError(ValueError):
    """One member cannot be read; the text says why."""


class Archive:
    """An archive that is open for reading; refused members are counted as malformed and named.

    Raises:
        SourceError: it is no archive that can be read.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        losses: Losses,
        members: dict[str, zipfile.ZipInfo] | None = None,
    ) -> None:
        """Open an archive; `members`: as another reader of the same file found them."""
        self._file: BinaryIO = path.open("rb")
        if members is not None:
            self.members = members
            return
        self._size = path.stat().st_size
        try:
            found = self._found(losses)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            self._file.close()
            raise SourceError(f"{name}: no readable archive; {error}") from error
        if len(found) > MOST_MEMBERS:
            self._file.close()
            raise SourceError(f"{name}: {len(found)} members; at most {MOST_MEMBERS}")
        self.members = {}
        """Usable members by name, in the order of the archive."""
        for info, why in _judged(found, self._size):
            if why is None:
                # A name that occurs twice was written again: the last is the present one.
                self.members[info.filename] = info
            else:
                losses.malformed("member", f"{info.filename[:100]!r} {why}")

    def _found(self, losses: Losses) -> list[zipfile.ZipInfo]:
        """Return all members; of an archive that was cut those that its beginning holds whole.

        Raises:
            zipfile.BadZipFile: there are none.
        """
        try:
            with zipfile.ZipFile(self._file) as archive:
                return archive.infolist()
        except zipfile.BadZipFile as error:
            found, cut = local_members(self._file, MOST_MEMBERS)
            if not found:
                raise
            told = f"{error}: the file is cut; {len(found)} members were found from its beginning"
            losses.truncated("archive", told)
            if cut:
                losses.truncated("member", f"{cut[:100]!r} is cut")
            return found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def read(self, name: str) -> bytes:
        """Return the content of a member.

        Raises:
            MemberError: there is none, or it is broken; the sum is checked.
        """
        info = self.members.get(name)
        if info is None:
            raise MemberError(f"no member {name!r}")
        try:
            content = self._unpacked(self._raw(info), info)
        except (zlib.error, OSError, EOFError) as error:
            raise MemberError(f"broken; {error}") from error
        if len(content) != info.file_size:
            raise MemberError(f"broken; got {len(content)} bytes; {info.file_size} were declared")
        if zlib.crc32(content) != info.CRC:
            raise MemberError("broken; its checksum differs")
        return content

    def _raw(self, info: zipfile.ZipInfo) -> bytes:
        fd, start = self._file.fileno(), info.header_offset
        head = os.pread(fd, _LOCAL_HEADER, start)
        if len(head) != _LOCAL_HEADER or head[:4] != b"PK\x03\x04":
            raise MemberError("broken; no header where one was declared")
        names = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        return os.pread(fd, info.compress_size, start + _LOCAL_HEADER + names)

    def _unpacked(self, raw: bytes, info: zipfile.ZipInfo) -> bytes:
        """Return the content, at most one byte more than was declared."""
        if info.compress_type == zipfile.ZIP_STORED:
            return raw
        if info.compress_type == zipfile.ZIP_DEFLATED:
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(raw, info.file_size + 1)
        import zstandard

        try:
            reader = self._zstd.stream_reader(raw, read_across_frames=True)
            return reader.read(info.file_size + 1)
        except zstandard.ZstdError as error:
            raise MemberError(f"broken; {error}") from error

    @cached_property
    def _zstd(self) -> "ZstdDecompressor":
        """What unpacks all members: making one takes a third of the time of a member."""
        import zstandard

        return zstandard.ZstdDecompressor(max_window_size=_WINDOW_BYTES)


def _judged(
    found: list[zipfile.ZipInfo], size: int
) -> Iterator[tuple[zipfile.ZipInfo, str | None]]:
    """Yield each member with the reason why it is refused, None: it is not."""
    refused: dict[int, str] = {}
    before = 0
    for info in sorted(found, key=lambda one: one.header_offset):
        end = info.header_offset + _LOCAL_HEADER + info.compress_size
        if end > size:
            refused[id(info)] = "is cut; it ends behind the end of the file"
            continue
        if info.header_offset < before:
            # Members that share bytes are how a small file unpacks to petabytes.
            refused[id(info)] = "shares bytes with another; refused"
        before = max(before, end)
    for info in found:
        if not info.is_dir():
            yield info, refused.get(id(info)) or _refusal(info)


def _refusal(info: zipfile.ZipInfo) -> str | None:
    why = None
    if _HOSTILE_NAME.search(info.filename):
        why = "leads out of the archive; refused"
    elif stat.S_ISLNK(info.external_attr >> 16):
        why = "is a link; refused"
    elif info.flag_bits & 1:
        why = "is encrypted; it cannot be read"
    elif info.compress_type not in _METHODS:
        why = f"is packed by method {info.compress_type}; stored, deflate and zstd are read"
    elif info.file_size > MEMBER_BYTES:
        why = f"declares {info.file_size} bytes; at most {MEMBER_BYTES}"
    elif info.file_size > max(FREE_BYTES, MOST_RATIO * info.compress_size):
        why = f"unpacks {info.compress_size} bytes to {info.file_size}; refused as a bomb"
    return why
