"""Turns every error into one clear message and the documented exit code."""

import os
import platform
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from typer._click.exceptions import ClickException  # what `typer` raises; it exports no base

from trajaudit import __version__
from trajaudit.cli.signals import EXIT_INTERRUPTED
from trajaudit.errors import TrajauditError

EXIT_BUG = 1
THREAD_S = 0.5
"""How long a thread may take to notice that all is over."""


@contextmanager
def error_door(*, debug: bool = False) -> Iterator[None]:
    """Let no error out but `SystemExit`; with `debug`, let it out as it is."""
    try:
        yield
        sys.stdout.flush()
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):
            # typer makes an exit of it before it gets here.
            raise SystemExit(_told(leaving.__context__)) from leaving
        if leaving.code == EXIT_INTERRUPTED:
            _say("interrupted")
        raise
    except BaseException as error:
        if debug and isinstance(error, Exception):
            raise
        raise SystemExit(_told(error)) from error


def _told(error: BaseException) -> int:
    """Say what happened, in one message; return the exit code."""
    match error:
        case ClickException():
            error.show()
            return error.exit_code
        case TrajauditError():
            _say(str(error))
            return error.exit_code
        case KeyboardInterrupt():
            _say("interrupted")
            return EXIT_INTERRUPTED
        case BrokenPipeError():
            # The reader of our output went away (`trajaudit ls | head`): not a failure.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            return 0
        case _:
            what = f"{type(error).__name__}: {error}"
            _say(f"a bug in trajaudit: {what}\ndetails: {_write_log()}")
            return EXIT_BUG


def show_warning(message: Warning | str, *_: object, **_named: object) -> None:
    """Say a warning as one of our messages; takes the place of `warnings.showwarning`."""
    _say(f"warning: {message}")


def leave(leaving: SystemExit) -> None:
    """End the process now where a thread would hold it up: it waits for a model that hangs."""
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join(THREAD_S)
            if thread.is_alive():
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(leaving.code if isinstance(leaving.code, int) else EXIT_BUG)


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
