"""A panel held against labelled trials, and the certificate that comes of it."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from trajaudit import __version__
from trajaudit.audit.certified import identity_of
from trajaudit.audit.judge import CACHE, opened_bench
from trajaudit.audit.judging import Estimate, estimate_of
from trajaudit.audit.labelled import Labelled, from_gold, from_labels, with_notebooks
from trajaudit.datamodel.gold import Certificate, Standing
from trajaudit.datamodel.judging import Vote
from trajaudit.errors import UsageError
from trajaudit.judge.certify import (
    PANEL,
    Bar,
    Case,
    error_correlation,
    said_by,
    said_together,
    standing,
)
from trajaudit.judge.decide import Circumstances, by_family
from trajaudit.judge.meter import Meter
from trajaudit.judge.panel import Bench
from trajaudit.judge.poll import Polled, poll
from trajaudit.judge.staged import decided_in_stages
from trajaudit.record.certificates import earlier_uses, write_certificate
from trajaudit.record.judges import LoadedPanel, load_panel
from trajaudit.record.rundir import RunDir


@dataclass(frozen=True, kw_only=True)
class CertifyOptions:
    """What was asked for."""

    panel: str = "default"
    rubric: str | None = None
    gold: str | None = None
    """A labelled set by name or path; with `run`, a file of labels; None: the shipped set of the
    rubric, or with `run` what people settled there."""
    run: RunDir | None = None
    bar: Bar = field(default_factory=Bar)
    limit: int | None = None
    """At most so many trials, twins kept together."""
    start: Path = field(default_factory=Path.cwd)
    runs: Path
    """Where certificates and answers are kept."""


@dataclass(frozen=True, kw_only=True)
class Certification:
    """A certificate, where it lies, and what it took."""

    certificate: Certificate
    path: Path
    votes: tuple[Vote, ...]
    unheard: tuple[Polled, ...]
    sent: int
    tokens: int
    cost_usd: float | None
    """None: a price is unknown."""


def labelled_for(loaded: LoadedPanel, options: CertifyOptions) -> Labelled:
    """Return the trials with a known verdict that the panel is held against.

    Raises:
        ScenarioError: no such set, or a line of it is wrong.
        UsageError: labels for trials that the run does not hold, or none at all.
    """
    if options.run is not None:
        labels = None if options.gold is None else Path(options.gold)
        found = from_labels(options.run, loaded, labels)
    else:
        found = from_gold(options.gold, loaded, options.start)
    return found if options.limit is None else found.first(options.limit)


def certify_estimate(options: CertifyOptions) -> Estimate:
    """Return what certifying would take; nothing is sent. Errors as for `certify`."""
    loaded = load_panel(options.panel, options.start, rubric=options.rubric)
    items = [one.item for one in labelled_for(loaded, options).trials]
    return estimate_of(loaded, items, everybody=True)


def certify(options: CertifyOptions) -> Certification:
    """Ask every judge about every labelled trial, in both orders; keep a certificate.

    Raises:
        ScenarioError: a file of the panel or of the set is wrong.
        UsageError: there are no labels, or nothing was heard.
        StorageError: the certificate cannot be kept.
    """
    loaded = load_panel(options.panel, options.start, rubric=options.rubric)
    labelled = labelled_for(loaded, options)
    meter = Meter(budget=loaded.panel.budget)
    with opened_bench(loaded, meter, options.runs / CACHE) as bench:
        polled = _all(with_notebooks(bench, loaded), labelled)
    unheard = tuple(one for one in polled if one.why)
    if not any(one.votes for one in polled):
        raise UsageError(f"no judge was heard; {unheard[0].why if unheard else 'no vote came'}")
    found = _certificate(loaded, labelled, polled, options)
    return Certification(
        certificate=found,
        path=write_certificate(options.runs, found),
        votes=tuple(vote for one in polled for vote in one.votes),
        unheard=unheard,
        sent=meter.calls,
        tokens=meter.tokens,
        cost_usd=None if meter.unpriced else meter.cost_usd,
    )


def _all(bench: Bench, labelled: Labelled) -> list[Polled]:
    with ThreadPoolExecutor(bench.panel.concurrency) as pool:
        return list(pool.map(lambda one: poll(bench, one.item), labelled.trials))


def _certificate(
    loaded: LoadedPanel, labelled: Labelled, polled: Sequence[Polled], options: CertifyOptions
) -> Certificate:
    identity = identity_of(loaded)
    judges = _by_judge(labelled, polled)
    together = _together(loaded, labelled, polled)
    panel = standing(PANEL, "", together, options.bar)
    uses = earlier_uses(options.runs, labelled.sha256, loaded.rubric.name, identity)
    return Certificate(
        panel=loaded.panel.name,
        rubric=loaded.rubric.name,
        identity=identity,
        gold=labelled.name,
        gold_sha256=labelled.sha256,
        sha256=loaded.sha256,
        version=__version__,
        made=datetime.now(UTC).isoformat(timespec="milliseconds"),
        least=options.bar.least,
        confidence=options.bar.confidence,
        certified=panel.admitted,
        panel_standing=panel,
        judges=tuple(_standing(name, cases, options.bar) for name, cases in judges.items()),
        error_correlation=error_correlation(judges.values()),
        earlier_uses=uses,
    )


def _standing(name: tuple[str, str], cases: Sequence[Case], bar: Bar) -> Standing:
    return standing(name[0], name[1], cases, bar)


def _by_judge(labelled: Labelled, polled: Sequence[Polled]) -> dict[tuple[str, str], list[Case]]:
    names = {(vote.judge, vote.family): None for one in polled for vote in one.votes}
    return {
        name: [
            Case(known.label, known.group, said_by([v for v in one.votes if v.family == name[1]]))
            for known, one in zip(labelled.trials, polled, strict=True)
        ]
        for name in names
    }


def _together(loaded: LoadedPanel, labelled: Labelled, polled: Sequence[Polled]) -> list[Case]:
    cases: list[Case] = []
    for known, one in zip(labelled.trials, polled, strict=True):
        item = one.item
        circumstances = Circumstances(
            task_id=item.task_id,
            trial=item.trial,
            rubric=loaded.rubric.name,
            decides=loaded.rubric.decides,
            cut_steps=item.view.cut_steps,
            fits=item.view.fits,
            addressed=item.view.addressed,
            # A person looks at harm whatever is found; here it counts what the panel finds.
            is_about_harm=False,
        )
        heard = len(by_family(one.votes)) > 1 and not one.why
        decision = decided_in_stages(one.votes, circumstances, loaded.panel) if heard else None
        cases.append(Case(known.label, known.group, said_together(decision)))
    return cases
