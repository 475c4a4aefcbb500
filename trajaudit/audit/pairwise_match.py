"""Which trials of two runs belong together, and what would comparing them take?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trajaudit.audit.judging import JudgeOptions, Sum, panel_of, policy_of
from trajaudit.audit.score import trajectory_of
from trajaudit.datamodel.pairwise import Side
from trajaudit.datamodel.run import Outcome, TrialRecord
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.errors import UsageError
from trajaudit.judge.column import is_judgeable
from trajaudit.judge.commit import Commission, messages_of
from trajaudit.judge.pairwise import seated_for_both
from trajaudit.judge.pairwise_prompt import pairwise
from trajaudit.judge.pairwise_seat import Pair
from trajaudit.judge.panel import calls_of
from trajaudit.judge.view import view_of
from trajaudit.llm import family_of
from trajaudit.record.judges import LoadedPanel
from trajaudit.record.pairs import DEFAULT_RUBRIC, LoadedPairRubric, load_pair_rubric
from trajaudit.record.rundir import RunDir

Key = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class PairOptions:
    """What was asked for; None leaves what the scenario, or the shipped files, say."""

    panel: str | None = None
    rubric: str | None = None
    start: Path = field(default_factory=Path.cwd)
    """Where names are looked up from."""


@dataclass(frozen=True, kw_only=True)
class Matched:
    """The trials that two runs share, and why others are left out."""

    keys: tuple[Key, ...]
    left_out: Mapping[str, int]
    """Reason → trials."""


@dataclass(frozen=True, kw_only=True)
class PairEstimate:
    """What comparing would take, before anything is sent."""

    pairs: int
    left_out: Mapping[str, int]
    fewest_calls: int
    most_calls: int
    most_calls_with_reasks: int
    """Every reply of no use is asked for once more."""
    prompt_tokens: int
    """Of the most calls, by a rule of thumb."""
    most_cost_usd: float | None
    """Of the most calls, each with the longest reply; None: a price is unknown."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two runs, what they share, and who compares it."""

    runs: tuple[RunDir, RunDir]
    loaded: LoadedPanel
    asked: LoadedPairRubric
    matched: Matched
    send_keys: bool = True
    """False where the scenario named the panel: keys then go to known addresses only."""

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs of trials, one at a time."""
        outcomes = [_outcomes(run) for run in self.runs]
        for key in self.matched.keys:
            yield _pair(self, key, (outcomes[0][key], outcomes[1][key]))


def comparison_of(first: RunDir, second: RunDir, options: PairOptions) -> Comparison:
    """Return what is compared with what, by whom.

    Raises:
        UsageError: one run twice, a run that was not scored, no trial that both runs have, or a
            file of the panel is wrong.
    """
    if first.path.resolve() == second.path.resolve():
        raise UsageError(f"two runs are compared; got {first.run_id} twice")
    loaded = panel_of(first, JudgeOptions(panel=options.panel, start=options.start))
    asked = load_pair_rubric(options.rubric or DEFAULT_RUBRIC, options.start)
    matched = match(first, second)
    if not matched.keys:
        why = ", ".join(f"{count} {reason}" for reason, count in matched.left_out.items())
        raise UsageError(
            f"{first.run_id} and {second.run_id} share no trial to compare; got {why or 'none'}; "
            "runs of the same tasks are wanted"
        )
    return Comparison(
        runs=(first, second),
        loaded=loaded,
        asked=asked,
        matched=matched,
        send_keys=options.panel is not None,
    )


def match(first: RunDir, second: RunDir) -> Matched:
    """Return the trials with the same task and number that can be compared.

    A task of the same name that asks something else is another task.

    Raises:
        UsageError: a run was not scored.
    """
    trials, outcomes = (_trials(first), _trials(second)), (_outcomes(first), _outcomes(second))
    left: dict[str, int] = {
        f"only in {first.run_id}": len(trials[0].keys() - trials[1].keys()),
        f"only in {second.run_id}": len(trials[1].keys() - trials[0].keys()),
        "of tasks that differ": 0,
        "without an attempt to judge": 0,
    }
    keys: list[Key] = []
    for key in trials[0]:
        if key not in trials[1]:
            continue
        both = [one.get(key) for one in outcomes]
        if not _asks_the_same(first.tasks.task(key[0]), second.tasks.task(key[0])):
            left["of tasks that differ"] += 1
        elif not all(one is not None and is_judgeable(one) for one in both):
            left["without an attempt to judge"] += 1
        else:
            keys.append(key)
    return Matched(keys=tuple(keys), left_out={why: count for why, count in left.items() if count})


def _asks_the_same(one: Task, other: Task) -> bool:
    return (one.prompt, one.target) == (other.prompt, other.target)


def _trials(run: RunDir) -> dict[Key, TrialRecord]:
    return {(one.task_id, one.trial): one for one in run.read_trials()}


def _outcomes(run: RunDir) -> dict[Key, Outcome]:
    if not (run.path / "outcomes.jsonl").exists():
        raise UsageError(f"{run.run_id} was not scored; run trajaudit score first")
    return {(one.task_id, one.trial): one for one in run.read_outcomes()}


def _pair(comparison: Comparison, key: Key, outcomes: tuple[Outcome, Outcome]) -> Pair:
    sides: tuple[Side, Side] = ("a", "b")
    # The task of the first run is shown for both: the second asks the same.
    task = comparison.runs[0].tasks.task(key[0])
    kind = comparison.asked.rubric.view
    seen = [trajectory_of(run, *key) for run in comparison.runs]
    return Pair(
        task_id=key[0],
        trial=key[1],
        views={
            side: view_of(kind, task, trajectory)
            for side, trajectory in zip(sides, seen, strict=True)
        },
        families=frozenset(family_of(_model(run, key)) for run in comparison.runs),
        ruled=(outcomes[0].lenient, outcomes[1].lenient),
        commission=_commission(comparison, key, task, seen),
    )


def _commission(
    comparison: Comparison, key: Key, task: Task, seen: Sequence[Trajectory]
) -> Commission | None:
    """Return what judges note down beforehand: what both agents were given alike."""
    if not comparison.loaded.panel.commit_first:
        return None
    records = [run.read_trial(*key) for run in comparison.runs]
    scenarios = [
        run.tasks.scenario(record)
        for run, record in zip(comparison.runs, records, strict=True)
        if record is not None
    ]
    policies = {policy_of(one, each) for one, each in zip(scenarios, seen, strict=True)}
    tools = [one.tools for one in scenarios]
    return Commission(
        task,
        tools[0] if tools[0] == tools[1] else (),
        policies.pop() if len(policies) == 1 else "",
    )


def _model(run: RunDir, key: Key) -> str:
    record = run.read_trial(*key)
    named = record.origin.model_id if record is not None and record.origin is not None else None
    return named or run.config.model_id


def estimate_pairs(comparison: Comparison) -> PairEstimate:
    """Return what comparing would take; no model is opened and nothing is sent."""
    panel = comparison.loaded.panel
    families = [judge.family or family_of(judge.model) for judge in panel.judges]
    pairs, found = 0, Sum()
    noted: set[tuple[str, int]] = set()
    for pair in comparison.pairs():
        pairs += 1
        if not pair.fits or pair.views["a"].sha256 == pair.views["b"].sha256:
            continue
        places, _ = seated_for_both(families, pair.families, panel.first)
        fewest, most = calls_of(panel, len(places))
        prompt = pairwise(
            comparison.asked.rubric, comparison.asked.prompt, pair.views, seed="", order=1
        )
        found.add([panel.judges[at] for at in places], prompt.messages, fewest, most)
        for number, at in enumerate(places if pair.commission else ()):
            key = (pair.commission.sha256 if pair.commission else "", at)
            if pair.commission and key not in noted:
                noted.add(key)
                asked = messages_of(pair.commission, comparison.loaded.commit_prompt)
                found.add([panel.judges[at]], asked, int(number < panel.first), 1)
    return PairEstimate(
        pairs=pairs,
        left_out=comparison.matched.left_out,
        fewest_calls=found.fewest,
        most_calls=found.most,
        most_calls_with_reasks=2 * found.most,
        prompt_tokens=found.tokens,
        most_cost_usd=found.cost,
    )
