"""How figures are written, the same in the terminal and on the page."""

from collections.abc import Mapping

from trajaudit.report.judging_schema import Effect
from trajaudit.report.schema import Column, Effort, Lengths, RepeatedRate
from trajaudit.stats import Interval

NOTHING = "—"
"""Stands where there is no number."""
MOST = 0.95
"""The share of replies that one line names a limit for."""
_COMPARISONS = {
    "failed_with_only": "fails only with the fault",
    "failed_both": "fails without it too",
    "passed_both": "passes both",
    "passed_with_only": "passes only with it",
    "not_compared": "not compared",
}


def rate(value: float | None) -> str:
    """Two digits; a rate that is not 0 or 1 is not written as if it were."""
    if value is None:
        return NOTHING
    if 0 < value < 0.005:
        return "<0.01"
    if 0.995 <= value < 1:
        return ">0.99"
    return f"{value:.2f}"


def pass_at_1(column: Column) -> str:
    """Rate and interval, or the bare count of a column that saw only picked trials."""
    if column.pass_at_1 is None:
        return f"{column.passes} of {column.graded}" if column.graded else NOTHING
    if column.interval is None:
        return rate(column.pass_at_1)
    low, high = column.interval
    return f"{rate(column.pass_at_1)} [{rate(low)}, {rate(high)}]"


def share(value: float, interval: Interval) -> str:
    """`0.14 [0.08, 0.24]`."""
    return f"{rate(value)} [{rate(interval[0])}, {rate(interval[1])}]"


def with_interval(value: float | None, interval: Interval | None) -> str:
    """`0.14 [0.08, 0.24]`, `0.14` without an interval, or a dash."""
    if value is None or interval is None:
        return rate(value)
    return share(value, interval)


def repeated(found: RepeatedRate | None) -> str:
    """The rate, and over how many tasks where it is not all of them."""
    if found is None or found.value is None:
        return NOTHING
    some = f" ({found.tasks} of {found.of} tasks)" if found.tasks < found.of else ""
    return rate(found.value) + some


def bounds(column: Column) -> str:
    """`0.55 … 0.58`: all ungraded trials wrong, all of them right."""
    if column.if_wrong is None:
        return NOTHING
    return f"{rate(column.if_wrong)} … {rate(column.if_right)}"


def reasons(column: Column) -> str:
    """`2 sandbox_failed, 1 not_run`."""
    return ", ".join(f"{count} {reason}" for reason, count in column.ungraded.items())


def quantity(value: float) -> str:
    """`1,234`, `56.7k`, `8.9M`."""
    if value < 10_000:
        return f"{value:,.0f}"
    return f"{value / 1e3:,.1f}k" if value < 999_950 else f"{value / 1e6:,.1f}M"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """`1 trial`, `3 trials`."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def duration(seconds: float | None) -> str:
    """`0.4 s`, `12 s`, `3 min 05 s`, `2 h 07 min`."""
    if seconds is None:
        return NOTHING
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def money(usd: float | None) -> str:
    """US dollars, with more digits where they are few."""
    if usd is None:
        return "cost unknown"
    return f"${usd:,.2f}" if usd >= 1 or usd == 0 else f"${usd:.4f}"


def effort(spent: Effort) -> str:
    """One line: calls, tokens, cost, time."""
    cost = money(spent.cost_usd)
    if spent.cost_usd is not None and spent.unpriced_trials:
        cost = f"at least {cost} (price unknown: {counted(spent.unpriced_trials, 'trial')})"
    return (
        f"{counted(spent.model_calls, 'model call')} · {counted(spent.tool_calls, 'tool call')} · "
        f"{quantity(spent.prompt_tokens)} + {quantity(spent.completion_tokens)} tokens · {cost} · "
        f"{duration(spent.median_s)} a trial, {duration(spent.trial_seconds)} summed"
    )


def limit(tokens: int | None, longest_cut: int | None) -> str:
    """A sufficient limit, or that it lies beyond what was seen."""
    if tokens is not None:
        return f"{tokens:,}"
    return NOTHING if longest_cut is None else f"more than {longest_cut:,}"


def lengths(found: Lengths) -> str:
    """One line: how many replies were cut, and which limit would have sufficed."""
    set_to = "" if found.max_tokens is None else f" (max_tokens {found.max_tokens:,})"
    said = f"{found.cut} of {counted(found.replies, 'reply', 'replies')} cut{set_to}"
    most = next(one for one in found.sufficient if one.share == MOST)
    needed = limit(most.of_all, found.longest_cut)
    if most.of_finished is None:
        return f"{said}; {MOST * 100:g} % of all would take {needed} tokens"
    ended = f"{MOST * 100:g} % of the others took at most {most.of_finished:,} tokens"
    return f"{said}; {ended}, of all {needed} (Kaplan-Meier)"


def comparison(name: str) -> str:
    """How trials stand to their control, in words."""
    return _COMPARISONS[name]


def counts(found: Mapping[str, int]) -> str:
    """`3 ok, 1 truncated`, the commonest first; a dash where there is nothing."""
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {name}" for name, count in ordered) or NOTHING


def effect(found: Effect | None) -> str:
    """`+0.04 [-0.01, +0.09]`; without an interval where too few tasks tell something."""
    if found is None:
        return NOTHING
    if found.low is None or found.high is None:
        return f"{found.value:+.2f} (no interval: {counted(found.tasks, 'task')})"
    return f"{found.value:+.2f} [{found.low:+.2f}, {found.high:+.2f}]"


def state(name: str) -> str:
    """`never hit` for never_hit."""
    return name.replace("_", " ")
