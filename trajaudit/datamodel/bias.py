"""What judges do with a trial that was changed in a way that must not change its verdict."""

from typing import Literal

from trajaudit.datamodel._base import Record, StoredRecord

Shown = Literal["clear", "shown", "not_shown", "hidden", "not_applicable"]
"""`clear`: the effect is at most the limit, with confidence; `shown`: there is one; `not_shown`:
too few trials to say either; `hidden`: the view kept the change from the judge."""


class ProbeEffect(Record):
    """One probe on one judge."""

    probe: str
    judge: str
    family: str
    must_pass: bool
    applies: int
    """Trials that the probe can be put to."""
    n: int
    """Of them, those with a verdict of pass or fail each time it was asked for."""
    hidden: int
    """Of them, those whose prompt the probe left as it was."""
    flips: int
    to_pass: int
    """Flips from fail to pass."""
    placebo_flips: int
    """Between two identical requests, over the same trials."""
    effect: float | None = None
    """Rate of flips less the placebo's; None: no trial counts."""
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    p_holm: float | None = None
    """The p-value adjusted for the number of probes (Holm 1979)."""
    verdict: Shown


class BiasReport(StoredRecord):
    """A battery of probes on a panel's judges, kept beside the runs."""

    panel: str
    rubric: str
    identity: str
    """As in the certificate."""
    gold: str
    gold_sha256: str
    sha256: dict[str, str]
    version: str
    made: str
    limit: float
    """Largest effect that a must-pass probe may have."""
    confidence: float
    passed: bool
    """Every must-pass probe is clear, or hidden, on every judge."""
    failed: tuple[str, ...] = ()
    """`probe/judge` of the others."""
    effects: tuple[ProbeEffect, ...]
