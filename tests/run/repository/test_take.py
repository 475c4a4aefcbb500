"""What an agent leaves is taken as plain files, whatever it did to git, links, names and sizes."""

import io
import tarfile
from collections.abc import Sequence

import pytest

from trajaudit.errors import SandboxError
from trajaudit.record.repository import SourceFile
from trajaudit.run.repository import take as taking
from trajaudit.run.repository.take import MOST_NAMED, Taken, take
from trajaudit.sandbox.base import ExecResult
from trajaudit.sandbox.scripted import ScriptedSandbox

BASE = {"code.py": SourceFile(b"x = 1\n"), "tests/test_code.py": SourceFile(b"y = 1\n")}
Entry = tuple[str, bytes | tarfile.TarInfo]


def member(name: str, kind: bytes, target: str = "") -> Entry:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return name, info


def tar(*entries: Entry) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", errors="surrogateescape") as archive:
        for name, what in entries:
            info = what if isinstance(what, tarfile.TarInfo) else tarfile.TarInfo(name)
            content = what if isinstance(what, bytes) else b""
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def sandbox(
    output: bytes, *, code: int = 0, truncated: bool = False, timed_out: bool = False
) -> ScriptedSandbox:
    def answer(argv: Sequence[str], stdin: bytes | None) -> ExecResult:
        return ExecResult(
            exit_code=code,
            stdout=output,
            stderr=b"tar: it is so\n",
            truncated=truncated,
            timed_out=timed_out,
        )

    return ScriptedSandbox({}, answer)


def taken(*entries: Entry, code: int = 0) -> Taken:
    return take(sandbox(tar(*entries), code=code), BASE)


UNCHANGED: tuple[Entry, ...] = tuple((f"./{path}", file.content) for path, file in BASE.items())


def test_a_change_is_a_patch() -> None:
    found = taken(("./code.py", b"x = 2\n"), UNCHANGED[1])

    assert found.files == ("code.py",)
    assert b"-x = 1\n+x = 2\n" in found.patch
    assert found.problem is None


@pytest.mark.parametrize("code", [0, 1])
def test_nothing_changed_is_an_empty_patch(code: int) -> None:
    assert taken(*UNCHANGED, code=code) == Taken()


@pytest.mark.parametrize(
    "entry",
    [
        member("./link", tarfile.SYMTYPE, "/etc/passwd"),
        member("./pipe", tarfile.FIFOTYPE),
        member("./device", tarfile.CHRTYPE),
        ("./.GIT/hooks/post-checkout", b"#!/bin/sh\n"),
        ("./sub/.git ", b"gitdir: /"),
        ("./git~1/config", b"[core]\n"),
        ("./a\\..\\b", b"x"),
        ("../outside", b"x"),
    ],
)
def test_what_git_would_refuse_or_follow_is_left_out_and_named(entry: Entry) -> None:
    found = taken(*UNCHANGED, entry)

    assert found.patch == b""
    [said] = found.left_out
    assert said.partition(":")[0] in entry[0]


def test_a_file_that_was_turned_into_a_link_is_gone() -> None:
    found = taken(UNCHANGED[0], member("./tests/test_code.py", tarfile.SYMTYPE, "/tmp/mine.py"))

    assert b"deleted file mode 100644" in found.patch
    assert found.left_out == ("tests/test_code.py: is a link",)


def test_by_products_and_files_that_were_given_are_no_change() -> None:
    entries = [
        *UNCHANGED,
        ("./__pycache__/code.cpython-311.pyc", b"\0"),
        ("./old.pyc", b"\0"),
        ("./notes.md", b"from the task\n"),
    ]

    found = take(sandbox(tar(*entries)), BASE, {"notes.md", "code.py"})

    assert found == Taken()


def test_git_and_by_products_are_not_even_copied() -> None:
    box = sandbox(tar(*UNCHANGED))

    take(box, BASE)

    assert {"--exclude=.git", "--exclude=.venv"} <= set(box.calls[0])


def test_a_tree_that_is_too_large_is_no_patch() -> None:
    found = take(sandbox(b"", truncated=True), BASE)

    assert (found.problem, found.patch) == ("too_large", b"")
    assert "64000000 bytes" in found.detail


def test_a_tree_that_cannot_be_copied_in_time_is_no_patch() -> None:
    assert take(sandbox(b"", timed_out=True, code=137), BASE).problem == "too_large"


def test_a_patch_and_a_number_of_files_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking, "MOST_PATCH", 100)
    large = taken(("./code.py", b"x" * 200))
    monkeypatch.setattr(taking, "MOST_FILES", 1)
    many = taken(*UNCHANGED)

    assert (large.problem, many.problem) == ("too_large", "too_large")
    assert large.patch == many.patch == b""


def test_names_are_told_up_to_a_number() -> None:
    found = taken(*UNCHANGED, *((f"./new{number:03}", b"") for number in range(MOST_NAMED + 5)))

    assert len(found.files) == MOST_NAMED + 1
    assert found.files[-1] == "and 5 more"


@pytest.mark.parametrize("output", [b"no archive" * 100, tar(*UNCHANGED)[:700]])
def test_what_is_no_archive_is_no_patch(output: bytes) -> None:
    assert take(sandbox(output, code=2), BASE).problem == "unreadable"


def test_a_broken_archive_is_no_patch() -> None:
    assert take(sandbox(b"\1" * 1024), BASE).problem == "unreadable"


class Gone(ScriptedSandbox):
    def __init__(self, reason: str) -> None:
        super().__init__({}, lambda _argv, _stdin: ExecResult(exit_code=0, stdout=b"", stderr=b""))
        self.reason = reason

    def exec(self, argv: Sequence[str], **options: object) -> ExecResult:
        raise SandboxError(self.reason)

    def died(self) -> str | None:
        return self.reason


def test_an_agent_that_used_up_its_memory_has_lost_its_work() -> None:
    assert take(Gone("out of memory"), BASE).problem == "lost"


def test_a_lost_engine_is_not_the_agents_doing() -> None:
    with pytest.raises(SandboxError, match="engine lost"):
        take(Gone("engine lost: no answer"), BASE)
