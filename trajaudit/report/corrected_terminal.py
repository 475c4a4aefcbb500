"""What the first page in a terminal says of people's labels and of the rate that they correct."""

from collections.abc import Iterable

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from trajaudit.report import figures
from trajaudit.report.corrected_schema import Correction, Estimated
from trajaudit.report.text import one_line


def corrected(found: Correction | None, grid: Table) -> list[RenderableType]:
    """Return the lines; `grid` is an empty table in the style of the page."""
    if found is None:
        return []
    labels = f"{figures.counted(found.labelled, 'label')} of people on {found.trials} trials"
    parts: list[RenderableType] = [Text(f"\nCorrected rate   {labels}", style="bold")]
    parts += [Text(f"! {one_line(banner)}", style="yellow") for banner in found.banners]
    for name in ("of", "rate", "by"):
        grid.add_column(name, no_wrap=name == "rate", overflow="fold")
    for column in found.columns:
        if column.name != "corrected":
            said = figures.with_interval(column.value, column.interval)
            grid.add_row(f"  {column.name}", said, Text(column.method, style="dim"))
    for one in found.estimates:
        said = figures.with_interval(one.value, one.interval)
        by = Text(one_line(one.refused) or one.method, style="yellow" if one.refused else "dim")
        grid.add_row(f"  {figures.state(one.of)}", Text(said, style="bold"), by)
    parts.append(grid)
    parts += [Text(f"  {line}") for one in found.estimates for line in _beside(one)]
    if found.broken_tasks:
        broken = one_line(", ".join(found.broken_tasks))
        parts.append(Text(f"  in no rate, for the task is broken: {broken}"))
    return parts


def _beside(one: Estimated) -> Iterable[str]:
    if one.if_fail is not None and one.if_pass is not None:
        bounds = f"{figures.rate(one.if_fail.value)} … {figures.rate(one.if_pass.value)}"
        yield f"{figures.state(one.of)}: open ones all fail … all pass: {bounds}"
    if one.labels_to_halve:
        yield f"{figures.counted(one.labels_to_halve, 'more label')} would halve the interval"
    yield from (f"! {one_line(banner)}" for banner in one.banners)
