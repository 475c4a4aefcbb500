"""Adapters from cases about reviewing: what is shown to whom, what labels settle, what is counted.

Of a view every value of the case is planted where the product keeps such a thing, in the text of
the trial as well where an agent could tell it; visible is what is found in what a page is given.
"""

import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from tests.cases.judging import Case
from tests.cases.made import run_config
from tests.cases.outcome import Adapter, Outcome
from trajaudit.datamodel import run as runs
from trajaudit.datamodel.judging import PanelDecision
from trajaudit.datamodel.review import (
    Adjudication,
    ItemState,
    LedgerRecord,
    Place,
    Review,
    ReviewPolicy,
    ReviewVerdict,
    Settled,
)
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Message, Step, Trajectory
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.record.rundir import RunDir
from trajaudit.report import figures
from trajaudit.report.summary import summarise
from trajaudit.review.blind import BlindTrial, blind_trial
from trajaudit.review.desk_records import Conflict, ConflictReview, FormVerdict, RubricShown
from trajaudit.review.reveal_records import Revealed, RevealedLabel, RevealedTrial
from trajaudit.review.settle import settle

ITEM, NOW = "a" * 64, "2026-01-01T00:00:00Z"
PLACE = Place(run_id="r", task_id="t", trial=1)
_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("name", ("name", "reviewer_id", "who", "email")),
    ("label", ("reviewer", "label", "review", "human", "annotator")),
    ("judge", ("judge", "panel", "vote", "verdict", "scor", "strict", "lenient", "grade")),
    ("model", ("model", "agent", "provider", "system_under_test")),
    ("spent", ("cost", "token", "latency", "duration", "price")),
    ("queue", ("queue", "stratum", "priority", "gold")),
    ("run", ("run", "trial_id", "experiment")),
)
"""What a key of an item speaks of, by a word in it; anything else is the work itself."""
_STATES: dict[str, frozenset[ItemState]] = {
    "waiting": frozenset({ItemState.NEW, ItemState.WAITING}),
    "adjudicate": frozenset({ItemState.CONFLICT}),
    "undecided": frozenset({ItemState.UNDECIDED}),
    "settled": frozenset({ItemState.AGREED, ItemState.ADJUDICATED}),
}
_WORDS = {
    **dict.fromkeys(("pending", "open", "new", "incomplete", "needs_second"), "waiting"),
    **dict.fromkeys(("conflict", "disagreement", "escalate", "needs_adjudication"), "adjudicate"),
    **dict.fromkeys(("undecidable", "cannot_tell", "unresolved", "inconclusive"), "undecided"),
    **dict.fromkeys(("agreed", "done", "final", "locked", "resolved", "adjudicated"), "settled"),
    **dict.fromkeys(("accepted", "complete", "completed", "closed", "decided"), "settled"),
    **dict.fromkeys(("task_broken", "excluded", "broken"), "settled"),
}


def review(given: Case, expected: Case) -> Outcome:
    """Answer a case about a page, labels, or a result without a value."""
    if "view" in given:
        return _view(given, expected)
    return _labels(given, expected) if "labels" in given else _metric(given, expected)


def _view(given: Case, expected: Case) -> Outcome:
    keys = dict.fromkeys([*given["item"], *expected["visible"], *expected["hidden"]])
    page = _page(given["view"], {key: f"zz{at}planted" for at, key in enumerate(keys)})
    visible = [key for at, key in enumerate(keys) if f"zz{at}planted" in page]
    leaked = sorted(set(visible) & set(expected["hidden"]))
    missing = sorted(set(expected["visible"]) - set(visible))
    return Outcome(
        "visible: " + ", ".join(visible),
        accepted=not leaked and not missing,
        credited=bool(leaked),
        credit_allowed=not leaked,
        shown={"leaked": leaked, "missing": missing},
    )


def _page(view: str, planted: dict[str, str]) -> str:
    """Return what the page of a view is made of, as text."""
    by_kind: dict[str, str] = {}
    for key, mark in planted.items():
        kind = next((kind for kind, words in _KINDS if any(w in key for w in words)), "work")
        by_kind[kind] = f"{by_kind.get(kind, '')} {mark}".strip()
    content = _blind(by_kind)
    told = _label("one", "pass", by_kind.get("name", "Ada"), by_kind.get("label", ""))
    if "adjud" in view:
        letters = (ConflictReview(letter="A", verdict=FormVerdict.PASS, reason=told.reason),)
        return Conflict(
            item_id=ITEM,
            lease="l",
            expires=datetime(2026, 1, 1, tzinfo=UTC),
            content=content,
            rubric=RubricShown(name="task_success", version=1, description="?"),
            reviews=letters,
        ).model_dump_json()
    if any(word in view for word in ("lock", "reveal", "after", "settled")):
        label = RevealedLabel(letter="A", verdict=FormVerdict.PASS, reason=told.reason)
        return Revealed(
            item_id=ITEM,
            content=content,
            state=ItemState.AGREED,
            verdict=FormVerdict.PASS,
            labels=(label,),
            trials=(_revealed(by_kind),),
        ).model_dump_json()
    return content.model_dump_json()


def _blind(by_kind: dict[str, str]) -> BlindTrial:
    model = by_kind.get("model", "")
    reply = f"{by_kind.get('work', '')} says {model or 'nobody'}"
    step = Step(number=1, message=Message(role="assistant", content=reply))
    trajectory = Trajectory(
        task_id="t", model_id=model, steps=(step,), final_reply=reply, end_detail=str(by_kind)
    )
    record = runs.TrialRecord(
        run_id=by_kind.get("run", "r"),
        task_id="t",
        trial=1,
        end_reason="replied",
        end_detail=str(by_kind),
    )
    task = Task(id="t", prompt="?", metadata={**by_kind})
    with tempfile.TemporaryDirectory() as folder:
        run = RunDir.create(Path(folder), run_config(("t",)))
        return blind_trial(run, record, task, Scenario(trajaudit=1, tasks=(task,)), trajectory)


def _revealed(by_kind: dict[str, str]) -> RevealedTrial:
    decision = PanelDecision(
        task_id="t", trial=1, panel=by_kind.get("judge", "p"), rubric="r", result="pass", stage="A"
    )
    return RevealedTrial(
        place=Place(run_id=by_kind.get("run", "r"), task_id="t", trial=1),
        model_id=by_kind.get("model", ""),
        decisions=(decision,),
    )


def _labels(given: Case, expected: Case) -> Outcome:
    records = _records(given)
    found = settle(ITEM, records, ReviewPolicy(), doubled=True)
    wanted = str(expected["state"]).casefold()
    state = _STATES.get(_WORDS.get(wanted, wanted), frozenset())
    final = None if found.verdict is None else found.verdict.value
    final_wanted = [expected.get("final"), *expected.get("accept", [])]
    said_right = final in final_wanted or _says_broken(found, expected)
    return Outcome(
        f"{found.state.value}, {final}",
        accepted=found.state in state and said_right,
        credited=final is not None,
        credit_allowed=final in final_wanted,
        shown={"state": found.state.value, "final": final},
    )


def _says_broken(found: Settled, expected: Case) -> bool:
    """A broken task has no final verdict; a case may say so in either field."""
    return found.verdict is ReviewVerdict.TASK_BROKEN and "broken" in str(expected["state"])


def _records(given: Case) -> list[LedgerRecord]:
    """A form that was opened and not sent leaves no record; who comes after two that differ, or
    is called so, adjudicates.
    """
    said = [(who, verdict) for who, verdict in given["labels"].items() if verdict is not None]
    said += [
        ("adjudicator", given[key]) for key in ("adjudicator", "adjudication") if given.get(key)
    ]
    found: list[LedgerRecord] = []
    for who, verdict in said:
        differ = len({one.verdict for one in found if isinstance(one, Review)}) > 1
        if differ or "adjud" in who:
            found.append(_adjudication(verdict))
        else:
            found.append(_label(who, verdict, who))
    return found


def _label(number: str, verdict: str, who: str, reason: str = "") -> Review:
    return Review(
        review_id=number,
        item_id=ITEM,
        places=(PLACE,),
        reviewer=who,
        verdict=ReviewVerdict(verdict),
        reason=reason,
        opened=NOW,
        saved=NOW,
        seconds=1,
    )


def _adjudication(verdict: str) -> Adjudication:
    return Adjudication(
        adjudication_id="d",
        item_id=ITEM,
        places=(PLACE,),
        adjudicator="third",
        reviews=(),
        verdict=ReviewVerdict(verdict),
        opened=NOW,
        saved=NOW,
        seconds=1,
    )


def _metric(given: Case, expected: Case) -> Outcome:
    """Report one trial whose only result is the case's."""
    result = given["metric_result"]
    score = result.get("score")
    passed = None if score is None else score >= given["threshold"]
    outcome = runs.Outcome(
        task_id="t",
        trial=1,
        final=passed,
        status=GradeStatus.NOT_APPLICABLE if passed is None else GradeStatus.GRADED,
    )
    final = summarise(run_config(("t",)), [], [outcome], [], []).columns[-1]
    counts_as = None if not final.graded else _word(final.passes)
    not_counted = not final.graded and sum(final.ungraded.values()) == final.due == 1
    display = figures.state(result["status"]) if not_counted else counts_as
    shown = {"display": display, "counts_as": counts_as}
    return Outcome(
        str(display),
        accepted=display in _also(expected, "display") and counts_as == expected["counts_as"],
        credited=counts_as == "pass",
        credit_allowed=expected["counts_as"] == "pass",
        shown=shown,
    )


def _word(passes: int) -> str:
    return "pass" if passes else "fail"


def _also(expected: Case, key: str) -> Iterable[object]:
    return [expected[key], *expected.get("accept", [])]


ADAPTERS: dict[str, Adapter] = {"review": review}
