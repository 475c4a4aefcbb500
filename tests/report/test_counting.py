"""A count that grows, shown where it can be seen."""

import io
from itertools import count

from rich.console import Console

from trajaudit.report.counting import EVERY_S, counting


def test_a_file_gets_a_line_now_and_then() -> None:
    out = io.StringIO()
    seconds = count(step=EVERY_S / 2)
    console = Console(file=out, width=80)

    with counting("trials read", console, clock=lambda: next(seconds)) as tick:
        for number in (1, 2, 3, 4_000):
            tick(number)

    lines = out.getvalue().splitlines()
    assert len(lines) == 2
    assert lines[-1] == "4,000 trials read"


def test_a_short_reading_says_nothing() -> None:
    out = io.StringIO()

    with counting("trials read", Console(file=out), clock=lambda: 0.0) as tick:
        tick(1)

    assert out.getvalue() == ""


def test_a_terminal_shows_the_count_and_takes_it_away_again() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80)

    with counting("trials read", console) as tick:
        tick(12_345)
        console.print("meanwhile")

    assert "12,345 trials read" in out.getvalue()
    assert out.getvalue().rstrip().endswith("\x1b[2K")
