"""How far a long reading is, where nobody knows how much there is: a count on stderr."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

EVERY_S = 5.0


@contextmanager
def counting(
    what: str, console: Console | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """Yield a function to be told the count so far; shown live in a terminal, else now and then.

    Args:
        what: for example `trials read`.
        console: where to; stderr by default.
        clock: seconds.
    """
    shown = console or Console(stderr=True, highlight=False, markup=False)
    if not shown.is_terminal:
        yield _now_and_then(what, shown, clock)
        return
    with shown.status(what) as status:
        yield lambda count: status.update(f"{count:,} {what}")


def _now_and_then(what: str, console: Console, clock: Callable[[], float]) -> Callable[[int], None]:
    last = clock()

    def told(count: int) -> None:
        nonlocal last
        if clock() - last >= EVERY_S:
            last = clock()
            console.print(f"{count:,} {what}")

    return told
