"""A round of reviewing begins: calibration, certification, or the production that they lead to."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trajaudit.datamodel.review import ReviewPolicy, Round
from trajaudit.errors import UsageError
from trajaudit.record.rundir import RunDir
from trajaudit.review.desk import Desk
from trajaudit.review.lead_records import RoundFigures
from trajaudit.review.policy import load_policy, store_policy


@dataclass(frozen=True, kw_only=True)
class RoundOptions:
    """What was asked for."""

    wanted: Round | None = None
    """None: say how far the present one is."""
    runs: Sequence[RunDir] = ()
    """Whose trials are put up first."""
    size: int | None = None
    """Items of a calibration or a certification; None: 20, or 50."""
    force: bool = False
    """Production begins although certification was not passed."""
    start: Path
    """From where rubrics are looked up."""


def turn_round(folder: Path, options: RoundOptions) -> RoundFigures:
    """Begin a round over the runs of a folder; return how far the present one is.

    Raises:
        UsageError: certification was not passed, or there is nothing to label.
        RunDirError: a file of a run is damaged.
        StorageError: the index or the policy cannot be written.
    """
    before = load_policy(folder)
    desk = Desk.open_at(folder, start=options.start)
    try:
        if options.runs:
            desk.enqueue(options.runs)
        if options.wanted is None:
            return desk.lead().round
        if options.wanted is Round.PRODUCTION:
            _require_passed(before, desk.lead().round, force=options.force)
        return _begun(desk, folder, before, options)
    finally:
        desk.close()


def _begun(desk: Desk, folder: Path, before: ReviewPolicy, options: RoundOptions) -> RoundFigures:
    store_policy(folder, before.model_copy(update={"round": options.wanted}))
    if options.wanted is not Round.PRODUCTION:
        try:
            desk.begin_round(options.size)
        except UsageError as error:
            store_policy(folder, before)
            raise UsageError(
                "there is no item that nobody has labelled yet; name a run that has some: "
                f"trajaudit review round {options.wanted} RUN"
            ) from error
    return desk.lead().round


def _require_passed(before: ReviewPolicy, found: RoundFigures, *, force: bool) -> None:
    if before.round is Round.CERTIFICATION and not found.passed and not force:
        low = "not known" if found.low is None else f"{found.low:.2f}"
        raise UsageError(
            f"certification was not passed: {found.done} of {found.items} items are labelled by "
            f"everybody, and the lower limit of their agreement is {low}; at least {found.least:g} "
            "is wanted; label on, talk about the rules, or use --force"
        )
