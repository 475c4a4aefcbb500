"""Foreign archives: hostile members are refused by name, broken ones found by their sum."""

import stat
import struct
import zipfile
from pathlib import Path

import pytest

from tests.record.importers import inspect_logs as logs
from trajaudit.record.importers.archive import FREE_BYTES, Archive, MemberError
from trajaudit.record.importers.base import SourceError
from trajaudit.record.importers.losses import Losses


def _zip(path: Path, members: dict[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def _opened(path: Path) -> tuple[Archive, list[str]]:
    losses = Losses()
    archive = Archive(path, path.name, losses)
    return archive, [one.example for one in losses.report()]


@pytest.mark.parametrize(
    "name", ["../out.json", "/etc/passwd", "a/../../b", "C:\\x", "..\\x", "a\nb.json"]
)
def test_names_that_lead_out_are_refused_and_the_rest_is_read(tmp_path: Path, name: str) -> None:
    path = _zip(tmp_path / "a.zip", {name: b"bad", "good.json": b"fine"})

    archive, refused = _opened(path)

    with archive:
        assert list(archive.members) == ["good.json"]
        assert archive.read("good.json") == b"fine"
        with pytest.raises(MemberError, match="no member"):
            archive.read(name)
    assert len(refused) == 1


def test_links_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16

    archive, refused = _opened(_zip(tmp_path / "a.zip", {link: b"/etc/passwd"}))

    with archive:
        assert archive.members == {}
    assert "is a link" in refused[0]


def test_a_bomb_is_refused_by_what_it_declares(tmp_path: Path) -> None:
    archive, refused = _opened(_zip(tmp_path / "a.zip", {"bomb": b"\0" * (FREE_BYTES + 1)}))

    with archive:
        assert archive.members == {}
    assert "bomb" in refused[0]


def test_a_member_that_unpacks_to_more_than_it_declares_is_not_unpacked(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"one": b"\0" * 100_000})
    raw = path.read_bytes()
    path.write_bytes(raw.replace(struct.pack("<I", 100_000), struct.pack("<I", 10)))

    archive, _ = _opened(path)

    with archive, pytest.raises(MemberError, match="10 were declared"):
        archive.read("one")


def test_members_that_share_bytes_are_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"one": b"x" * 500, "two": b"y" * 500})
    raw = bytearray(path.read_bytes())
    second = raw.rfind(b"PK\x01\x02")
    raw[second + 42 : second + 46] = struct.pack("<I", 0)
    path.write_bytes(bytes(raw))

    archive, refused = _opened(path)

    with archive:
        assert list(archive.members) == ["one"]
    assert "shares bytes" in refused[0]


def test_a_flipped_byte_is_found_by_the_sum(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as plain:
        plain.writestr("one", b"hello world")
    path.write_bytes(path.read_bytes().replace(b"hello", b"jello", 1))

    archive, _ = _opened(path)

    with archive, pytest.raises(MemberError, match="checksum"):
        archive.read("one")


def test_a_size_beyond_the_file_allocates_nothing(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"one": b"x" * 500})
    raw = bytearray(path.read_bytes())
    entry = raw.rfind(b"PK\x01\x02")
    raw[entry + 20 : entry + 24] = struct.pack("<I", 0xFFFFFFF0)
    path.write_bytes(bytes(raw))

    archive, refused = _opened(path)

    with archive:
        assert archive.members == {}
    assert "is cut" in refused[0]


def test_what_is_no_archive_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(b"PK\x03\x04 and nothing else")

    with pytest.raises(SourceError, match="no readable archive"):
        Archive(path, path.name, Losses())


def test_a_broken_member_spoils_none_that_is_unpacked_after_it(tmp_path: Path) -> None:
    long = b"".join(b"%d " % number for number in range(50_000))
    path = logs.write(tmp_path / "a.eval", {"one": long, "two": b"fine"}, logs.ZSTD)
    raw = path.read_bytes()
    path.write_bytes(raw.replace(struct.pack("<I", len(long)), struct.pack("<I", 10)))

    archive, _ = _opened(path)

    with archive:
        for _ in range(2):
            with pytest.raises(MemberError, match="10 were declared"):
                archive.read("one")
            assert archive.read("two") == b"fine"
