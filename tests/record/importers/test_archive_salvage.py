"""Archives that were cut: what is whole is found, whoever wrote it."""

import io
import zipfile
from pathlib import Path

import pytest

from tests.record.importers import inspect_logs as logs
from trajaudit.record.importers.archive_salvage import local_members

NAMES = ["a.json", "b/ü.json", "c.json"]
CONTENT = {name: {"name": name, "text": "PK\x03\x04 " + "much text " * 400} for name in NAMES}


class Pipe(io.RawIOBase):
    """A stream that cannot seek: sizes are written behind the content."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]  # bytes are all it gets
        self.data += bytes(data)
        return len(data)


def _streamed(path: Path) -> Path:
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in NAMES:
            archive.writestr(name, str(CONTENT[name]))
    path.write_bytes(pipe.data)
    return path


def _large(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in NAMES:
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(str(CONTENT[name]).encode())
    return path


def _archives(folder: Path) -> list[Path]:
    return [
        logs.write(folder / "deflate.zip", CONTENT),
        logs.write(folder / "stored.zip", CONTENT, zipfile.ZIP_STORED),
        _streamed(folder / "streamed.zip"),
        _large(folder / "large.zip"),
    ]


def test_the_headers_tell_what_the_directory_tells(tmp_path: Path) -> None:
    for path in _archives(tmp_path):
        with path.open("rb") as file, zipfile.ZipFile(path) as archive:
            found, cut = local_members(file, 10)

            told = [
                (i.filename, i.header_offset, i.compress_size, i.file_size, i.CRC) for i in found
            ]
            assert told == [
                (i.filename, i.header_offset, i.compress_size, i.file_size, i.CRC)
                for i in archive.infolist()
            ], path.name
            assert cut == "", path.name


@pytest.mark.parametrize("kept", [0.4, 0.6, 0.9])
def test_what_is_cut_is_named(tmp_path: Path, kept: float) -> None:
    for path in _archives(tmp_path):
        with zipfile.ZipFile(path) as archive:
            starts = [info.header_offset for info in archive.infolist()]
            end = archive.start_dir
        length = int(end * kept)
        path.write_bytes(path.read_bytes()[:length])
        whole = sum(start <= length for start in starts) - 1

        with path.open("rb") as file:
            found, cut = local_members(file, 10)

        assert [info.filename for info in found] == NAMES[:whole], path.name
        assert cut in (NAMES[whole], ""), path.name


def test_no_more_members_are_looked_for_than_may_be(tmp_path: Path) -> None:
    with logs.write(tmp_path / "a.zip", CONTENT).open("rb") as file:
        found, _ = local_members(file, 1)

    assert len(found) == 2
