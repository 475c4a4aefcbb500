"""What does a YAML file say, and on which line does it say it?

Deliberate: scalars are read as YAML 1.2 reads them (`NO`, `yes`, `12:30:00`, `010` and dates are
text; only `true` and `false` are booleans), numbers keep the digits that were written, and no tag
constructs an object. Depth, size and the expansion of aliases are limited.
"""

import re
import stat
from pathlib import Path

import yaml

from trajaudit.errors import ScenarioError
from trajaudit.record.yaml_nodes import Node, NodeBuilder

MAX_BYTES = 10_000_000

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_limited(path: Path, shown: str, *, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the bytes of a regular file of at most `max_bytes`; ScenarioError otherwise."""
    try:
        info = path.stat()
        if stat.S_ISDIR(info.st_mode):
            raise ScenarioError([f"{shown}:1: is a directory; a file is wanted"])
        if not stat.S_ISREG(info.st_mode):
            raise ScenarioError([f"{shown}:1: is no regular file; a file is wanted"])
        if info.st_size > max_bytes:
            raise ScenarioError([_too_large(shown, f"{info.st_size}", max_bytes)])
        with path.open("rb") as stream:
            content = stream.read(max_bytes + 1)
    except FileNotFoundError:
        raise ScenarioError([f"{shown}:1: there is no such file"]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ScenarioError([f"{shown}:1: cannot be read; {reason.lower()}"]) from error
    if len(content) > max_bytes:
        raise ScenarioError([_too_large(shown, f"more than {max_bytes}", max_bytes)])
    return content


def _too_large(shown: str, got: str, limit: int) -> str:
    return f"{shown}:1: the file is too large; got {got} bytes; at most {limit} are read"


def decode(content: bytes, shown: str) -> str:
    """Return the text of UTF-8 bytes; ScenarioError with the line of the first bad byte."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        got = f"byte 0x{content[error.start]:02x}" if error.start < len(content) else "the end"
        raise ScenarioError(
            [f"{shown}:{line}: is no text; got {got}; a file in UTF-8 is wanted"]
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ScenarioError([f"{shown}:{line}: is no text; got a NUL byte; a text file is wanted"])
    return text


def parse_yaml(text: str, shown: str) -> Node:
    """Return the single document of a YAML text with the place of every value.

    Raises:
        ScenarioError: broken syntax, an empty file, or one of the limits; `path:line:` each.
    """
    builder = NodeBuilder(shown)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        builder.faults.append(_syntax_fault(shown, text, error))
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        line = _control_line(text)
        builder.faults.append(f"{shown}:{line}: broken YAML; {str(error).splitlines()[0]}")
    if builder.faults:
        raise ScenarioError(builder.faults)
    if builder.root is None:
        raise ScenarioError([f"{shown}:1: the file is empty; a mapping is wanted"])
    return builder.root


def _control_line(text: str) -> int:
    bad = re.search(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    return text.count("\n", 0, bad.start()) + 1 if bad else 1


def _syntax_fault(shown: str, text: str, error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    lines = text.splitlines()
    written = lines[line - 1] if line <= len(lines) else ""
    if mark and written[mark.column : mark.column + 1] == "\t":
        return f"{shown}:{line}: broken YAML; got a tab as indentation; use spaces"
    context = f" {error.context}" if error.context else ""
    return f"{shown}:{line}: broken YAML; {error.problem}{context}"
