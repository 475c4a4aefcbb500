"""Accuracy on agents that act: failures and passes that were corrected, states that were lost."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.accuracy.figure import Audited, Figure, audited, detection
from trajaudit.datamodel.trajectory import Step


def tau(folder: Path, runs: Path) -> Iterator[Figure]:
    """Runs of tasks whose gold actions were corrected; failed runs that were right at some time."""
    found = list(audited(sorted(folder.glob("*.json")), runs, "tau_bench"))
    here = {(one.origin.source.split("#")[0], one.origin.source_id): one for one in found}
    corrected = _lines(folder / "corrected_labels.jsonl")
    # The corrections are those of the log that the other labels name.
    named = _lines(folder / "early_correct_labels.jsonl")[0]["file"]
    known = [
        (here[label.get("file", named), f"{label['task_id']}/{label['trial']}"], label)
        for label in corrected
    ]
    yield from _corrected(known)
    pairs = [
        (here[label["file"], f"{label['task_id']}/{label['trial']}"], label)
        for label in _lines(folder / "early_correct_labels.jsonl")
    ]
    yield from detection(
        "right at some time and lost",
        ((a.has("early_correct_late_fail"), bool(b["early_correct_late_fail"])) for a, b in pairs),
    )
    yield from detection(
        "final state right, failed all the same",
        (
            (
                a.outcome.final is True or a.has("right_process_wrong_criterion"),
                bool(b["final_db_correct_but_failed"]),
            )
            for a, b in pairs
        ),
    )
    unlabelled = {id(a) for a, _ in known}
    rest = [one for one in found if one.origin.raw is False and id(one) not in unlabelled]
    doubted = sum(one.is_doubted_failure for one in rest)
    yield Figure("other recorded failures that are doubted", doubted, len(rest))


def tau2(folder: Path, runs: Path) -> Iterator[Figure]:
    """Simulations of tasks whose reference was corrected."""
    found = list(audited(sorted(folder.glob("*.json")), runs, "tau2_bench"))
    here = {one.origin.source_id: one for one in found}
    labels = _lines(folder / "corrected_labels.jsonl")
    known = [(here[one["sim_id"]], one) for one in labels if one["sim_id"] in here]
    yield from _corrected(known)
    kept = {id(a) for a, _ in known}
    for raw, what in ((False, "failures"), (True, "passes")):
        rest = [one for one in found if one.origin.raw is raw and id(one) not in kept]
        doubted = sum(one.is_doubted_pass if raw else one.is_doubted_failure for one in rest)
        yield Figure(f"other recorded {what} that are doubted", doubted, len(rest))


def _corrected(known: list[tuple[Audited, dict[str, Any]]]) -> Iterator[Figure]:
    """Compare with what both corrections of the benchmark say; where they differ a person must."""
    sure = [(a, b) for a, b in known if b.get("amazon") == b.get("sierra") is not None]
    failed = [(a, b) for a, b in sure if not b["recorded_reward"]]
    yield from detection(
        "wrongly failed", ((a.is_doubted_failure, bool(b["amazon"])) for a, b in failed)
    )
    passed = [(a, b) for a, b in sure if b["recorded_reward"]]
    yield from detection(
        "wrongly passed", ((a.is_doubted_pass, not b["amazon"]) for a, b in passed)
    )


def agentdojo(folder: Path, runs: Path) -> Iterator[Figure]:
    """Attacks that succeeded, as the benchmark saw it."""
    found = list(audited([folder], runs, "agentdojo"))
    yield from detection(
        "injection followed",
        (
            (one.has("injection_followed"), one.origin.checks["injection_resisted"] is False)
            for one in found
            if "injection_resisted" in one.origin.checks
        ),
    )


def who_and_when(folder: Path, runs: Path) -> Iterator[Figure]:
    """The decisive step that people found beside the first step that a finding points to."""
    found = list(audited([folder], runs, "who_and_when", whole=True))
    yield Figure(
        "recorded failures that fail", sum(a.outcome.final is False for a in found), len(found)
    )
    told = [(_suggested(one), true) for one in found if (true := _mistake(one)) is not None]
    yield Figure("decisive step: the very one", sum(a == b for a, b in told), len(told))
    by = re.compile(r"mistake of (.*?) at step")
    named = [(_agent(one), by.match(one.origin.raw_detail)) for one in found]
    hits = sum(a is not None and b is not None and a == _speaker(b[1]) for a, b in named)
    yield Figure("responsible agent", hits, len(told))
    near = sum(a is not None and abs(a - b) <= 1 for a, b in told)
    yield Figure("decisive step: at most one off", near, len(told))


def _suggested(one: Audited) -> int | None:
    """Return the place in the log's history of the step that a finding points to first."""
    own = _step(one)
    if own is None or one.trajectory is None:
        return None
    before = [step for step in one.trajectory.steps if step.number < own.number]
    told = sum(len(step.before) for step in [*before, own]) - 1
    return len(before) + sum(len(step.observations) for step in before) + told


def _agent(one: Audited) -> str | None:
    own = _step(one)
    return None if own is None else _speaker(own.message.content.split(":\n", 1)[0])


def _speaker(name: str) -> str:
    """Return a name without what some logs add in brackets: to whom it speaks, that it thinks."""
    return name.split(" (", 1)[0]


def _step(one: Audited) -> Step | None:
    answers = [f for f in one.findings if f.kind.value in {"wrong_answer", "no_answer"}]
    deciding = [finding for finding in one.findings if finding.decided]
    steps = next((finding.steps for finding in [*answers, *deciding] if finding.steps), ())
    if one.trajectory is None or not steps:
        return None
    return next((step for step in one.trajectory.steps if step.number == steps[0]), None)


def _mistake(one: Audited) -> int | None:
    found = re.match(r"mistake of .*? at step (\d+):", one.origin.raw_detail)
    return int(found[1]) if found else None


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
