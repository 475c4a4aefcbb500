"""What a report says of people's labels and of the rate that they correct, as records."""

from typing import Literal

from pydantic import Field

from trajaudit.datamodel._base import Record
from trajaudit.stats import Interval

EstimateOf = Literal["these", "new_tasks", "watched", "old_gold", "difference"]
"""Of what the rate is: of the trials of this run; of new tasks like these; of this run again, but
with limits that may be looked at after each label; of this run by labels of another; or how far
two runs lie apart."""


class LabelledStratum(Record):
    """Trials of one kind: how many there are, were looked at, and pass."""

    name: str
    queue: Literal["resolve", "audit"]
    """`resolve`: all of them go to people; `audit`: a random part does."""
    size: int
    labelled: int
    """With a settled pass or fail, among those that were drawn."""
    passes: int
    cannot_tell: int = 0
    """People looked and could not tell."""
    pending: int = 0
    """Labelled, and not settled yet."""


class RateColumn(Record):
    """One way of deciding over the same trials, so that all can be held side by side."""

    name: Literal["raw", "strict", "lenient", "panel", "human", "corrected"]
    value: float | None
    """None: nothing was decided this way, or the estimate was refused."""
    interval: Interval | None
    decided: int
    """Trials that it is made of."""
    method: str


class Bound(Record):
    """The estimate, were all trials alike on which people could not tell."""

    value: float
    interval: Interval


class Estimated(Record):
    """One corrected rate, or why there is none."""

    of: EstimateOf
    method: str
    """Name of the estimator, as docs/statistics.md has it."""
    value: float | None = None
    interval: Interval | None = None
    refused: str = ""
    """Why there is no number."""
    if_fail: Bound | None = None
    """Were every trial a failure on which people could not tell, or are not done; of a difference
    those of the first run, and passes those of the second. None: there is none such."""
    if_pass: Bound | None = None
    labels_to_halve: int | None = None
    """Further labels that would halve the interval of `these`; None: not even labels of all would,
    or it is another estimate."""
    slopes: dict[str, float] = Field(default_factory=dict)
    """Stratum → how far the guess of a trial follows its panel score."""
    detectable: float | None = None
    """Of a difference: the smallest that so many tasks and labels would show four times of five."""
    banners: tuple[str, ...] = ()
    """What it assumes."""


class Correction(Record):
    """People's labels of one run and what they say of its rate."""

    run_id: str
    against: str | None = None
    """Of a difference: the run that is taken off."""
    confidence: float = 0.95
    trials: int
    """Of the pool: tasks that people call broken are not in it."""
    tasks: int
    labelled: int
    cannot_tell: int = 0
    pending: int = 0
    beside: int = 0
    """Labels of trials that were not drawn at random; they correct nothing."""
    broken_tasks: tuple[str, ...] = ()
    strata: tuple[LabelledStratum, ...]
    columns: tuple[RateColumn, ...]
    estimates: tuple[Estimated, ...]
    """The one that was asked for comes first, and is the column `corrected`."""
    correlation: float | None = None
    """Between the guess by strata and the labels; None: one of them never varies."""
    effective_labels: float | None = None
    """Labels that people alone would need for as much: n/(1 - ρ²)."""
    human_alpha: float | None = None
    """Krippendorff's α of people's first labels; None: too few trials have two."""
    human_alpha_interval: Interval | None = None
    banners: tuple[str, ...] = ()
