"""Finds the members of a ZIP archive that was cut, and so lost the directory at its end."""

import mmap
import struct
import zipfile
from typing import BinaryIO

_LOCAL, _DESCRIPTOR = b"PK\x03\x04", b"PK\x07\x08"
_HEAD = struct.Struct("<4sHHHHHIIIHH")
_ZIP64 = 1
"""Id of the extra field that holds sizes of 64 bits."""
_LATER = 8
"""Flag: sizes and checksum follow the content."""
_UTF8 = 0x800
_UNSET = 0xFFFFFFFF


def local_members(file: BinaryIO, most: int) -> tuple[list[zipfile.ZipInfo], str]:
    """Return the members that are whole, by the header before each, and the name of the one at
    which the file is cut, as far as it is there; empty: it is cut between two.

    Source of the layout: APPNOTE.TXT of PKWARE, 4.3.7 and 4.3.9.

    Args:
        file: open for reading; its position is not kept.
        most: further members are not looked for.
    """
    found: list[zipfile.ZipInfo] = []
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = 0
        while len(found) <= most and data[at : at + 4] == _LOCAL:
            info, start = _member(data, at)
            end = None if info is None else _end(data, info, start)
            if info is None or end is None:
                return found, "" if info is None else info.filename
            found.append(info)
            at = end
    return found, ""


def _member(data: mmap.mmap, at: int) -> tuple[zipfile.ZipInfo | None, int]:
    """Return what a header says, and where the content begins; None: the header itself is cut."""
    if at + _HEAD.size > len(data):
        return None, at
    (_, _, flags, method, _, _, crc, packed, size, name, extra) = _HEAD.unpack_from(data, at)
    start = at + _HEAD.size + name + extra
    if start > len(data):
        return None, at
    raw = data[at + _HEAD.size : at + _HEAD.size + name]
    info = zipfile.ZipInfo(raw.decode("utf-8" if flags & _UTF8 else "cp437", "replace") or "?")
    info.header_offset, info.flag_bits, info.compress_type, info.CRC = at, flags, method, crc
    info.file_size, info.compress_size = size, packed
    if _UNSET in (size, packed):
        _take_zip64(info, data[start - extra : start])
    return info, start


def _take_zip64(info: zipfile.ZipInfo, extra: bytes) -> None:
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == _ZIP64 and length >= 16 and len(extra) >= 20:
            info.file_size, info.compress_size = struct.unpack_from("<QQ", extra, 4)
            return
        extra = extra[4 + length :]


def _end(data: mmap.mmap, info: zipfile.ZipInfo, start: int) -> int | None:
    """Return where the next member begins, with the sizes filled in; None: this one is cut."""
    if info.flag_bits & _LATER and not info.compress_size:
        return _described(data, info, start)
    end = start + info.compress_size
    if end > len(data):
        return None
    if not info.flag_bits & _LATER:
        return end
    return _described(data, info, start, at=end)


def _described(
    data: mmap.mmap, info: zipfile.ZipInfo, start: int, at: int | None = None
) -> int | None:
    """Find the sizes behind the content: the first place that tells its own distance."""
    place = data.find(_DESCRIPTOR, start if at is None else at)
    while place >= 0:
        for layout in ("<III", "<IQQ"):
            length = struct.calcsize(layout)
            told = data[place + 4 : place + 4 + length]
            if len(told) == length:
                crc, packed, size = struct.unpack(layout, told)
                if packed == place - start:
                    info.CRC, info.compress_size, info.file_size = crc, packed, size
                    return place + 4 + length
        place = data.find(_DESCRIPTOR, place + 1)
    return None
