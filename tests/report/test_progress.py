import io
import time

from rich.console import Console

from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.run import Outcome, TrialRecord
from trajaudit.report.progress import RunProgress


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _record(trial: int, end_reason: EndReason = "replied") -> TrialRecord:
    return TrialRecord(run_id="r", task_id="t", trial=trial, end_reason=end_reason)


def _console(*, terminal: bool = False) -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    return Console(file=file, force_terminal=terminal, width=120), file


def test_the_line_counts_trials_spending_and_time_left() -> None:
    clock = Clock()
    progress = RunProgress(10, done=2, console=_console()[0], clock=clock)
    for trial in (3, 4, 5):
        progress.trial_started("t", trial)
    progress.tick(calls=3, tokens=1500, cost_usd=0.25)
    progress.tick(calls=1, tokens=500)
    progress.trial_finished(
        _record(3), Outcome(task_id="t", trial=3, strict=True, final=True, source="strict")
    )
    progress.trial_finished(_record(4, "infra_error"))
    clock.now += 30

    assert progress.line() == (
        "4 of 10 trials · 1 running · 1 of 1 pass · 1 failed by infrastructure · 4 model calls · "
        "2,000 tokens · $0.2500 · 30 s so far · about 1 min 30 s left"
    )


def test_an_unknown_price_is_not_written_as_free() -> None:
    progress = RunProgress(1, console=_console()[0], clock=Clock())
    progress.tick(calls=1, tokens=10)

    line = progress.line()
    assert "$" not in line
    assert "cost" not in line


def test_without_a_terminal_lines_come_by_themselves_and_one_at_the_end() -> None:
    console, file = _console()
    with RunProgress(2, console=console, every_s=0.02) as progress:
        progress.trial_started("t", 1)
        deadline = time.monotonic() + 10
        while not file.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
        progress.trial_finished(_record(1))
        progress.trial_finished(_record(2))

    lines = file.getvalue().splitlines()
    assert lines[0].startswith("0 of 2 trials · 1 running")
    assert lines[-1].startswith("2 of 2 trials · 0 running")
    assert "\x1b" not in file.getvalue()


def test_in_a_terminal_running_trials_are_shown_and_cleared() -> None:
    console, file = _console(terminal=True)
    with RunProgress(2, console=console) as progress:
        progress.trial_started("late\x1b[2J-parcel", 1)
        deadline = time.monotonic() + 10
        while "parcel" not in file.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)

    assert "late\\x1b[2J-parcel/1" in file.getvalue()
    drawn = [line for line in file.getvalue().splitlines() if "━" in line]
    assert drawn
    assert not [line for line in drawn if "trials" in line]
    assert file.getvalue().rstrip().splitlines()[-1].endswith("so far")
