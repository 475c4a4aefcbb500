"""The patch that makes one tree of files of another, as git writes patches.

Made here and not by git, so that nothing that an agent may have put into its repository (hooks,
filters, attributes, a git of its own) has a say in what the patch holds. It is plain UTF-8: what
is not, stands in it as git writes binary files.
"""

import hashlib
import zlib
from base64 import b85encode
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from trajaudit.record.repository import SourceFile

CONTEXT = 3
MOST_COMPARED = 4_000_000
"""Lines × lines; a larger change of one file is written as one hunk."""
_BINARY_CHUNK = 52
_NO_HASH = "0" * 40
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}

Opcode = tuple[str, int, int, int, int]


def difference(before: Mapping[str, SourceFile], after: Mapping[str, SourceFile]) -> bytes:
    """Return the patch; empty where both trees are equal."""
    return b"".join(
        _section(path, before.get(path), after.get(path)) for path in changed_paths(before, after)
    )


def changed_paths(before: Mapping[str, SourceFile], after: Mapping[str, SourceFile]) -> list[str]:
    """Return the paths of the files that differ, in order."""
    return sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))


def _section(path: str, old: SourceFile | None, new: SourceFile | None) -> bytes:
    lines = [f"diff --git {_name('a/', path)} {_name('b/', path)}", *_modes(old, new)]
    was, now = old.content if old else b"", new.content if new else b""
    if was == now and old is not None and new is not None:
        return _joined(lines)
    unchanged = f" {_mode(new)}" if old and new and old.executable == new.executable else ""
    lines.append(f"index {_blob(old)}..{_blob(new)}{unchanged}")
    if not (_is_text(was) and _is_text(now)):
        return _joined([*lines, "GIT binary patch", f"literal {len(now)}"]) + _binary(now)
    if was == now:
        return _joined(lines)
    lines.append(f"--- {_name('a/', path)}" if old else "--- /dev/null")
    lines.append(f"+++ {_name('b/', path)}" if new else "+++ /dev/null")
    return _joined(lines) + b"".join(_hunks(_lines(was), _lines(now)))


def _joined(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _name(side: str, path: str) -> str:
    """Return a path as git writes it: in quotes, escaped, where it is not plain."""
    raw = path.encode("utf-8", "surrogateescape")
    if not any(byte in _ESCAPES or byte < 32 or byte > 126 for byte in raw):
        return side + path
    said = "".join(
        f"\\{_ESCAPES[byte]}"
        if byte in _ESCAPES
        else (chr(byte) if 32 <= byte <= 126 else f"\\{byte:03o}")
        for byte in raw
    )
    return f'"{side}{said}"'


def _mode(file: SourceFile) -> str:
    return "100755" if file.executable else "100644"


def _modes(old: SourceFile | None, new: SourceFile | None) -> Iterator[str]:
    if old is None and new is not None:
        yield f"new file mode {_mode(new)}"
    elif new is None and old is not None:
        yield f"deleted file mode {_mode(old)}"
    elif old is not None and new is not None and old.executable != new.executable:
        yield f"old mode {_mode(old)}"
        yield f"new mode {_mode(new)}"


def _blob(file: SourceFile | None) -> str:
    """Return git's name of a content, which a binary patch has to tell whole."""
    if file is None:
        return _NO_HASH
    head = f"blob {len(file.content)}\0".encode()
    return hashlib.sha1(head + file.content, usedforsecurity=False).hexdigest()


def _is_text(content: bytes) -> bool:
    if b"\0" in content:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _binary(content: bytes) -> bytes:
    packed = zlib.compress(content)
    lines = []
    for at in range(0, len(packed), _BINARY_CHUNK):
        chunk = packed[at : at + _BINARY_CHUNK]
        length = chr(len(chunk) + (64 if len(chunk) <= 26 else 70)).encode()
        lines.append(length + b85encode(chunk, pad=True) + b"\n")
    return b"".join(lines) + b"\n"


def _lines(content: bytes) -> list[bytes]:
    lines = content.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _hunks(old: list[bytes], new: list[bytes]) -> Iterator[bytes]:
    start, end = _common(old, new)
    ahead = max(0, start - CONTEXT)
    tail = max(0, end - CONTEXT)
    a, b = old[ahead : len(old) - tail], new[ahead : len(new) - tail]
    for group in _groups(a, b, start - ahead, end - tail):
        rows = (group[0][1], group[-1][2], group[0][3], group[-1][4])
        numbers = (_range(rows[0], rows[1], ahead), _range(rows[2], rows[3], ahead))
        yield f"@@ -{numbers[0]} +{numbers[1]} @@\n".encode()
        for kind, i1, i2, j1, j2 in group:
            if kind == "equal":
                yield from (_line(b" ", line) for line in a[i1:i2])
            else:
                yield from (_line(b"-", line) for line in a[i1:i2])
                yield from (_line(b"+", line) for line in b[j1:j2])


def _groups(a: list[bytes], b: list[bytes], head: int, tail: int) -> Iterator[list[Opcode]]:
    """Return the hunks of two pieces whose first `head` and last `tail` lines are equal."""
    if len(a) * len(b) <= MOST_COMPARED:
        yield from SequenceMatcher(None, a, b).get_grouped_opcodes(CONTEXT)
        return
    i, j = len(a) - tail, len(b) - tail
    parts: list[Opcode] = [
        ("equal", 0, head, 0, head),
        ("replace", head, i, head, j),
        ("equal", i, len(a), j, len(b)),
    ]
    yield [part for part in parts if part[1] < part[2] or part[3] < part[4]]


def _common(old: list[bytes], new: list[bytes]) -> tuple[int, int]:
    """Return how many lines are equal at the start, and how many of the rest at the end."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    left = most - start
    end = next((n for n in range(left) if old[-1 - n] != new[-1 - n]), left)
    return start, end


def _range(first: int, last: int, ahead: int) -> str:
    count = last - first
    return f"{first + ahead + (1 if count else 0)},{count}"


def _line(sign: bytes, line: bytes) -> bytes:
    if line.endswith(b"\n"):
        return sign + line
    return sign + line + b"\n\\ No newline at end of file\n"
