"""The report as a page that needs no network and obeys nothing that a log says.

Every value passes `visible` and the template engine's escaping; a content security policy lets
only the style and the script of the report itself act, by their hashes.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.run import Outcome, RunConfig
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.record.stored import write_atomic
from trajaudit.record.verdict_places import VerdictPlaces
from trajaudit.report import figures
from trajaudit.report.block import Block, block
from trajaudit.report.bodies import Bodies, Body, Place
from trajaudit.report.judging_schema import TrialJudging
from trajaudit.report.judging_view import judging_view
from trajaudit.report.plot import TICKS, plot_of, plot_of_corrected, plot_of_lengths
from trajaudit.report.schema import Summary, TrialRow
from trajaudit.report.text import one_line, visible
from trajaudit.report.timeline import trial_view

INLINE_BYTES = 2_000_000
"""Trajectories that are larger together get a page each."""

Key = tuple[str, int]


class Decided:
    """Everything that was decided, found and judged, by trial."""

    def __init__(
        self,
        verdicts: Iterable[Verdict] | VerdictPlaces,
        findings: Iterable[Finding],
        outcomes: Iterable[Outcome],
        judged: Mapping[Key, Sequence[TrialJudging]] = MappingProxyType({}),
    ) -> None:
        self.judged = judged
        self._places = verdicts if isinstance(verdicts, VerdictPlaces) else None
        self._verdicts: dict[Key, list[Verdict]] = {}
        self.findings: dict[Key, list[Finding]] = {}
        for verdict in () if isinstance(verdicts, VerdictPlaces) else verdicts:
            self._verdicts.setdefault((verdict.task_id, verdict.trial), []).append(verdict)
        for found in findings:
            self.findings.setdefault((found.task_id, found.trial), []).append(found)
        for of_one in self.findings.values():
            of_one.sort(key=lambda found: not found.decided)
        self.outcomes = {(outcome.task_id, outcome.trial): outcome for outcome in outcomes}

    def verdicts(self, key: Key) -> Sequence[Verdict]:
        """Return the verdicts on one trial."""
        return self._verdicts.get(key, ()) if self._places is None else self._places.of(key)


def write_html(
    path: Path,
    summary: Summary,
    config: RunConfig,
    trajectories: Iterable[tuple[Task | None, Trajectory]],
    decided: Decided,
) -> None:
    """Write the report to `path`, and large trajectories beside it into `<stem>_files/`.

    Reads one trajectory at a time.

    Raises:
        StorageError: it cannot be written; an earlier `path` stays as it was.
    """
    templates = _templates()
    page = templates.get_template("page.html.j2")

    def page_of(body: Body, before: str | None, after: str | None) -> str:
        return page.render(
            summary=summary, report=path.name, body=body, previous=before, following=after
        )

    rows = {(row.task_id, row.trial): row for row in summary.trial_rows}
    bodies = Bodies(path.with_name(f"{path.stem}_files"), page_of, INLINE_BYTES)
    prompts = {task.id: one_line(task.prompt, 400) for task in config.scenario.tasks}
    places = _fill(bodies, templates, config, _noting(trajectories, prompts), decided, rows)
    write_atomic(path, _report(templates, summary, config, bodies, places, prompts))


def _noting(
    trajectories: Iterable[tuple[Task | None, Trajectory]], prompts: dict[str, str]
) -> Iterator[tuple[Task | None, Trajectory]]:
    """Pass trials on and keep the prompts of their tasks, which an imported run has elsewhere."""
    for task, trajectory in trajectories:
        if task is not None:
            prompts.setdefault(task.id, one_line(task.prompt, 400))
        yield task, trajectory


def _fill(
    bodies: Bodies,
    templates: Environment,
    config: RunConfig,
    trajectories: Iterable[tuple[Task | None, Trajectory]],
    decided: Decided,
    rows: Mapping[Key, TrialRow],
) -> dict[Key, Place]:
    # One module for all: a context for each trial would be a cycle that outlives it.
    macros: Any = templates.get_template("trial.html.j2").make_module()
    places: dict[Key, Place] = {}
    for number, (task, trajectory) in enumerate(trajectories, 1):
        key, anchor = (trajectory.task_id, trajectory.trial), f"x{number}"
        found, verdicts = decided.findings.get(key, ()), decided.verdicts(key)
        view = trial_view(anchor, trajectory, config, found, verdicts, task)
        row = rows.get(key)
        said = [judging_view(one, anchor, trajectory) for one in decided.judged.get(key, ())]
        content: Markup = macros.trial(view, row, decided.outcomes.get(key), said)
        places[key] = Place(anchor, len(trajectory.steps))
        bodies.add(Body(anchor, f"{trajectory.task_id}/{trajectory.trial}", row, content))
    bodies.close()
    return places


def _report(
    templates: Environment,
    summary: Summary,
    config: RunConfig,
    bodies: Bodies,
    places: dict[Key, Place],
    prompts: dict[str, str],
) -> Iterator[bytes]:
    def place(task_id: str, trial: int | None, step: int | None = None) -> str | None:
        if trial is None:
            return f"#task-{tasks.index(task_id) + 1}"
        if (at := places.get((task_id, trial))) is None:
            return None
        exists = step is not None and 1 <= step <= at.steps
        return f"{bodies.url(at.anchor)}#{at.anchor}" + (f"-s{step}" if exists else "")

    tasks = [row.task_id for row in summary.task_rows]
    rows: dict[str, list[TrialRow]] = {}
    for row in summary.trial_rows:
        rows.setdefault(row.task_id, []).append(row)
    chunks = templates.get_template("report.html.j2").generate(
        summary=summary,
        plot=plot_of(summary.columns),
        length_plot=plot_of_lengths(summary.lengths.limits if summary.lengths else ()),
        corrected_plot=plot_of_corrected(summary.corrected),
        rows=rows,
        kinds=sorted({kind.value for row in summary.trial_rows for kind in row.kinds}),
        suspicious={(pointer.task_id, pointer.trial) for pointer in summary.suspicious},
        prompts=prompts,
        place=place,
        places=places,
        bodies=bodies.inline,
        note=_note(bodies, len(places), len(summary.trial_rows)),
        provenance=list(_provenance(config)),
    )
    for chunk in chunks:
        yield chunk.encode()


def _note(bodies: Bodies, there: int, due: int) -> str:
    parts = []
    if bodies.apart:
        parts.append(
            f"The trajectories of this run are large: each is a page of its own in "
            f"{bodies.url('').split('/')[0]}/, which has to stay beside this file. "
            "The search reads the table below only."
        )
    if there < due:
        parts.append(f"{due - there} of {due} trials have no trajectory.")
    return " ".join(parts)


def _provenance(config: RunConfig) -> Iterator[tuple[str, Block]]:
    """Everything that decided, but for what the summary already says."""
    shown = config.model_dump(mode="json", exclude={"scenario", "schema_version", "task_ids"})
    for name, value in shown.items():
        if value not in (None, {}, []):
            yield name, block(value if isinstance(value, str) else orjson.dumps(value).decode())


def _templates() -> Environment:
    folder = files("trajaudit.report") / "templates"
    style, script = ((folder / f"report.{kind}").read_text("utf-8") for kind in ("css", "js"))
    environment = Environment(
        loader=PackageLoader("trajaudit.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_harmless,
    )
    environment.filters.update({name: getattr(figures, name) for name in _FILTERS})
    environment.globals.update(
        ticks=TICKS,
        style=Markup(style),  # noqa: S704 (files of this package)
        script=Markup(script),  # noqa: S704 (files of this package)
        policy="; ".join(
            (
                "default-src 'none'",
                f"style-src '{_hash(style)}'",
                f"script-src '{_hash(script)}'",
                "base-uri 'none'",
                "form-action 'none'",
                "require-trusted-types-for 'script'",
            )
        ),
    )
    return environment


_FILTERS = (
    "bounds",
    "comparison",
    "counted",
    "counts",
    "duration",
    "effect",
    "effort",
    "lengths",
    "limit",
    "money",
    "pass_at_1",
    "quantity",
    "rate",
    "reasons",
    "repeated",
    "share",
    "state",
    "with_interval",
)


def _harmless(value: Any) -> Any:
    """What every expression of a template passes before it is escaped."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
