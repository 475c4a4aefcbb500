"""A real model in this machine is held to the form of a ballot, and what it makes up is voided."""

import json

import pytest

from tests.judge import paired
from tests.judge.made import TASK, trajectory
from trajaudit.datamodel.judging import Criterion, Judge, Rubric
from trajaudit.judge.pairwise_seat import Cell, ask_pair
from trajaudit.judge.seat import Item, Seat
from trajaudit.judge.view import view_of
from trajaudit.llm import open_model

RUBRIC = Rubric(
    name="one", version=1, description="x", criteria=(Criterion(id="done", text="It was done."),)
)
TEMPLATE = "Judge the trial between the fences {{nonce}}. {{rubric}} {{criteria}} {{contract}}"


@pytest.mark.local_model
def test_the_embedded_model_replies_in_the_form_that_was_asked_for() -> None:
    model = open_model("local/smollm2")
    seat = Seat(Judge(model="local/smollm2", max_tokens=160), model, model.family)
    item = Item("late", 1, view_of("outcome", TASK, trajectory()))

    vote = seat.ask(item, RUBRIC, TEMPLATE, seed=0, order=1, replicate=1)
    seat.close()

    written = "".join(vote.raw[0].split())
    assert written.startswith('{"criteria":[{"id":"done","evidence":[')
    assert (vote.overall is None) != vote.status.counts
    assert vote.completion_tokens > 0
    if vote.status.counts:
        assert list(json.loads(vote.raw[-1])) == ["criteria", "conflicts", "overall"]


@pytest.mark.local_model
def test_the_embedded_model_compares_in_the_form_that_was_asked_for() -> None:
    model = open_model("local/smollm2")
    judge = Judge(model="local/smollm2", max_tokens=160, brief=True)
    seat = Seat(judge, model, model.family)

    vote = ask_pair(
        seat, paired.pair(), paired.RUBRIC, TEMPLATE, Cell(seed=0, order=1, replicate=1)
    )
    seat.close()

    written = "".join(vote.raw[0].split())
    assert written.startswith(f'{{"criteria":[{{"id":"{vote.shown[0]}","evidence":[')
    assert (vote.choice is None) != vote.status.counts
    assert vote.completion_tokens > 0
