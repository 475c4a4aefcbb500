"""How far a run is, while it runs: live in a terminal, a line every few seconds elsewhere."""

from collections.abc import Callable
from threading import Event, Lock, Thread
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.console import Group as Stack
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from trajaudit.datamodel.run import Outcome, TrialRecord
from trajaudit.report import figures
from trajaudit.report.text import one_line

_RUNNING_SHOWN = 4


class RunProgress:
    """Counts what a run reports, from any thread, and shows it on stderr until it is closed.

    `due`: trials of the whole run; `done`: those that an earlier start of it had finished.
    """

    def __init__(
        self,
        due: int,
        *,
        done: int = 0,
        console: Console | None = None,
        clock: Callable[[], float] = monotonic,
        every_s: float = 5.0,
    ) -> None:
        self._due = due
        self._before = done
        self._console = console or Console(stderr=True, highlight=False, markup=False)
        self._clock = clock
        self._every_s = every_s
        self._started = clock()
        self._lock = Lock()
        self._running: dict[tuple[str, int], float] = {}
        self._finished = self._infra = self._passed = self._graded = 0
        self._calls = self._tokens = 0
        self._cost_usd: float | None = None
        self._closed = Event()
        self._thread: Thread | None = None
        self._live: Live | None = None
        self._printed = ""

    def __enter__(self) -> Self:
        self._started = self._clock()
        if self._console.is_terminal:
            self._live = Live(
                console=self._console,
                get_renderable=self._screen,
                refresh_per_second=4,
                transient=True,
            )
            self._live.start()
        else:
            self._thread = Thread(target=self._print_lines, name="progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closed.set()
        if self._live:
            self._live.stop()
        if self._thread:
            self._thread.join()
        self._print_line()

    def trial_started(self, task_id: str, trial: int) -> None:
        """A trial began."""
        with self._lock:
            self._running[task_id, trial] = self._clock()

    def trial_finished(self, record: TrialRecord, outcome: Outcome | None = None) -> None:
        """A trial is whole; its outcome may not be known yet."""
        with self._lock:
            self._running.pop((record.task_id, record.trial), None)
            self._finished += 1
            self._infra += record.end_reason == "infra_error"
            if outcome is not None and outcome.final is not None:
                self._graded += 1
                self._passed += outcome.final

    def tick(self, calls: int = 0, tokens: int = 0, cost_usd: float | None = None) -> None:
        """Model calls, tokens and US dollars that were spent since the tick before."""
        with self._lock:
            self._calls += calls
            self._tokens += tokens
            if cost_usd is not None:
                self._cost_usd = (self._cost_usd or 0.0) + cost_usd

    def line(self) -> str:
        """The state in one line."""
        with self._lock:
            done = self._before + self._finished
            parts = [f"{done} of {self._due} trials", f"{len(self._running)} running"]
            if self._graded:
                parts.append(f"{self._passed} of {self._graded} pass")
            if self._infra:
                parts.append(f"{self._infra} failed by infrastructure")
            parts.append(f"{figures.quantity(self._calls)} model calls")
            parts.append(f"{figures.quantity(self._tokens)} tokens")
            if self._cost_usd is not None:
                parts.append(figures.money(self._cost_usd))
            elapsed = self._clock() - self._started
            parts.append(f"{figures.duration(elapsed)} so far")
            left = self._due - done
            if self._finished and left > 0:
                parts.append(f"about {figures.duration(elapsed / self._finished * left)} left")
        return " · ".join(parts)

    def _screen(self) -> RenderableType:
        with self._lock:
            done = self._before + self._finished
            oldest = sorted(self._running.items(), key=lambda item: item[1])
            now = self._clock()
        lines = [
            Text(f"  {one_line(task_id)}/{trial}   {figures.duration(now - since)}", style="dim")
            for (task_id, trial), since in oldest[:_RUNNING_SHOWN]
        ]
        bar = Table.grid()
        bar.add_row(ProgressBar(total=max(self._due, 1), completed=done, width=40))
        return Stack(bar, Text(self.line()), *lines)

    def _print_lines(self) -> None:
        while not self._closed.wait(self._every_s):
            self._print_line()

    def _print_line(self) -> None:
        line = self.line()
        if line != self._printed:
            self._printed = line
            self._console.print(Text(line), soft_wrap=True)
