"""The parts of a patch: sections (one file each), hunks, lines. Bytes throughout."""

import re
from dataclasses import dataclass, field

DEVNULL = "/dev/null"
_NUMBERS = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPES = {
    "a": b"\a", "b": b"\b", "f": b"\f", "n": b"\n", "r": b"\r", "t": b"\t", "v": b"\v",
    '"': b'"', "\\": b"\\",
}  # fmt: skip
_SLASHES = re.compile(r"/(?:\.?/)+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True)
class Line:
    """One line of a hunk."""

    sign: str
    """` ` context, `-` removed, `+` added."""
    text: bytes
    """With its line feed, unless the file ends without one."""


@dataclass(frozen=True)
class Hunk:
    """One change with its surroundings."""

    start: int | None
    """Line of the old file, counted from 1; None: the header has no numbers."""
    lines: tuple[Line, ...]
    missing: int = 0
    """Lines that the header counts on both sides and that the end of the patch lacks."""

    @property
    def old(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.sign != "+")

    @property
    def new(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.sign != "-")


@dataclass
class Section:
    """What a patch does to one file. Paths as written, prefix included."""

    old: str | None = None
    """None when the patch says that there was no file."""
    new: str | None = None
    git_names: tuple[str, str] | None = None
    """The two names of a `diff --git` line."""
    hunks: list[Hunk] = field(default_factory=list)
    renamed: bool = False
    """`rename from` or `copy from`: names without a prefix."""
    copied: bool = False
    created: bool = False
    deleted: bool = False
    mode: int | None = None
    """File mode after the change."""
    stub: bool = False
    """`Binary files differ`: a binary change without its data."""
    binary: list[bytes] | None = None
    """Lines of a `GIT binary patch`."""

    @property
    def creates(self) -> bool:
        return self.created or self.old == DEVNULL

    @property
    def deletes(self) -> bool:
        return self.deleted or self.new == DEVNULL

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing: a header without a change."""
        says = self.hunks or self.renamed or self.stub or self.binary or self.mode
        return not (says or self.created or self.deleted)


def hunk_numbers(line: bytes) -> tuple[int, int, int] | None:
    """Return (old start, old count, new count) of a hunk's header; None when it has no numbers."""
    found = _NUMBERS.match(line)
    if found is None:
        return None
    start, old, _, new = found.groups()
    return int(start), 1 if old is None else int(old), 1 if new is None else int(new)


def path_of(text: bytes) -> str:
    """Return the path of a header line: without its timestamp, unquoted, as git quotes names.

    Slashes that follow each other are one, as they are to git, and `/./` is one as well.
    """
    line = text.decode("utf-8", "surrogateescape")
    quoted = _QUOTED.match(line)
    path = unquoted(quoted[1]) if quoted else line.split("\t")[0].rstrip(" ")
    return _SLASHES.sub("/", path)


def unquoted(text: str) -> str:
    """Undo the C-style quoting of git (core.quotePath)."""
    raw = bytearray()
    rest = text
    while rest:
        if rest[0] != "\\":
            raw += rest[0].encode("utf-8", "surrogateescape")
            rest = rest[1:]
        elif octal := re.match(r"\\([0-3][0-7]{2})", rest):
            raw.append(int(octal[1], 8))
            rest = rest[4:]
        else:
            raw += _ESCAPES.get(rest[1:2], rest[1:2].encode())
            rest = rest[2:]
    return raw.decode("utf-8", "surrogateescape")


def git_names(text: bytes) -> tuple[str, str] | None:
    """Return the two names after `diff --git`; None when they cannot be told apart."""
    line = _SLASHES.sub("/", text.decode("utf-8", "surrogateescape"))
    quoted = list(_QUOTED.finditer(line))
    if len(quoted) == 2:
        return unquoted(quoted[0][1]), unquoted(quoted[1][1])
    half, odd = divmod(len(line), 2)
    first, second = line[:half], line[half + 1 :]
    if odd and line[half] == " " and first.partition("/")[2] == second.partition("/")[2]:
        return first, second
    words = line.split(" ")
    return (words[0], words[1]) if len(words) == 2 else None
