"""How the criteria of a task make one outcome, in each mode.

A task has up to three criteria: its target (the final answer, or the patch that is left), what its
accept wants told to the user, and the rest of its accept (the process).

* strict: the answer passes strictly, and the process does: a listed path is followed with exact
  arguments, and the end state holds, each where it is declared;
* lenient: the answer passes leniently, and the end state holds or a path is followed leniently. An
  end state is the world's, the effects of the calls that change something where no world is known
  (`effects`), or what an imported log recorded of it (`recorded_checks`);
* what is to be told to the user is told, in each mode;
* a forbidden action or a tool that is not allowed fails the process in both modes.

Combined with Kleene's three values: a criterion that was not graded leaves the outcome open, unless
another one settles it. Strict true implies lenient true, because it does for every scorer and each
lenient condition is implied by its strict one.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trajaudit.datamodel.verdict import GradeStatus, Mode, Verdict

ANSWER = "final_answer"
PATCH = "patch"
PATHS = "accepted_paths"
STATE = "end_state"
EFFECTS = "effects"
RECORDED = "recorded_checks"
COMMUNICATED = "communicated"
GUARDS = ("forbidden_actions", "allowed_tools")
_TOLD = (ANSWER, PATCH, COMMUNICATED)
_WAYS = (PATHS, STATE, EFFECTS, RECORDED)
CRITERIA = frozenset({*_TOLD, *_WAYS, *GUARDS})
"""Scorers whose verdicts decide; all others explain."""

Decisions = Mapping[str, "Decision"]


class Decision(NamedTuple):
    """Passed, failed, or open with the reason why."""

    passed: bool | None
    status: GradeStatus = GradeStatus.GRADED
    reason: str = ""


def decisions_of(verdicts: Sequence[Verdict], mode: Mode) -> dict[str, Decision]:
    """Return the decision of each scorer that decides, in one mode."""
    return {
        verdict.scorer: Decision(verdict.passed, verdict.status, verdict.reason)
        for verdict in verdicts
        if verdict.mode == mode and verdict.scorer in CRITERIA
    }


def combine(decisions: Decisions, mode: Mode) -> Decision | None:
    """Combine the criteria that were asked; None when the task has none."""
    asked = [decisions[name] for name in _TOLD if name in decisions]
    done = process(decisions, mode)
    if done is not None:
        asked.append(done)
    return all_of(asked) if asked else None


def process(decisions: Decisions, mode: Mode) -> Decision | None:
    """Combine what is said about the process; None when nothing was asked of it."""
    ways = [decisions[name] for name in _WAYS if name in decisions]
    guards = [decisions[name] for name in GUARDS if name in decisions]
    if not ways:
        return all_of(guards) if guards else None
    return all_of([all_of(ways) if mode == "strict" else any_of(ways), *guards])


def all_of(decisions: Sequence[Decision]) -> Decision:
    """Pass if all pass; fail if one fails; else open."""
    for wanted in (False, None):
        for decision in decisions:
            if decision.passed is wanted:
                return decision
    return Decision(True)


def any_of(decisions: Sequence[Decision]) -> Decision:
    """Pass if one passes; open if one is open; else fail."""
    for wanted in (True, None):
        for decision in decisions:
            if decision.passed is wanted:
                return decision
    return decisions[0]


def failed_checks(checks: Mapping[str, bool | None]) -> tuple[str, ...]:
    """Return every check that failed: those outside the declared basis stay visible too."""
    return tuple(name for name, passed in checks.items() if passed is False)


def basis_passes(basis: Sequence[str], checks: Mapping[str, bool | None]) -> bool | None:
    """Return whether every check of the basis passed; None when one was not made."""
    made = [Decision(checks.get(name)) for name in basis]
    return all_of(made).passed if made else None
