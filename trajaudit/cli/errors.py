"""Turns every error into one clear message and the documented exit code."""

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trajaudit import __version__
from trajaudit.errors import TrajauditError

EXIT_BUG = 1
EXIT_INTERRUPTED = 130


@contextmanager
def error_door(*, debug: bool = False) -> Iterator[None]:
    """Let no error out but `SystemExit`; with `debug`, let it out as it is."""
    try:
        yield
    except TrajauditError as error:
        if debug:
            raise
        _say(str(error))
        raise SystemExit(error.exit_code) from error
    except KeyboardInterrupt as error:
        _say("interrupted")
        raise SystemExit(EXIT_INTERRUPTED) from error
    except BrokenPipeError as error:
        # The reader of our output went away (`trajaudit ls | head`): not a failure.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from error
    except Exception as error:
        if debug:
            raise
        _say(f"a bug in trajaudit: {type(error).__name__}: {error}\ndetails: {_write_log()}")
        raise SystemExit(EXIT_BUG) from error


def _say(text: str) -> None:
    for line in text.splitlines():
        printable = "".join(c if c.isprintable() or c == "\t" else repr(c)[1:-1] for c in line)
        print(f"trajaudit: {printable}", file=sys.stderr)  # noqa: T201 (the only place)


def _write_log() -> Path:
    """Keep versions and traceback in a file that can be attached to a report."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="trajaudit-bug-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        log.write(f"trajaudit {__version__}\npython {sys.version}\n{platform.platform()}\n")
        log.write(f"command {sys.argv!r}\n\n{traceback.format_exc()}")
    return Path(log.name)
