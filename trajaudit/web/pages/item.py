"""An item under review: given out, looked at, labelled, put off, taken back."""

import json
from collections.abc import Mapping
from types import MappingProxyType

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from trajaudit.datamodel.finding import FailureKind as Kind
from trajaudit.review.blind import BlindTrial
from trajaudit.review.desk_records import (
    FORM_OF_PAIR,
    FORM_OF_TRIAL,
    PUBLIC,
    AdjudicationForm,
    BlindPair,
    Conflict,
    DeskError,
    Opened,
    Refusal,
    ReviewForm,
)
from trajaudit.web.form import review_form
from trajaudit.web.refusal import refused
from trajaudit.web.trial_page import ShownTrial, shown_trial
from trajaudit.web.visit import Get, Post, Visit

router = APIRouter()
KINDS: Mapping[str, tuple[Kind, ...]] = MappingProxyType(
    {
        "answer": (
            Kind.WRONG_ANSWER,
            Kind.NO_ANSWER,
            Kind.EARLY_CORRECT_LATE_FAIL,
            Kind.RETRACTED,
            Kind.TRUNCATED,
            Kind.REFUSED,
            Kind.FORMAT_MISMATCH,
            Kind.EXTRACTION_FAILED,
        ),
        "tools": (
            Kind.WRONG_TOOL,
            Kind.INVALID_ARGUMENTS,
            Kind.SCHEMA_NEAR_MISS,
            Kind.UNKNOWN_TOOL,
            Kind.MISSING_CALL,
            Kind.UNNEEDED_CALLS,
            Kind.LOOP,
            Kind.UNRECOVERED_ERROR,
        ),
        "path": (
            Kind.ORDER_VIOLATION,
            Kind.FORBIDDEN_ACTION,
            Kind.DISALLOWED_TOOL,
            Kind.ALTERNATE_VALID_PATH,
        ),
        "criterion": (
            Kind.RIGHT_PROCESS_WRONG_CRITERION,
            Kind.REFERENCE_SUSPECT,
            Kind.TASK_BROKEN,
        ),
        "integrity": (
            Kind.TEST_TAMPERING,
            Kind.HISTORY_MINING,
            Kind.EXTERNAL_FETCH,
            Kind.ANSWER_LEAK,
            Kind.BENCHMARK_RECOGNISED,
            Kind.INJECTION_FOLLOWED,
        ),
        "outside": (Kind.SANDBOX_FAILED, Kind.PROVIDER_FAILED, Kind.FAULT_NOT_HIT),
    }
)
"""What a reviewer can say of a failure; kinds that only tell of judges are not among them."""
SAYS = (
    *("saved", "not_saved", "offline", "lease_soon", "lease_over", "lease_back", "gone"),
    *("hits", "no_hits", "cite", "marked", "unmarked", "bad_set", "bad_unset", "too_long"),
    *("no_marks", "choose_first", "fold_all", "unfold_all", "remove", "step", "task", "sending"),
    *("left", "right", "loading"),
)
"""Texts that the script of the page needs."""
Form = ReviewForm | AdjudicationForm | None


@router.post("/start")
def start(visit: Post) -> Response:
    return following(visit)


@router.get("/item/{item}")
def item_page(visit: Get, item: str) -> Response:
    opened = visit.desk.open(visit.who, item)
    return work_page(visit, opened, opened.draft)


@router.post("/item/{item}")
def save(visit: Post, item: str) -> Response:
    who = visit.who
    form = review_form(item, visit.fields)
    try:
        saved = visit.desk.save(who, form)
    except DeskError as error:
        return _again(visit, form, error)
    return visit.to("/?notice=batch") if saved.batch_over else following(visit)


@router.post("/item/{item}/defer")
def defer(visit: Post, item: str) -> Response:
    who = visit.who
    form = review_form(item, visit.fields)
    try:
        visit.desk.keep(who, form)
        visit.desk.defer(who, form.lease)
    except DeskError as error:
        raise refused(error, visit.fields) from error
    return following(visit)


@router.post("/item/{item}/renew")
def renew(visit: Post, item: str) -> Response:  # noqa: ARG001 (the lease says which)
    until = visit.desk.renew(visit.who, visit.fields.get("lease", ""))
    return JSONResponse({"expires": until.isoformat()})


@router.post("/item/{item}/draft")
def draft(visit: Post, item: str) -> Response:
    kept = visit.desk.keep(visit.who, review_form(item, visit.fields))
    return JSONResponse({"kept": kept})


@router.post("/undo")
def undo(visit: Post) -> Response:
    who = visit.who
    if here := visit.fields.get("item", ""):
        visit.desk.keep(who, review_form(here, visit.fields))
    try:
        item = visit.desk.undo(who)
    except DeskError as error:
        if error.reason is not Refusal.NOTHING_TO_UNDO:
            raise
        item = None
    return visit.to("/?notice=no_undo" if item is None else f"/item/{item[:PUBLIC]}")


def following(visit: Visit) -> Response:
    """Go on to the next item, or home where there is none."""
    opened = visit.desk.next(visit.who)
    return visit.to(f"/item/{opened.public_id}" if opened else "/?notice=done")


def _again(visit: Visit, form: ReviewForm, error: DeskError) -> Response:
    """Show what was typed once more, on the item's page where it can still be had."""
    if error.reason not in {Refusal.LEASE_OVER, Refusal.BAD_FORM}:
        raise refused(error, visit.fields) from error
    try:
        opened = visit.desk.open(visit.who, form.item_id)
    except DeskError as second:
        raise refused(second, visit.fields) from error
    answer = refused(error)
    return work_page(visit, opened, form, notice=answer.key, status=answer.status)


def work_page(
    visit: Visit, item: Opened | Conflict, form: Form, *, notice: str = "", status: int = 200
) -> Response:
    """Return the page on which an item is looked at and a verdict is given."""
    conflict = item if isinstance(item, Conflict) else None
    kind = "conflict" if conflict else "item"
    visit.site.recent.put(visit.who.name, kind, item.item_id, item.content)
    left, right = sides(visit, item.content)
    values = {
        "item": item,
        "conflict": conflict,
        "left": left,
        "right": right,
        "form": form,
        "base": f"/{kind}/{item.public_id}",
        "progress": None if conflict else visit.desk.progress(visit.who),
        "choices": FORM_OF_PAIR if item.is_pair else FORM_OF_TRIAL,
        "kinds": KINDS,
        "says": SAYS,
        "notice": notice,
        "own": marks_json(form),
        "now": visit.site.settings.clock(),
        "minutes": visit.desk.core.policy.lease_minutes,
    }
    return visit.page("work.html.j2", values, status)


def sides(visit: Visit, content: BlindTrial | BlindPair) -> tuple[ShownTrial, ShownTrial | None]:
    """Lay out one trial, or the two of a pair."""
    if isinstance(content, BlindPair):
        words = visit.words
        return shown_trial(content.left, words, "left"), shown_trial(content.right, words, "right")
    return shown_trial(content, visit.words), None


def marks_json(form: Form) -> str:
    """Return the evidence of a form as its hidden field holds it."""
    marks = [mark.model_dump(mode="json") for mark in form.evidence] if form else []
    return json.dumps(marks)
