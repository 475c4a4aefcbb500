"""Everything that is said of one trial when it is scored, in the form in which it is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from trajaudit.audit.scoring import Key, ScoredTrial, Seen, with_finding
from trajaudit.datamodel._base import varied
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.judging import PanelDecision
from trajaudit.datamodel.patch import Verification
from trajaudit.datamodel.review import HumanDecision
from trajaudit.datamodel.run import Outcome, TrialRecord
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.judge.column import with_panel
from trajaudit.record.stored import dumped_plain
from trajaudit.review.column import of_broken_task, with_human
from trajaudit.score.agreement import reading_of
from trajaudit.score.driver import TrialScores, score_trial

_varied = varied(Outcome)
_UNKNOWN = "unknown model"
"""Imported trials of which no log tells the model count as repeats of one."""


@dataclass(frozen=True, kw_only=True)
class Grader:
    """Scores trials of one run, beside what is known of them already."""

    origin: str = ""
    """What makes trials repeat each other; see `TrialReading.origin`."""
    controls: Mapping[Key, Outcome] = field(default_factory=dict)
    """Outcomes of the same trials without faults."""
    panels: Mapping[Key, PanelDecision] = field(default_factory=dict)
    """What a panel said of trials, where its rubric decides."""
    people: Mapping[Key, HumanDecision] = field(default_factory=dict)
    """What people settled."""
    broken: frozenset[str] = frozenset()
    """Tasks that people called broken."""

    def grade(
        self,
        record: TrialRecord,
        scenario: Scenario,
        task: Task,
        trajectory: Trajectory,
        tested: Verification | None = None,
    ) -> ScoredTrial:
        """Score one trial; never raises for anything that a trial holds."""
        key = (record.task_id, record.trial)
        control = self.controls.get(key)
        scores = score_trial(
            scenario, task, trajectory, control=control, recorded=record.origin, tested=tested
        )
        scores = _with_raw(scores, record)
        model = (record.origin.model_id or _UNKNOWN) if record.origin else ""
        reading = reading_of(scores.outcome, scores.verdicts, trajectory, self.origin, model)
        outcome, findings = self._decided(scores, key)
        return ScoredTrial(
            seen=Seen(record.task_id, record.trial, record.started, outcome.final, reading),
            verdicts=b"".join(dumped_plain(one) + b"\n" for one in scores.verdicts),
            outcome=dumped_plain(outcome),
            findings=tuple(map(dumped_plain, findings)),
            failures=scores.failures,
        )

    def _decided(self, scores: TrialScores, key: Key) -> tuple[Outcome, list[Finding]]:
        """Put what judges and people said beside the rules, and say what counts."""
        judged = with_panel(scores.outcome, self.panels.get(key))
        if key[0] in self.broken:
            outcome, finding = of_broken_task(judged)
            return outcome, with_finding(scores.findings, finding)
        return with_human(judged, self.people.get(key)), list(scores.findings)


def _with_raw(scores: TrialScores, record: TrialRecord) -> TrialScores:
    """Put the verdict that came with an imported log beside ours."""
    if record.origin is None or record.origin.raw is None:
        return scores
    outcome = _varied(scores.outcome, raw=record.origin.raw)
    return TrialScores(scores.verdicts, scores.findings, outcome, scores.failures)
