"""What the first page in a terminal says of judges."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from trajaudit.report import figures
from trajaudit.report.judging_schema import Judging
from trajaudit.report.text import one_line


def judging(found: Sequence[Judging], grid: Table) -> list[RenderableType]:
    """Return the lines about each panel; `grid` is an empty table in the style of the page."""
    parts: list[RenderableType] = []
    for one in found:
        beside = "" if one.decides else ", beside the outcome"
        title = f"\nJudges   panel {one_line(one.panel)} by {one_line(one.rubric)}{beside}"
        parts.append(Text(title, style="bold"))
        if one.certified != "yes":
            parts.append(Text(_CERTIFIED[one.certified], style="yellow"))
        parts += [Text(one_line(line), style="") for line in _lines(one)]
    if found:
        parts.append(_table(found, grid))
    return parts


_CERTIFIED = {
    "advisory": "! did not reach the bar on labelled trials: advisory only",
    "no": "! never held against labelled trials: trajaudit judge certify",
}


def _lines(one: Judging) -> Iterable[str]:
    results = f"{one.passed} pass, {one.failed} fail, {one.undecided} undecided"
    yield f"{figures.counted(one.trials, 'trial')}: {results}"
    yield f"{one.settled} settled, {one.audit} drawn for the audit; {one.resolve} for people"
    if one.triggers:
        yield f"why people: {figures.counts(one.triggers)}"
    if one.unheard:
        yield f"not judged: {figures.counts(one.unheard)}"
    for pair in one.agreement:
        kappa = figures.rate(pair.kappa)
        share = f"{figures.rate(pair.observed)} of {figures.counted(pair.trials, 'trial')}"
        yield f"{' and '.join(pair.families)} agree on {share}, kappa {kappa}"
    yield f"length {figures.effect(one.length)} a doubling; order {figures.effect(one.order)}"
    cost = figures.money(one.cost_usd)
    yield (
        f"{one.sent} calls sent, {one.from_cache} votes kept, {one.saved} calls spared; "
        f"{figures.quantity(one.tokens)} tokens, {cost}"
    )
    if one.retries:
        yield f"{figures.counted(one.retries, 'call')} of them repeated one that had failed"


def _table(found: Sequence[Judging], table: Table) -> Table:
    table.add_column("judge", overflow="fold")
    for name in ("votes", "pass", "fail", "abstain", "turned", "quotes"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("of no use", overflow="fold")
    for one in found:
        for row in one.judges:
            table.add_row(
                Text(one_line(row.judge)),
                *map(str, (row.votes, row.passes, row.fails, row.abstains)),
                f"{row.turned}/{row.both_orders}",
                f"{row.found}/{row.quotes}",
                Text(figures.counts(row.unusable)),
            )
    return table
