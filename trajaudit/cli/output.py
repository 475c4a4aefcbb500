"""What goes to the terminal: news on stderr, results on stdout."""

import sys
from typing import Any


def say(line: str) -> None:
    """Print a line of news; control characters from outside do nothing."""
    clean = "".join(c if c.isprintable() else " " for c in line)
    print(clean, file=sys.stderr, flush=True)  # noqa: T201 (one of the two places)


def emit(value: Any) -> None:
    """Print a result as JSON for machines."""
    import orjson

    sys.stdout.buffer.write(orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")
    sys.stdout.buffer.flush()


def out(line: str = "") -> None:
    """Print a line of a result for people."""
    clean = "".join(c if c.isprintable() or c == "\t" else " " for c in line)
    print(clean)  # noqa: T201 (one of the two places)
