"""The battery asks about clean trials, twins and the same trial again; order alone is turned."""

import json
import re
from dataclasses import replace
from pathlib import Path

from tests.judge.made import TASK, said, trajectory
from trajaudit.datamodel.judged import Commitment
from trajaudit.datamodel.judging import Budget, Criterion, Judge, Panel, ReplyStatus, Rubric
from trajaudit.judge.battery import Probed, mirrored, probe, sides_of
from trajaudit.judge.commit import Commission
from trajaudit.judge.meter import Meter, MeteredModel
from trajaudit.judge.notebook import Notebook
from trajaudit.judge.panel import Bench
from trajaudit.judge.probes import PROBES, Subject
from trajaudit.judge.prompt import permuted
from trajaudit.judge.seat import Seat
from trajaudit.llm.base import ModelRequest, ModelResponse
from trajaudit.llm.scripted import Reply, Script, ScriptedModel

RUBRIC = Rubric(
    name="task_success",
    version=1,
    description="Was it done?",
    criteria=(
        Criterion(id="done", text="It was done."),
        Criterion(id="clean", text="Nothing else.", choices=("bad", "fair", "good"), passes="fair"),
    ),
)
SUBJECT = Subject(TASK, trajectory(), "pass")


class Swayed(ScriptedModel):
    """A judge that says fail where a pattern stands in what it is shown, else pass."""

    def __init__(self, pattern: str = "(?!)") -> None:
        self.pattern = pattern
        self.requests: list[ModelRequest] = []
        super().__init__([Reply(text="x")])

    def send(self, request: ModelRequest) -> ModelResponse:
        self.requests.append(request)
        text = "\n".join(one["content"] for one in request.body["messages"])
        verdict = "fail" if re.search(self.pattern, text) else "pass"
        # Quotes are of the task: numbers of steps differ between twins.
        written = said(verdict)
        for one in written["criteria"]:
            one["evidence"] = [{"step": 0, "quote": "Order A-17 never came"}]
        script = Script(replies=(Reply(text=json.dumps(written), repeat=True),))
        return ScriptedModel(script).send(request)


def bench(*models: ScriptedModel, cache: Path | None = None) -> Bench:
    judges = tuple(Judge(model=f"scripted/{at}", family=f"f{at}") for at, _ in enumerate(models))
    seats = tuple(
        Seat(judge, one, str(judge.family), cache)
        for judge, one in zip(judges, models, strict=True)
    )
    panel = Panel(name="p", version=1, judges=(*judges, *judges)[:2])
    return Bench(panel, RUBRIC, "{{nonce}} {{rubric}} {{criteria}} {{contract}}", seats)


def of(model: ScriptedModel, cache: Path | None = None) -> Probed:
    found, why = probe(bench(model, cache=cache), SUBJECT, PROBES)
    assert why == ""
    return found[0]


def moved(found: Probed) -> set[str]:
    return {name for name, pair in found.pairs.items() if pair.base != pair.twin}


def test_a_steady_judge_is_moved_by_nothing() -> None:
    assert moved(of(Swayed())) == set()


def test_a_judge_is_moved_by_exactly_what_it_looks_at() -> None:
    assert moved(of(Swayed(r"## "))) == {"style"}
    assert moved(of(Swayed("overall 'fail'"))) == {"injection"}
    assert moved(of(Swayed("GPT-5"))) == {"identity"}
    assert moved(of(Swayed("I verified every step"))) == {"claimed_reasoning"}
    assert moved(of(Swayed("Automatic check of this trial: failed"))) == {"outcome_leak"}
    assert moved(of(Swayed("pleasant day"))) == {"length"}
    assert moved(of(Swayed("error of refund_order"))) == {"recovery"}
    assert moved(of(Swayed(r"\[S3\] error of get_time|\[S2\] error of get_time"))) == {"late_error"}
    assert moved(of(Swayed("good, fair, bad, cannot_assess.*(\n|.)*"))) == {"order", "option_order"}


def test_the_choices_are_turned_while_the_criteria_stay() -> None:
    for n in range(1, 7):
        criteria = tuple(Criterion(id=f"c{at}", text="x") for at in range(n))
        rubric = RUBRIC.model_copy(update={"criteria": criteria})
        shown = [one.id for one in permuted(criteria, "seed", 1)]
        turned = mirrored(rubric, shown)
        assert [one.id for one in permuted(turned.criteria, "seed", 2)] == shown


def test_the_same_request_is_sent_anew_for_the_placebo_and_never_a_third_time(
    tmp_path: Path,
) -> None:
    first, second = Swayed(), Swayed()
    of(first, tmp_path)
    of(second, tmp_path)
    bodies = [str(request.body) for request in first.requests]

    assert sorted(bodies.count(body) for body in set(bodies))[-2:] == [1, 2]
    assert len(bodies) == len(sides_of(SUBJECT, PROBES)) == 13
    assert second.requests == []


def test_a_budget_that_ends_leaves_what_was_not_asked_out() -> None:
    made = bench(Swayed())
    meter = Meter(budget=Budget(calls=5))
    seat = made.seats[0]
    metered = Seat(seat.judge, MeteredModel(seat.model, meter), seat.family, None)
    found, why = probe(Bench(made.panel, RUBRIC, made.template, (metered,)), SUBJECT, PROBES)

    assert found == []
    assert why == "the budget is spent; calls 5 of 5"


def noting(model: ScriptedModel, status: ReplyStatus, text: str) -> Bench:
    """A bench whose judge has made notes on the task, or failed to."""
    made = bench(model)
    notes = Commitment(
        task_id=TASK.id,
        judge="scripted/0",
        family="f0",
        status=status,
        text=text,
        task_sha256="t",
        prompt_sha256="p",
    )
    return replace(made, notebooks={"f0": Notebook(lambda _: notes)})


def test_each_form_of_a_trial_is_shown_with_the_notes_on_its_task() -> None:
    model = Swayed()
    subject = replace(SUBJECT, commission=Commission(TASK))
    probe(noting(model, ReplyStatus.OK, "- 42.50 are due"), subject, PROBES)

    assert len(model.requests) == 13
    assert all("- 42.50 are due" in one.body["messages"][1]["content"] for one in model.requests)


def test_a_judge_that_could_make_no_notes_is_not_measured_as_one_without() -> None:
    model = Swayed()
    subject = replace(SUBJECT, commission=Commission(TASK))
    (found,), why = probe(noting(model, ReplyStatus.PROVIDER_FAILED, ""), subject, PROBES)

    assert (model.requests, found.clean, found.pairs, why) == ([], None, {}, "")
