"""What a panel said is put beside what was said before: votes, decisions, queues, its cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trajaudit.audit.certified import Certified
from trajaudit.datamodel.judged import Commitment, JudgeRef, QueueEntry, Sitting, Unheard
from trajaudit.datamodel.judging import PanelDecision, ReplyStatus, Vote
from trajaudit.datamodel.review import HumanDecision
from trajaudit.judge.audit import with_audit
from trajaudit.judge.meter import Meter
from trajaudit.judge.panel import Judged
from trajaudit.judge.risk import Key, audited, with_risk
from trajaudit.llm import family_of
from trajaudit.record.judged import (
    QUEUE,
    VoteLedger,
    read_commitments,
    read_decisions,
    read_sittings,
    read_votes,
    write_judged,
)
from trajaudit.record.judges import LoadedPanel
from trajaudit.record.rundir import RunDir
from trajaudit.review.column import broken_tasks, passes_of
from trajaudit.review.settle import human_decisions


@dataclass(frozen=True)
class Sat:
    """A panel that has looked at every trial that was put to it."""

    loaded: LoadedPanel
    judged: Sequence[Judged]
    meter: Meter
    asked: int
    """Votes for which a judge was really asked."""
    certified: Certified

    @property
    def sitting(self) -> Sitting:
        """What it took, as a record."""
        panel, rubric = self.loaded.panel, self.loaded.rubric
        said = [
            vote
            for one in self.judged
            for vote in one.votes
            if vote.status is not ReplyStatus.PROVIDER_FAILED
        ]
        return Sitting(
            panel=panel.name,
            panel_version=panel.version,
            rubric=rubric.name,
            rubric_version=rubric.version,
            sha256=self.loaded.sha256,
            judges=tuple(
                JudgeRef(model=one.model, family=one.family or family_of(one.model))
                for one in panel.judges
            ),
            commit_first=panel.commit_first,
            trials=len(self.judged),
            sent=self.meter.calls,
            retries=self.meter.retries,
            from_cache=len(said) - self.asked,
            tokens=self.meter.tokens,
            cost_usd=None if self.meter.unpriced else self.meter.cost_usd,
            unheard=tuple(
                Unheard(task_id=one.item.task_id, trial=one.item.trial, why=one.why)
                for one in self.judged
                if one.decision is None
            ),
            certified=self.certified,
        )


def store(run: RunDir, sat: Sat, ledger: VoteLedger) -> list[PanelDecision]:
    """Write what the panel said; other rubrics, and trials that nobody heard, stay as they were.

    Returns:
        The decisions of this rubric.

    Raises:
        StorageError: a file cannot be written.
    """
    rubric = sat.loaded.rubric.name
    before = list(read_decisions(run))
    unheard = {_key(one.item) for one in sat.judged if one.decision is None}
    stays = [one for one in before if one.rubric == rubric and _key(one) in unheard]
    heard = [one.decision for one in sat.judged if one.decision is not None]
    panel = sat.loaded.panel
    people = human_decisions(run)
    known = audited([one for one in before if one.rubric == rubric], passes_of(people))
    drawn = with_audit([*stays, *heard], panel.audit, seed=panel.seed)
    decisions = with_risk(drawn, known, panel.costs)
    everything = [*(one for one in before if one.rubric != rubric), *decisions]
    write_judged(
        run,
        ledger.in_order(_votes(run, sat, {_key(one) for one in stays})),
        everything,
        _commitments(run, sat),
        [*(one for one in read_sittings(run) if one.rubric != rubric), sat.sitting],
    )
    run.write_records(QUEUE, queue_of(everything, people))
    return decisions


def queue_of(
    decisions: Sequence[PanelDecision], people: Mapping[Key, HumanDecision]
) -> list[QueueEntry]:
    """Return what people still have to look at, the most urgent first.

    A trial that people settled comes back into no queue, also where they could not tell; nor does
    one of a task that they called broken.
    """
    broken = broken_tasks(people.values())
    found = [
        QueueEntry(
            task_id=one.task_id,
            trial=one.trial,
            rubric=one.rubric,
            queue=one.queue,
            priority=one.priority,
            triggers=one.triggers,
            stratum=one.stratum,
            inclusion=one.inclusion if one.queue == "audit" else None,
        )
        for one in decisions
        if one.queue != "none" and _key(one) not in people and one.task_id not in broken
    ]
    return sorted(found, key=lambda one: -one.priority)


def _key(one: object) -> Key:
    return getattr(one, "task_id"), getattr(one, "trial")  # noqa: B009


def _votes(run: RunDir, sat: Sat, stay: set[Key]) -> list[Vote]:
    """Return the votes that decisions rest on, those of this time included."""
    rubric = sat.loaded.rubric.name
    now = [vote for one in sat.judged for vote in one.votes]
    before = [vote for vote in read_votes(run) if vote.rubric != rubric or _key(vote) in stay]
    return list(dict.fromkeys([*before, *now]))


def _commitments(run: RunDir, sat: Sat) -> list[Commitment]:
    now = [note for one in sat.judged for note in one.notes]
    both = (*read_commitments(run), *now)
    latest = {(one.judge, one.address, one.task_id): one for one in both}
    return list(latest.values())
