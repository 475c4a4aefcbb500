"""Reads the data of a `GIT binary patch`: literal content, deflated, in git's base 85."""

import base64
import re
import zlib

from trajaudit.score.patch.placing import PlacingError

MOST_BYTES = 50_000_000
_LITERAL = re.compile(rb"literal (\d+)$")
_UPPER = 26


def literal(lines: list[bytes]) -> bytes:
    """Return the new content.

    Raises:
        PlacingError: the data is damaged, too large, or a difference to other bytes (`delta`).
    """
    header = _LITERAL.match(lines[0]) if lines else None
    if header is None or int(header[1]) > MOST_BYTES:
        raise PlacingError("binary data that is no whole content cannot be applied leniently")
    try:
        packed = b"".join(_decoded(line) for line in _block(lines[1:]))
        content = zlib.decompressobj().decompress(packed, MOST_BYTES)
    except (ValueError, zlib.error, IndexError) as e:
        raise PlacingError("binary data is damaged") from e
    if len(content) != int(header[1]):
        raise PlacingError("binary data is damaged")
    return content


def _block(lines: list[bytes]) -> list[bytes]:
    return lines[: lines.index(b"")] if b"" in lines else lines


def _decoded(line: bytes) -> bytes:
    letter = chr(line[0])
    size = ord(letter) - ord("A") + 1 if letter.isupper() else ord(letter) - ord("a") + 1 + _UPPER
    return base64.b85decode(line[1:])[:size]
