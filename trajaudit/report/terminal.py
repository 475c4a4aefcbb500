"""The first page of a report, in a terminal or piped into a file."""

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.console import Group as Stack
from rich.table import Table
from rich.text import Text

from trajaudit.report import figures
from trajaudit.report.corrected_terminal import corrected
from trajaudit.report.judging_terminal import judging
from trajaudit.report.schema import Column, Group, Pointer, Recorded, Recovery, Summary, TrialRef
from trajaudit.report.text import one_line

PIPED_WIDTH = 120
_CELL = 22
_LABEL = 10
_TRIALS_SHOWN = 4
_POINTERS_SHOWN = 5
_REASON_LENGTH = 160


def print_summary(
    summary: Summary, *, console: Console | None = None, footer: Sequence[str] = ()
) -> None:
    """Print the page; colours and width are those of the console, plain where it is no terminal.

    `footer`: what to do next, for example the path of the HTML report.
    """
    console = console or _console()
    console.print(page(summary, width=console.width))
    for line in footer:
        # Never wrapped: it holds paths and commands that are copied.
        console.print(Text(one_line(line)), soft_wrap=True)


def _console() -> Console:
    width = None if sys.stdout.isatty() else PIPED_WIDTH
    return Console(highlight=False, markup=False, emoji=False, width=width)


def page(summary: Summary, *, width: int, footer: Sequence[str] = ()) -> RenderableType:
    """The page as a rich renderable, laid out for `width` characters."""
    parts: list[RenderableType] = [_title(summary)]
    parts += [Text(f"! {one_line(banner)}", style="yellow") for banner in summary.banners]
    fits = _LABEL + _CELL * len(summary.columns) <= width
    parts.append(Text())
    parts.append((_across if fits else _down)(summary.columns))
    parts += _coverage(summary.columns)
    if summary.lengths is not None and summary.lengths.cut:
        parts.append(Text(figures.lengths(summary.lengths), style="yellow"))
    parts += corrected(summary.corrected, _grid(header=True))
    if summary.recorded is not None:
        parts += _recorded(summary.recorded, width)
    count = sum(group.count for group in summary.rescued)
    if count:
        noun = "strict failure passes" if count == 1 else "strict failures pass"
        parts += _groups(f"Why {count} {noun} a careful reading", summary.rescued, width)
    if summary.failed:
        parts += _groups("What really failed", summary.failed, width)
    if summary.recovery is not None:
        parts += _recovery(summary.recovery)
    parts += judging(summary.judging, _grid(header=True))
    parts += _pointers("Suspicious passes", summary.suspicious)
    rest = [pointer for pointer in summary.look_first if pointer not in summary.suspicious]
    parts += _pointers("Look first", rest)
    parts.append(Text(f"\n{figures.effort(summary.effort)}", style="dim"))
    parts += [Text(one_line(line)) for line in footer]
    return Stack(*parts)


def _title(summary: Summary) -> RenderableType:
    tasks = figures.counted(summary.tasks, "task")
    trials = figures.counted(summary.trials, "trial")
    return Text.assemble(
        (one_line(summary.scenario), "bold"),
        f"   {one_line(summary.model_id)} · {one_line(summary.agent)}",
        f"   {tasks} \N{MULTIPLICATION SIGN} {trials}",
        f"   run {one_line(summary.run_id)}\n",
        (one_line(summary.isolation_text), "dim"),
    )


def _grid(*, header: bool = False) -> Table:
    return Table(
        box=None, padding=(0, 3, 0, 0), pad_edge=False, show_header=header, header_style="bold"
    )


def _across(columns: Sequence[Column]) -> RenderableType:
    """One column of the table per way of deciding."""
    table = _grid(header=True)
    table.add_column("", no_wrap=True)
    for column in columns:
        table.add_column(column.name, no_wrap=True)
    for label, cells in _lines(columns):
        table.add_row(label, *cells)
    return table


def _down(columns: Sequence[Column]) -> RenderableType:
    """The same table on its side, where it would be too wide."""
    table = _grid(header=True)
    table.add_column("", no_wrap=True)
    lines = list(_lines(columns))
    for label, _ in lines:
        table.add_column(label)
    for index, column in enumerate(columns):
        table.add_row(Text(column.name, style="bold"), *(cells[index] for _, cells in lines))
    return table


def _lines(columns: Sequence[Column]) -> Iterable[tuple[str, list[Text]]]:
    yield "pass@1", [Text(figures.pass_at_1(column), style="bold") for column in columns]
    if any(column.pass_hat_k for column in columns):
        k = next(column.pass_hat_k.k for column in columns if column.pass_hat_k)
        yield f"pass^{k}", [Text(figures.repeated(column.pass_hat_k)) for column in columns]
    yield "graded", [Text(f"{column.graded} of {column.due}") for column in columns]


def _coverage(columns: Sequence[Column]) -> list[Text]:
    """What is not graded and why, with both bounds; columns that agree share a line."""
    shared: dict[str, list[str]] = {}
    for column in columns:
        if column.ungraded and column.if_wrong is not None:
            wrong, right = figures.rate(column.if_wrong), figures.rate(column.if_right)
            reasons = one_line(figures.reasons(column))
            line = f"{reasons}: if wrong {wrong}, if right {right}"
            shared.setdefault(line, []).append(column.name)
    return [
        Text(f"not graded ({', '.join(names)})   {line}", style="yellow")
        for line, names in shared.items()
    ]


def _recorded(found: Recorded, width: int) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for noun, count, lines in (
        ("failure", found.failures, found.of_failures),
        ("pass", found.passes, found.of_passes),
    ):
        if not lines:
            continue
        table = _grid()
        table.add_column(justify="right", no_wrap=True, min_width=4)
        table.add_column(no_wrap=True)
        table.add_column(ratio=3, overflow="fold")
        table.add_column(ratio=2, overflow="fold", style="dim")
        for line in lines:
            share = figures.share(line.share, line.interval)
            table.add_row(str(line.count), share, Text(line.what), Text(_trials(line.trials)))
        table.expand = True
        table.width = min(width, 140)
        called = figures.counted(count, "trial")
        title = f"The log calls {called} a {noun}; of these"
        parts += [Text(f"\n{title}", style="bold"), table]
    return parts


def _groups(title: str, groups: Sequence[Group], width: int) -> list[RenderableType]:
    table = _grid()
    table.add_column(justify="right", no_wrap=True, min_width=4)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=3, overflow="fold")
    table.add_column(ratio=2, overflow="fold", style="dim")
    for group in groups:
        more = (
            f" (and {figures.counted(group.other_reasons, 'other reason')})"
            if group.other_reasons
            else ""
        )
        table.add_row(
            str(group.count),
            Text(group.kind.value if group.kind else figures.NOTHING, style="cyan"),
            Text(group.fault.value if group.fault else figures.NOTHING),
            Text(one_line(group.reason, _REASON_LENGTH) + more),
            Text(_trials(group.trials)),
        )
    table.expand = True
    table.width = min(width, 140)
    return [Text(f"\n{title}", style="bold"), table]


def _recovery(found: Recovery) -> list[RenderableType]:
    """How trials got over their faults, beside the same trials without them."""
    table = _grid(header=True)
    table.add_column("  ", no_wrap=True)
    table.add_column("trials", justify="right")
    names = found.shown_comparisons()
    for name in names:
        table.add_column(figures.comparison(name), justify="right")
    for row in found.rows:
        counts = (str(row.comparisons[name]) for name in names)
        table.add_row(f"  {figures.state(row.state)}", str(len(row.trials)), *counts)
    return [Text("\nInjected faults", style="bold"), table]


def _trials(trials: Sequence[TrialRef]) -> str:
    names = " ".join(one_line(str(ref)) for ref in trials[:_TRIALS_SHOWN])
    more = len(trials) - _TRIALS_SHOWN
    return f"{names} +{more}" if more > 0 else names


def _pointers(title: str, pointers: Sequence[Pointer]) -> list[RenderableType]:
    if not pointers:
        return []
    table = _grid()
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for pointer in pointers[:_POINTERS_SHOWN]:
        table.add_row(
            Text(f"  {one_line(pointer.name)}", style="magenta"),
            Text(one_line(pointer.reason, _REASON_LENGTH)),
        )
    more = len(pointers) - _POINTERS_SHOWN
    if more > 0:
        table.add_row("", Text(f"and {more} more, in the report", style="dim"))
    return [Text(f"\n{title}", style="bold"), table]
