"""What kind of text does the name of an argument announce? Asked where the schema is silent."""

import re

from trajaudit.score.schema_view import SchemaView
from trajaudit.score.tool_name import words_of

_PATHS = frozenset(
    {
        *("path", "paths", "file", "files", "filename", "filenames", "filepath", "dir"),
        *("directory", "folder", "cwd", "workdir"),
    }
)
_IDENTIFIERS = _PATHS | frozenset(
    {
        *("id", "ids", "key", "keys", "token", "code", "codes", "url", "urls", "uri", "sku"),
        *("ref", "hash", "sha", "commit", "branch", "password", "secret", "username", "login"),
        *("command", "cmd", "script", "sql", "regex", "pattern", "expression", "formula"),
        *("handle", "slug", "checksum", "signature"),
    }
)
"""Words in an argument's name after which capitals always matter."""
_OF_FILES = frozenset(
    {
        *("content", "contents", "text", "data", "body", "line", "lines", "str", "string"),
        *("replacement", "old", "new", "insert", "append", "patch", "diff"),
    }
)
"""Words for what stands in a file, in tools that take the path of one."""
_UNITS = frozenset({"unit", "units"})
_UNIT_WORD = re.compile(r"[A-Za-z]?[a-z]{4,}|[A-Z]{5,}")
"""The name of a unit, unlike its symbol: celsius, but neither mW nor MW."""


def is_identifier(name: str) -> bool:
    """Whether capitals and blanks are part of what the argument says."""
    return not _IDENTIFIERS.isdisjoint(_words(name))


def is_path(name: str) -> bool:
    """Whether the argument is the path of a file or directory."""
    return not _PATHS.isdisjoint(_words(name))


def is_symbol(name: str, text: str) -> bool:
    """Whether a text is the symbol of a unit, in which capitals tell Mb from MB."""
    return not _UNITS.isdisjoint(_words(name)) and _UNIT_WORD.fullmatch(text) is None


def is_of_file(name: str, view: SchemaView) -> bool:
    """Whether the argument is what a file says, to the letter: its tool needs a path beside it."""
    if _OF_FILES.isdisjoint(_words(name)):
        return False
    root = view.of_root
    return any(map(is_path, root.required or root.properties))


def same_path(path: str) -> str:
    """Leave out of a path what leads nowhere: `./`, a slash written twice or at the end.

    A slash at the end of what looks like a file, and a leading one, are not left out: they say
    something. Neither is `..`, which links can lead elsewhere.
    """
    if "://" in path or "\\" in path or path.startswith("//"):
        return path
    parts = path.split("/")
    kept = [part for part in parts[1:] if part not in {"", "."}]
    kept = kept if parts[0] == "." and kept else [parts[0], *kept]
    plain = "/".join(kept) or "/"
    return plain + "/" if path.endswith("/") and "." in kept[-1].lstrip(".") else plain


def _words(name: str) -> list[str]:
    return words_of(name).split("_")
