"""What the lead of a team of reviewers gets to see."""

from typing import Literal

from pydantic import Field

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.review import ItemState, Role, Round


class AgreementFigure(Record):
    """How far two kinds of raters agree; None where there is no figure, and `note` says why."""

    between: Literal["people", "panel_people", "judges"]
    items: int
    """With two ratings at least."""
    share: float | None = None
    kappa: float | None = None
    """Cohen's of two raters, Fleiss' of more."""
    alpha: float | None = None
    ac1: float | None = None
    low: float | None = None
    """Limits of the 95 % interval of `alpha`, or of `ac1` where there is no alpha."""
    high: float | None = None
    positive: float | None = None
    negative: float | None = None
    note: str = ""


class GoldFigure(Record):
    """How one reviewer did on items that were known."""

    right: int
    of: int
    upper: float | None
    """One-sided 95 % Clopper-Pearson limit of the accuracy; None before the first."""


class ReviewerFigures(Record):
    """What one person did."""

    name: str
    role: Role
    labelled: int
    minutes: float
    median_seconds: float | None
    per_hour: float | None
    """Labels an hour of looking; None before the first."""
    adjudicated: int
    gold: GoldFigure
    paused: bool
    last: str
    """When the last label was saved; empty: never."""


class RoundFigures(Record):
    """How far the present round is, and whether it lets production begin."""

    round: Round
    items: int
    done: int
    """Labelled by everybody."""
    agreement: float | None = None
    low: float | None = None
    """Lower 95 % limit, which has to reach `least`."""
    least: float
    passed: bool | None = None
    """None: nothing to pass, or not all labels are there."""
    note: str = ""


class LeadFigures(Record):
    """What the lead of a team sees."""

    states: dict[ItemState, int]
    queues: dict[str, int]
    """Queue → items; the lead may know."""
    left: dict[str, int] = Field(default_factory=dict)
    """Queue → items on which a label or an adjudication is still wanted."""
    labels: int
    conflicts: int
    """Waiting for an adjudicator."""
    reviewers: tuple[ReviewerFigures, ...]
    agreement: tuple[AgreementFigure, ...]
    round: RoundFigures
    broken_tasks: tuple[str, ...] = ()
    note: str = ""
    """`one reviewer: no agreement can be measured`, where that is so."""
