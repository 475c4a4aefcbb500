"""Source archives are read in every usual form; hostile ones are refused before they are used."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from trajaudit.record import source_archive
from trajaudit.record.source_archive import read_archive
from trajaudit.record.source_tree import SourceError, SourceFile

FILES = {
    "p-1/setup.py": b"x = 1\r\n",
    "p-1/src/p/__init__.py": b"\xff\x00",
    "p-1/run": b"#!/bin/sh\n",
}
TREE = {
    "setup.py": SourceFile(b"x = 1\r\n"),
    "src/p/__init__.py": SourceFile(b"\xff\x00"),
    "run": SourceFile(b"#!/bin/sh\n", executable=True),
    "link": SourceFile(b"src/p", link=True),
}


def tar(*members: tarfile.TarInfo, **contents: bytes) -> bytes:
    """Return a tar archive of files and of other members."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in contents.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(content), 0o755 if content.startswith(b"#!") else 0o644
            archive.addfile(info, io.BytesIO(content))
        for member in members:
            archive.addfile(member)
    return stream.getvalue()


def member(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def zipped(**contents: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            info = zipfile.ZipInfo(name)
            kind = stat.S_IFLNK if name.endswith("link") else stat.S_IFREG
            info.external_attr = (kind | (0o755 if content.startswith(b"#!") else 0o644)) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return stream.getvalue()


LINKED = tar(member("p-1/link", tarfile.SYMTYPE, "src/p"), **FILES)


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(LINKED), bz2.compress(LINKED), lzma.compress(LINKED), LINKED,
        zipped(**FILES, **{"p-1/link": b"src/p"}),
    ],
    ids=["gz", "bz2", "xz", "tar", "zip"],
)  # fmt: skip
def test_an_archive_is_read_without_its_top_folder(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "p-1.archive").write_bytes(content)

    assert read_archive(tmp_path / "p-1.archive") == TREE


def test_what_git_keeps_of_itself_is_left_out_and_hard_links_are_files(tmp_path: Path) -> None:
    hard = member("p/b", tarfile.LNKTYPE, "p/a")
    content = tar(hard, **{"p/a": b"x", "p/.git/config": b"[core]", "p/sub/.GIT/hooks/x": b"#!"})
    (tmp_path / "a.tar").write_bytes(content)

    assert read_archive(tmp_path / "a.tar") == {"a": SourceFile(b"x"), "b": SourceFile(b"x")}


HOSTILE: dict[str, tuple[bytes, str]] = {
    "dots": (tar(**{"p/../../etc/x": b""}), "leads out"),
    "absolute": (tar(**{"/etc/x": b"", "p": b""}), "leads out"),
    "zip dots": (zipped(**{"../x": b""}), "leads out"),
    "backslash": (tar(**{"p\\..\\x": b""}), "leads out"),
    "link out": (tar(member("p/l", tarfile.SYMTYPE, "../../etc"), **{"p/a": b""}), "link leads"),
    "absolute link": (tar(member("l", tarfile.SYMTYPE, "/etc/passwd")), "link leads out"),
    "zip link out": (zipped(**{"a": b"", "b/link": b"../../x"}), "link leads out"),
    "below a link": (
        tar(member("p/l", tarfile.SYMTYPE, "."), **{"p/l/x": b"", "p/a": b""}), "at once",
    ),
    "device": (tar(member("p/d", tarfile.CHRTYPE), **{"p/a": b""}), "neither file nor link"),
    "hard link out": (tar(member("p/h", tarfile.LNKTYPE, "/etc/passwd")), "neither file nor link"),
    "no archive": (b"hello", "cannot be read"),
    "cut": (gzip.compress(LINKED)[:60], "cannot be read"),
    "empty": (tar(), "no file"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused(tmp_path: Path, name: str) -> None:
    content, said = HOSTILE[name]
    (tmp_path / "a").write_bytes(content)

    with pytest.raises(SourceError, match=said):
        read_archive(tmp_path / "a")


def test_every_fault_is_named_at_once(tmp_path: Path) -> None:
    content = tar(
        member("l", tarfile.SYMTYPE, "/x"), member("d", tarfile.FIFOTYPE), **{"../a": b""}
    )
    (tmp_path / "a").write_bytes(content)

    with pytest.raises(SourceError) as caught:
        read_archive(tmp_path / "a")

    assert len(caught.value.faults) == 3


@pytest.mark.parametrize(
    "pack", [lambda data: gzip.compress(tar(a=data)), lambda data: zipped(a=data)]
)
def test_a_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(source_archive, "MOST_BYTES", 1_000_000)
    (tmp_path / "a").write_bytes(pack(bytes(3_000_000)))
    assert (tmp_path / "a").stat().st_size < 10_000

    with pytest.raises(SourceError, match="more than 1000000 bytes"):
        read_archive(tmp_path / "a")


def test_a_header_that_claims_more_than_there_may_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_archive, "MOST_BYTES", 1_000_000)
    monkeypatch.setattr(source_archive, "MOST_FILES", 10)
    long_name = tarfile.TarInfo("a" * 2_000_000)
    packed = gzip.compress(long_name.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    (tmp_path / "a").write_bytes(packed)

    with pytest.raises(SourceError, match="more than"):
        read_archive(tmp_path / "a")


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_archive, "MOST_FILES", 2)
    (tmp_path / "a").write_bytes(tar(a=b"", b=b"", c=b""))

    with pytest.raises(SourceError, match="more than 2 files"):
        read_archive(tmp_path / "a")
