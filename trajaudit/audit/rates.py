"""The corrected rate of runs that people labelled: what `trajaudit review rate` shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from trajaudit.datamodel.gold import Certificate
from trajaudit.datamodel.review import LedgerRecord, QueueName
from trajaudit.errors import UsageError
from trajaudit.record.judged import read_decisions
from trajaudit.record.reviews import read_reviews, standing
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import read_record
from trajaudit.report.corrected import correction
from trajaudit.report.corrected_estimates import Asked
from trajaudit.report.corrected_old import (
    KnownErrors,
    errors_of_certificate,
    errors_of_pool,
    judge_of,
)
from trajaudit.report.corrected_pool import Key, Pool
from trajaudit.report.corrected_schema import Correction
from trajaudit.review.agreement import people_agreement
from trajaudit.review.sample import framed
from trajaudit.review.settle import human_decisions

RateOf = Literal["these", "new-tasks", "watched"]


@dataclass(frozen=True, kw_only=True)
class RateOptions:
    """What was asked for."""

    of: RateOf = "these"
    guarantee: bool = False
    """Limits that hold whatever the trials are; of `these` only."""
    soft: bool = False
    """Guesses follow the panel's score where labels show that it tells something."""
    against: RunDir | None = None
    """The difference to this run, pair by pair of (task, trial); for new tasks."""
    gold: RunDir | Path | None = None
    """Labels of another run, or a certificate of `judge certify`: nothing is labelled here."""
    confidence: float = 0.95


def rates(runs: Sequence[RunDir], options: RateOptions) -> tuple[Correction, ...]:
    """Return what people's labels say of the rate of each run; nothing is written.

    An estimate that cannot be had is in the result with the reason (`Estimated.refused`).

    Raises:
        UsageError: options that exclude each other, or a run that is not scored.
        RunDirError: a file of a run, or the certificate, is damaged.
    """
    _check(runs, options)
    against = None if options.against is None else pool_of(options.against)
    found = []
    for run in runs:
        pool = pool_of(run)
        asked = Asked(
            of=options.of,
            guarantee=options.guarantee,
            soft=options.soft,
            against=against,
            gold=None if options.gold is None else _known(options.gold, pool),
            confidence=options.confidence,
        )
        found.append(correction(pool, asked))
    return tuple(found)


def pool_of(run: RunDir) -> Pool:
    """Return the trials of a run with what graders, judges and people said of them.

    Raises:
        UsageError: the run was not scored.
        RunDirError: a file of it is damaged.
    """
    sample, records, human = framed(run), list(read_reviews(run)), human_decisions(run)
    alpha = people_agreement(records).figures.get("alpha")
    return Pool(
        run_id=run.run_id,
        framed=sample,
        outcomes={(one.task_id, one.trial): one for one in run.read_outcomes()},
        human=human,
        scores={
            (one.task_id, one.trial): one.score
            for one in read_decisions(run)
            if one.decides and one.score is not None
        },
        pending=_begun(run.run_id, records) - human.keys(),
        alpha=alpha.value if alpha else None,
        alpha_interval=alpha.interval if alpha else None,
    )


def _begun(run_id: str, records: Sequence[LedgerRecord]) -> set[Key]:
    """Return the trials that somebody labelled by itself."""
    return {
        (place.task_id, place.trial)
        for one in standing(records)
        if not one.is_pair and one.queue is not QueueName.GOLD
        for place in one.places
        if place.run_id == run_id
    }


def _known(gold: RunDir | Path, pool: Pool) -> KnownErrors:
    if isinstance(gold, Path):
        return errors_of_certificate(read_record(gold, Certificate))
    return errors_of_pool(pool_of(gold), judge_of(pool))


def _check(runs: Sequence[RunDir], options: RateOptions) -> None:
    if not 0 < options.confidence < 1:
        raise UsageError(f"confidence lies between 0 and 1; got {options.confidence!r}")
    if options.against is not None and options.gold is not None:
        raise UsageError("a difference by old labels is not known; leave out --against or --gold")
    beside = "--against" if options.against is not None else "--gold" if options.gold else ""
    plain = ("these", "new-tasks") if options.against is not None else ("these",)
    if beside and (options.of not in plain or options.guarantee or options.soft):
        raise UsageError(f"{beside} is an estimate of its own; leave out --of, --guarantee, --soft")
    if options.guarantee and (options.of != "these" or options.soft):
        raise UsageError("limits are guaranteed for --of these without --soft only")
    if options.soft and options.of == "watched":
        raise UsageError("limits that may be watched take no soft scores; leave out --soft")
    own = {run.run_id for run in runs}
    for other in (options.against, options.gold):
        if isinstance(other, RunDir) and other.run_id in own:
            raise UsageError(f"{other.run_id} cannot be held against itself; name another run")
