"""The battery of probes on a panel: what is asked, what it takes, and what is kept of it."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from trajaudit import __version__
from trajaudit.audit.certified import identity_of
from trajaudit.audit.certify import CertifyOptions, labelled_for
from trajaudit.audit.judge import CACHE, opened_bench
from trajaudit.audit.judging import Estimate, estimate_of
from trajaudit.audit.labelled import Labelled, with_notebooks
from trajaudit.datamodel.bias import BiasReport
from trajaudit.datamodel.scenario import Task
from trajaudit.errors import UsageError
from trajaudit.judge.battery import Probed, probe, sides_of
from trajaudit.judge.bias import LIMIT, effects, failures
from trajaudit.judge.meter import Meter
from trajaudit.judge.panel import ORDERS
from trajaudit.judge.probes import PROBES, Probe, Side, Subject, clean
from trajaudit.judge.seat import Item
from trajaudit.judge.view import view_of
from trajaudit.record.certificates import write_bias
from trajaudit.record.fault import nearest
from trajaudit.record.judges import LoadedPanel, load_panel


@dataclass(frozen=True, kw_only=True)
class BiasOptions:
    """What was asked for."""

    trials: CertifyOptions
    """Which panel, and which labelled trials are changed."""
    probes: tuple[str, ...] = ()
    """By name; none: all."""
    limit: float = LIMIT


@dataclass(frozen=True, kw_only=True)
class BiasResult:
    """The report, where it lies, and what it took."""

    report: BiasReport
    path: Path
    unheard: tuple[str, ...]
    """Why trials were left out, each reason once."""
    sent: int
    tokens: int
    cost_usd: float | None


def chosen(names: Sequence[str]) -> tuple[Probe, ...]:
    """Return the probes of these names; all where none is named.

    Raises:
        UsageError: there is no such probe.
    """
    known = {one.name: one for one in PROBES}
    for name in names:
        if name not in known:
            raise UsageError(f"unknown probe; got {name!r}; {nearest(name, known)}")
    return tuple(one for one in PROBES if not names or one.name in names)


def subjects(labelled: Labelled) -> list[Subject]:
    """Return the trials that are changed, each with another task whose reference differs."""
    tasks = [one.task for one in labelled.trials]
    return [
        Subject(
            one.task,
            one.trajectory,
            one.label,
            _other(one.task, [*tasks[at:], *tasks[:at]]),
            one.item.commission,
        )
        for at, one in enumerate(labelled.trials)
    ]


def _other(task: Task, tasks: Sequence[Task]) -> Task | None:
    """Return the next task with another reference, of the same kind where there is one."""
    if task.target is None:
        return None
    others = [one for one in tasks if one.target is not None and one.target != task.target]
    alike = [one for one in others if type(one.target) is type(task.target)]
    return next(iter([*alike, *others]), None)


def bias_estimate(options: BiasOptions) -> Estimate:
    """Return what the battery would take; nothing is sent. Errors as for `measure_bias`."""
    loaded = _loaded(options)
    every = subjects(labelled_for(loaded, options.trials))
    sides = [side for one in every for side in sides_of(one, chosen(options.probes))]
    asked = estimate_of(loaded, [_item(loaded, side) for side in sides], everybody=True)
    # One order and one draw each.
    share = ORDERS * loaded.panel.replicates
    plain = [_item(loaded, clean(one)) for one in every]
    noting = [
        replace(item, commission=one.commission) for item, one in zip(plain, every, strict=True)
    ]
    with_notes, without = (estimate_of(loaded, items, everybody=True) for items in (noting, plain))
    calls = asked.most_calls // share + with_notes.most_calls - without.most_calls
    costs = (asked.most_cost_usd, with_notes.most_cost_usd, without.most_cost_usd)
    known = [cost for cost in costs if cost is not None]
    return Estimate(
        trials=len(every),
        fewest_calls=calls,
        most_calls=calls,
        prompt_tokens=asked.prompt_tokens // share
        + with_notes.prompt_tokens
        - without.prompt_tokens,
        most_cost_usd=known[0] / share + known[1] - known[2] if len(known) == 3 else None,
    )


def _item(loaded: LoadedPanel, side: Side) -> Item:
    return Item(side.task.id, 1, view_of(loaded.rubric.view, side.task, side.trajectory))


def measure_bias(options: BiasOptions) -> BiasResult:
    """Put labelled trials and their changed twins to every judge, and keep what came of it.

    Raises:
        ScenarioError: a file of the panel or of the set is wrong.
        UsageError: there is no such probe, no label, or nothing was heard.
        StorageError: the report cannot be kept.
    """
    loaded = _loaded(options)
    probes = chosen(options.probes)
    labelled = labelled_for(loaded, options.trials)
    every = subjects(labelled)
    meter = Meter(budget=loaded.panel.budget)
    runs = options.trials.runs
    with (
        opened_bench(loaded, meter, runs / CACHE) as bench,
        ThreadPoolExecutor(bench.panel.concurrency) as pool,
    ):
        noting = with_notebooks(bench, loaded)
        asked = list(pool.map(lambda one: probe(noting, one, probes), every))
    probed = [one for found, _ in asked for one in found]
    reasons = tuple(dict.fromkeys(why for _, why in asked if why))
    if not probed:
        raise UsageError(f"no judge was heard; {reasons[0] if reasons else 'no vote came'}")
    report = _report(loaded, labelled, probed, probes, options)
    return BiasResult(
        report=report,
        path=write_bias(runs, report),
        unheard=reasons,
        sent=meter.calls,
        tokens=meter.tokens,
        cost_usd=None if meter.unpriced else meter.cost_usd,
    )


def _loaded(options: BiasOptions) -> LoadedPanel:
    trials = options.trials
    return load_panel(trials.panel, trials.start, rubric=trials.rubric)


def _report(
    loaded: LoadedPanel,
    labelled: Labelled,
    probed: Sequence[Probed],
    probes: Sequence[Probe],
    options: BiasOptions,
) -> BiasReport:
    confidence = options.trials.bar.confidence
    found = effects(probed, probes, limit=options.limit, confidence=confidence)
    failed = failures(found)
    return BiasReport(
        panel=loaded.panel.name,
        rubric=loaded.rubric.name,
        identity=identity_of(loaded),
        gold=labelled.name,
        gold_sha256=labelled.sha256,
        sha256=loaded.sha256,
        version=__version__,
        made=datetime.now(UTC).isoformat(timespec="milliseconds"),
        limit=options.limit,
        confidence=confidence,
        passed=not failed,
        failed=tuple(failed),
        effects=tuple(found),
    )
