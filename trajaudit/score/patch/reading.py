"""Reads a patch as a careful person does: prose, fences and wrong counts do not hide a change.

What had to be overlooked is named. Nothing is applied here.
"""

import re
from dataclasses import dataclass, field

from trajaudit.score.patch.sections import (
    Hunk,
    Line,
    Section,
    git_names,
    hunk_numbers,
    path_of,
)

EOL = "eol"
FINAL_NEWLINE = "final_newline"
HUNK_COUNTS = "hunk_counts"
HUNK_HEADER = "hunk_header"
PROSE = "prose"
FENCE = "fence"
INDENT = "indent"

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HEADER = re.compile(rb"(?:diff --git |--- |\+\+\+ |@@ )")
_MODE = re.compile(rb"(old mode|new mode|deleted file mode|new file mode) (\d+)$")
_MOVE = re.compile(rb"(rename|copy) (from|to) (.+)$", re.DOTALL)
_IGNORED = re.compile(rb"(?:index |similarity index |dissimilarity index |Index: |={20,})")
_STUB = re.compile(rb"Binary files .* differ$", re.DOTALL)
_SIGNATURE = re.compile(rb"-- ?$")


@dataclass
class Patch:
    """What a text says, and what had to be overlooked to read it."""

    sections: list[Section] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)


def read_patch(text: bytes) -> Patch:
    """Read every section of a patch."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: bytes) -> None:
        self._patch = Patch()
        self._lines = self._unwrapped(text)
        self._at = 0
        self._section: Section | None = None

    def read(self) -> Patch:
        while self._at < len(self._lines):
            self._step(self._lines[self._at])
        self._patch.sections = [one for one in self._patch.sections if not one.is_empty]
        return self._patch

    def _unwrapped(self, text: bytes) -> list[bytes]:
        """Undo what transport did to all lines alike."""
        if text.startswith(_BYTE_ORDER_MARK):
            text = text.removeprefix(_BYTE_ORDER_MARK)
            self._note(PROSE)
        lines = text.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        elif _is_body(lines[-1]):
            self._note(FINAL_NEWLINE)
        indent = _common_indent(lines)
        if indent:
            lines = [line[indent:] for line in lines]
            self._note(INDENT)
        heads = [line for line in lines if _HEADER.match(line)]
        if heads and all(line.endswith(b"\r") for line in heads):
            lines = [line.removesuffix(b"\r") for line in lines]
            self._note(EOL)
        return lines

    def _step(self, line: bytes) -> None:
        if line.startswith(b"diff --git "):
            self._open(Section(git_names=git_names(line[len(b"diff --git ") :])))
            self._at += 1
        elif self._is_pair(self._at):
            self._names(line)
        elif line.startswith(b"@@") and self._section is not None:
            self._hunk(self._section, line)
        elif line == b"GIT binary patch" and self._section is not None:
            self._binary(self._section)
        else:
            self._extended(line)
            self._at += 1

    def _open(self, section: Section) -> None:
        self._section = section
        self._patch.sections.append(section)

    def _is_pair(self, at: int) -> bool:
        return (
            at + 1 < len(self._lines)
            and self._lines[at].startswith(b"--- ")
            and self._lines[at + 1].startswith(b"+++ ")
        )

    def _names(self, line: bytes) -> None:
        section = self._section
        if section is None or section.git_names is None or section.hunks or section.old:
            section = Section()
            self._open(section)
        section.old = path_of(line[4:].rstrip(b"\r"))
        section.new = path_of(self._lines[self._at + 1][4:].rstrip(b"\r"))
        self._at += 2

    def _extended(self, line: bytes) -> None:
        section = self._section
        if section is not None and not section.hunks:
            if found := _MODE.match(line):
                _set_mode(section, found[1], int(found[2], 8))
                return
            if found := _MOVE.match(line):
                _set_move(section, found[1] == b"copy", found[2] == b"from", path_of(found[3]))
                return
            if _STUB.match(line):
                section.stub = True
                return
        if line.startswith(b"```"):
            self._note(FENCE)
        elif line.strip() and not _IGNORED.match(line):
            self._note(PROSE)

    def _binary(self, section: Section) -> None:
        end = self._at + 1
        while end < len(self._lines) and not self._lines[end].startswith(b"diff --git "):
            end += 1
        section.binary = self._lines[self._at + 1 : end]
        self._at = end

    def _hunk(self, section: Section, header: bytes) -> None:
        numbers = hunk_numbers(header)
        self._at += 1
        if numbers is None:
            self._note(HUNK_HEADER)
            self._add(section, None, self._by_structure(), 0)
            return
        start, old, new = numbers
        end = self._by_counts(old, new)
        if end is not None:
            lines = self._lines[self._at : end]
            self._at = end
            self._add(section, start, lines, 0)
            return
        lines = self._by_structure()
        lacking_old = old - sum(line[:1] != b"+" for line in lines if line[:1] != b"\\")
        lacking_new = new - sum(line[:1] != b"-" for line in lines if line[:1] != b"\\")
        at_end = lacking_old == lacking_new > 0
        if not at_end:
            self._note(HUNK_COUNTS)
        self._add(section, start, lines, lacking_old if at_end else 0)

    def _add(self, section: Section, start: int | None, raw: list[bytes], missing: int) -> None:
        lines: list[Line] = []
        for line in raw:
            if line.startswith(b"\\"):
                if lines:
                    lines[-1] = Line(lines[-1].sign, lines[-1].text.removesuffix(b"\n"))
                continue
            sign = line[:1].decode("ascii", "replace") if line.strip(b"\r") else " "
            lines.append(Line(sign, (line[1:] if line.strip(b"\r") else line) + b"\n"))
        section.hunks.append(Hunk(start, tuple(lines), missing))

    def _by_counts(self, old: int, new: int) -> int | None:
        """Return where the hunk ends when its counts are right, else None."""
        at = self._at
        while old > 0 or new > 0:
            if at >= len(self._lines) or not _is_body(self._lines[at]):
                return None
            sign = self._lines[at][:1]
            old -= sign not in {b"+", b"\\"}
            new -= sign not in {b"-", b"\\"}
            at += 1
        if old < 0 or new < 0:
            return None
        if at < len(self._lines) and self._lines[at].startswith(b"\\"):
            at += 1
        return None if self._goes_on(at) else at

    def _goes_on(self, at: int) -> bool:
        """Whether a line that belongs to a hunk follows at once."""
        if at >= len(self._lines) or self._is_pair(at) or _SIGNATURE.match(self._lines[at]):
            return False
        return self._lines[at][:1] in {b" ", b"+", b"-"}

    def _by_structure(self) -> list[bytes]:
        """Take lines until something that cannot belong to a hunk."""
        begin = self._at
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not _is_body(line) or self._is_pair(self._at) or _SIGNATURE.match(line):
                break
            self._at += 1
        end = self._at
        while end > begin and not self._lines[end - 1].strip(b"\r"):
            end -= 1
        return self._lines[begin:end]

    def _note(self, repair: str) -> None:
        if repair not in self._patch.repairs:
            self._patch.repairs.append(repair)


def _is_body(line: bytes) -> bool:
    return not line.strip(b"\r") or line[:1] in {b" ", b"+", b"-", b"\\"}


def _common_indent(lines: list[bytes]) -> int:
    """Return by how many blanks the whole patch is indented, as in a list or a quoted block."""
    heads = [line for line in lines if _HEADER.match(line.lstrip(b" "))]
    if not heads or any(_HEADER.match(line) for line in heads):
        return 0
    indent = min(len(line) - len(line.lstrip(b" ")) for line in heads)
    inside = lines[lines.index(heads[0]) :]
    return indent if all(line[:indent].strip() == b"" for line in inside) else 0


def _set_mode(section: Section, what: bytes, mode: int) -> None:
    section.created = section.created or what == b"new file mode"
    section.deleted = section.deleted or what == b"deleted file mode"
    if what in {b"new mode", b"new file mode"}:
        section.mode = mode


def _set_move(section: Section, copied: bool, is_source: bool, path: str) -> None:
    section.renamed = True
    section.copied = copied
    names = section.git_names or ("", "")
    section.git_names = (f"a/{path}", names[1]) if is_source else (names[0], f"b/{path}")
