"""One line of the table, and votes made of what was recorded."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from bench.accuracy.figure import Figure
from trajaudit.datamodel.judging import Judge, Overall, Panel, ReplyStatus, Vote
from trajaudit.judge.decide import Circumstances
from trajaudit.judge.staged import decided_in_stages
from trajaudit.stats.agreement import Label
from trajaudit.stats.reliability import reliability

PANEL = Panel(name="recorded", version=1, judges=(Judge(model="a"), Judge(model="b")))


@dataclass(frozen=True)
class Row:
    """A share or an agreement, and what its source says of it."""

    what: str
    value: str
    of: str
    interval: str = ""
    published: str = ""

    def markdown(self, name: str) -> str:
        """Write it as a row of a Markdown table."""
        cells = (f"`{name}`", self.what, self.value, self.of, self.interval, self.published)
        return f"| {' | '.join(cells)} |"

    def line(self, name: str) -> str:
        """Write it for a terminal."""
        said = f"  published: {self.published}" if self.published else ""
        return f"{name:8} {self.what:66} {self.value:>6} {self.of:14} {self.interval}{said}"


def share(what: str, hits: int, of: int, published: str = "") -> Row:
    """Return a share with Wilson's interval."""
    cells = [cell.strip() for cell in Figure(what, hits, of).row("").split("|")]
    return Row(what, cells[3], cells[4], cells[5], published)


def kappa(
    what: str,
    a: Sequence[Label],
    b: Sequence[Label],
    published: str = "",
    *,
    groups: Sequence[Hashable] | None = None,
) -> Row:
    """Return Cohen's κ with its interval; `groups` says which items belong together."""
    items: dict[Hashable, list[tuple[Label, Label]]] = defaultdict(list)
    for place, pair in enumerate(zip(a, b, strict=True)):
        items[place if groups is None else groups[place]].append(pair)
    found = reliability(list(items.values()))
    figure = found.figures["kappa"]
    value = "none" if figure.value is None else f"{figure.value:.3f}"
    interval = ""
    if figure.interval is not None:
        interval = f"[{figure.interval.low:.3f}, {figure.interval.high:.3f}]"
    return Row(what, f"κ {value}", f"{found.items}", interval, published)


def vote(
    item: str, family: str, order: Literal[1, 2], overall: Overall | None, raw: str = "x"
) -> Vote:
    """Return a recorded verdict as a vote; None: it was none."""
    return Vote(
        task_id=item,
        trial=1,
        rubric="recorded",
        judge=family,
        family=family,
        order=order,
        status=ReplyStatus.OK if overall else ReplyStatus.UNPARSED,
        overall=overall,
        raw=(raw,),
        view_sha256="",
        prompt_sha256="",
    )


def settled(votes: Sequence[Vote]) -> Literal["pass", "fail"] | None:
    """Return what a panel settles on; None: a person decides."""
    known = Circumstances(task_id=votes[0].task_id, trial=1, rubric="recorded")
    found = decided_in_stages(votes, known, PANEL)
    if found is None or found.queue == "resolve" or found.result == "undecided":
        return None
    return found.result
