"""The desk at which people review: what a page may ask for, and nothing else.

Every label is appended to the `reviews.jsonl` of the runs that hold its item, and brought to the
disk, before anything says that it is saved. All methods may be called from several threads, and
several processes may hold a desk over the same runs. Import this module where it is used: sqlmodel
is slow to import.
"""

import random
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from trajaudit.datamodel.review import Reviewer, ReviewPolicy
from trajaudit.record.rundir import RunDir
from trajaudit.record.runs import list_run_dirs
from trajaudit.review import (
    desk_conflicts,
    desk_lead,
    desk_open,
    desk_refresh,
    desk_reveal,
    desk_save,
    desk_work,
)
from trajaudit.review.contents import Contents, RunContents
from trajaudit.review.desk_core import Core
from trajaudit.review.desk_records import (
    AdjudicationForm,
    Conflict,
    ConflictRow,
    FlagForm,
    Opened,
    Past,
    Progress,
    ReviewForm,
    RevisionForm,
    Saved,
)
from trajaudit.review.enqueue import Enqueued, Told, silent
from trajaudit.review.lead_records import LeadFigures
from trajaudit.review.people import People
from trajaudit.review.policy import make_review_dir
from trajaudit.review.reveal_records import Revealed
from trajaudit.review.store import Store
from trajaudit.review.token import tokens_of


class Desk:
    """Items, who is at them, and what is said of them, over the runs of one folder."""

    def __init__(self, core: Core) -> None:
        self.core = core

    @classmethod
    def open_at(
        cls,
        runs: Path,
        *,
        start: Path,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        alone: bool = False,
        contents: Contents | None = None,
        rng: random.Random | None = None,
        patience: float = 0.05,
    ) -> Self:
        """Open the desk of a folder of runs and read what people said since it was closed.

        Args:
            runs: folder of the run directories.
            start: from where rubrics are looked up; the project's root.
            clock: gives the time with its zone.
            alone: one person on this machine: one label settles an item, as for scoring.
            contents: where items are read from; by default the runs.
            rng: by default from the system.
            patience: seconds that the lead's page waits for figures that take long.

        Raises:
            RunDirError: a `reviews.jsonl` is damaged.
            StorageError: the index cannot be opened or made.
        """
        core = Core(
            runs=runs,
            store=Store(make_review_dir(runs)),
            contents=contents or RunContents(runs, start),
            clock=clock,
            pause=lambda name: People(runs).pause(name, paused=True),
            people=lambda: People(runs).everybody(),
            alone=alone,
            rng=rng or secrets.SystemRandom(),
            tokens=tokens_of(runs),
            patience=patience,
        )
        desk_refresh.catch_up_all(core, list_run_dirs(runs))
        return cls(core)

    @property
    def policy(self) -> ReviewPolicy:
        """How items are given out, as it stands now."""
        return self.core.policy

    def close(self) -> None:
        """Let go of the index."""
        self.core.store.close()

    def enqueue(self, runs: Iterable[RunDir], told: Told = silent) -> list[Enqueued]:
        """Put up what people are to look at of runs, and of comparisons that lie in them.

        Raises:
            UsageError: a run was not scored.
            RunDirError: a file, other than a journal, is damaged.
        """
        return desk_refresh.enqueue_all(self.core, runs, told)

    def catch_up(self) -> int:
        """Read what others wrote to the runs beside this desk; return how many records."""
        return desk_refresh.catch_up_all(self.core, list_run_dirs(self.core.runs))

    def begin_round(self, size: int | None = None) -> int:
        """Draw a new calibration or certification, as the policy says; return its items."""
        return desk_refresh.begin_round(self.core, size)

    # What a reviewer does

    def next(self, who: Reviewer) -> Opened | None:
        """Return the item that a person holds, else their next one; None: nothing is left.

        Raises:
            DeskError: they are paused.
        """
        return desk_open.next_item(self.core, who)

    def open(self, who: Reviewer, item_id: str) -> Opened:
        """Give a person the item that they name by its id, or by its first 16 digits.

        Raises:
            DeskError: it is not theirs, or not now.
        """
        return desk_open.open_item(self.core, who, item_id)

    def keep(self, who: Reviewer, form: ReviewForm | AdjudicationForm) -> bool:
        """Keep what was typed, without saving it; False where the item is not one of theirs."""
        return desk_open.keep(self.core, who, form)

    def save(self, who: Reviewer, form: ReviewForm) -> Saved:
        """Write a label down; the same form twice is one label.

        Raises:
            DeskError: it may not be written; what was typed is kept as a draft.
            StorageError: it cannot be written.
        """
        return desk_save.save(self.core, who, form)

    def defer(self, who: Reviewer, lease: str) -> None:
        """Put an item off to the end of a person's order.

        Raises:
            DeskError: they do not hold it.
        """
        desk_work.defer(self.core, who, lease)

    def undo(self, who: Reviewer) -> str | None:
        """Take a person's last label back; return the item, which they hold again.

        Raises:
            DeskError: it is locked.
        """
        return desk_work.undo(self.core, who)

    def renew(self, who: Reviewer, lease: str) -> datetime:
        """Let a lease last for its full time from now; return until when.

        Raises:
            DeskError: it is over, and somebody else has the item.
        """
        return self.core.time(desk_work.renew(self.core, who, lease))

    def progress(self, who: Reviewer) -> Progress:
        """Return how far a person is."""
        return desk_work.progress(self.core, who)

    def history(self, who: Reviewer, limit: int = 10) -> Sequence[Past]:
        """Return a person's last labels, the newest first."""
        return desk_work.history(self.core, who, limit)

    # What a third person does

    def conflicts(self, who: Reviewer) -> Sequence[ConflictRow]:
        """Return what an adjudicator may decide; never their own.

        Raises:
            DeskError: they are no adjudicator.
        """
        return desk_conflicts.conflicts(self.core, who)

    def open_conflict(self, who: Reviewer, item_id: str) -> Conflict:
        """Give a conflict to an adjudicator.

        Raises:
            DeskError: they may not have it.
        """
        return desk_conflicts.open_conflict(self.core, who, item_id)

    def adjudicate(self, who: Reviewer, form: AdjudicationForm) -> Saved:
        """Write down what an adjudicator decides; errors as for `save`."""
        return desk_conflicts.adjudicate(self.core, who, form)

    # What is seen afterwards

    def reveal(self, who: Reviewer, item_id: str) -> Revealed:
        """Return what was hidden of a settled item of theirs; it locks their label.

        Raises:
            DeskError: it is not theirs, or not settled.
        """
        return desk_reveal.reveal(self.core, who, item_id)

    def revise(self, who: Reviewer, form: RevisionForm) -> None:
        """Write down what a person says after the reveal; errors as for `reveal`."""
        desk_reveal.revise(self.core, who, form)

    def flag(self, who: Reviewer, form: FlagForm) -> None:
        """Write down what a person says of a step that a judge cites; errors as for `reveal`."""
        desk_reveal.flag(self.core, who, form)

    def lead(self) -> LeadFigures:
        """Return what the lead of the team sees."""
        return desk_lead.lead(self.core)
