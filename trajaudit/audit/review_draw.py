"""Which trials of a run are put to people, how sure does that make, and what does it change?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from trajaudit.datamodel.review import Framed, SamplePlan
from trajaudit.errors import UsageError
from trajaudit.record.rundir import RunDir
from trajaudit.review.frame import StratumSize, sizes_of
from trajaudit.review.policy import load_plan, store_plan
from trajaudit.review.sample import framed
from trajaudit.stats.stratified import Stratum, rate_of_these

_PILOT = (("pass", 0.93), ("fail", 0.07))
"""Share of true passes that is expected of a stratum before anybody looked."""


@dataclass(frozen=True, kw_only=True)
class Draw:
    """A sample of a run, beside the one before."""

    run_id: str
    plan: SamplePlan
    first: bool
    """Nobody made a plan before."""
    strata: tuple[StratumSize, ...]
    resolve: int
    audit: int
    half_width: float | None
    """Of the 95 % interval of the rate of these trials, once all are labelled, were rules and
    judges wrong as often as is usual. None: there is nothing to look at."""
    more: int
    """Trials that are put to people now and were not before."""
    fewer: int
    """The other way round; a label of theirs corrects no rate any more."""


def draw(run: RunDir, wishes: dict[str, Any], *, dry_run: bool = False) -> Draw:
    """Draw the sample of a run by its plan with `wishes` in it; write the plan down.

    Args:
        run: a scored run.
        wishes: fields of the plan; what is not named stays as it was, or as by default.
        dry_run: nothing is written.

    Raises:
        UsageError: the run was not scored, or the wishes exclude each other.
        StorageError: the plan cannot be written.
    """
    before = load_plan(run)
    plan = _plan(before or SamplePlan(), wishes)
    trials = framed(run, plan)
    earlier = framed(run, before) if before is not None else []
    if not dry_run:
        store_plan(run, plan)
    return _draw(run, plan, trials, earlier)


def _plan(before: SamplePlan, wishes: dict[str, Any]) -> SamplePlan:
    fields = before.model_dump()
    # One extent takes the place of the other.
    if wishes.get("everything"):
        fields["smoke"] = None
    if wishes.get("smoke"):
        fields["everything"] = False
    try:
        return SamplePlan.model_validate({**fields, **wishes})
    except ValidationError as error:
        said = "; ".join(str(one["msg"]).removeprefix("Value error, ") for one in error.errors())
        raise UsageError(f"no sample can be drawn so: {said}") from error


def _draw(run: RunDir, plan: SamplePlan, now: Sequence[Framed], earlier: Sequence[Framed]) -> Draw:
    strata = sizes_of(now)
    new, old = _chosen(now), _chosen(earlier)
    return Draw(
        run_id=run.run_id,
        plan=plan,
        first=not earlier,
        strata=tuple(strata),
        resolve=sum(one.queue == "resolve" for one in now),
        audit=sum(one.queue == "audit" for one in now),
        half_width=_half_width(strata),
        more=len(new - old),
        fewer=len(old - new),
    )


def _chosen(trials: Sequence[Framed]) -> set[tuple[str, int]]:
    return {(one.task_id, one.trial) for one in trials if one.queue != "none"}


def _half_width(strata: Sequence[StratumSize]) -> float | None:
    if not strata:
        return None
    expected = [Stratum(one.size, one.chosen, _passes(one)) for one in strata]
    low, high = rate_of_these(expected).interval
    return (high - low) / 2


def _passes(one: StratumSize) -> int:
    parts = one.name.split("/")
    share = next((share for word, share in _PILOT if word in parts[:2]), 0.5)
    return round(share * one.chosen)
