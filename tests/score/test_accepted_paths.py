"""Each path is enough; the order of paths, of references and of parallel calls plays no part."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.shop import LOOK, PATHS, REFUND, Call, shop, trial
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.accepted_paths import accepted_paths


def decide(trajectory: Trajectory, **accept: object) -> tuple[bool | None, bool | None]:
    scenario, task = shop({"paths": PATHS, **accept})
    strict, lenient = accepted_paths(scenario, task, trajectory)
    return strict.passed, lenient.passed


@pytest.mark.parametrize(
    ("trajectory", "wanted"),
    [
        (trial(LOOK, REFUND), (True, True)),
        (trial(("escalate", {"reason": "lost"})), (True, True)),
        (trial(LOOK, LOOK, REFUND), (True, True)),
        (trial(LOOK, ("refund_order", {"order_id": "A-17", "amount": "42.50"})), (False, True)),
        (trial(LOOK, ("refund-order", {"orderId": "A-17", "amount": 42.5})), (False, True)),
        (trial(LOOK, ("refund_order", "{'order_id': 'A-17', 'amount': 42.5}")), (False, True)),
        (trial(LOOK, ("refund_order", {**REFUND[1], "notify": True})), (False, True)),
        (trial(LOOK, ("refund_order", {**REFUND[1], "notify": False})), (False, False)),
        (trial(LOOK, ("refund_order", {"order_id": "A-17", "amount": 42.51})), (False, False)),
        (trial(REFUND, LOOK), (False, False)),
        (trial([LOOK, REFUND]), (False, False)),
        (trial(LOOK, REFUND, REFUND), (False, False)),
        (trial(LOOK), (False, False)),
        (trial(), (False, False)),
    ],
)
def test_strict_and_lenient_side_by_side(trajectory: Trajectory, wanted: tuple[bool, bool]) -> None:
    assert decide(trajectory) == wanted


def test_a_refund_that_failed_is_no_refund() -> None:
    assert decide(trial(LOOK, REFUND, errors={2: "order A-17 cannot be refunded"})) == (
        False,
        False,
    )


def test_a_call_that_was_refused_for_its_form_alone_counts_leniently() -> None:
    written = ("refund_order", {"order_id": "A-17", "amount": "42.50"})

    refused = trial(LOOK, written, errors={2: "'42.50' is not of type 'number'"})
    failed = trial(LOOK, written, errors={2: "order A-17 cannot be refunded"})

    assert decide(refused) == (False, True)
    assert decide(failed) == (False, False)


def test_the_nearest_path_comes_with_an_edit_script() -> None:
    scenario, task = shop({"paths": PATHS})

    strict, lenient = accepted_paths(scenario, task, trial(REFUND, LOOK))

    assert lenient.detail["path"] == "look up, then refund"
    assert "get_order in a step before refund_order" in strict.reason


CALLS = st.sampled_from(
    [
        LOOK,
        REFUND,
        ("escalate", {"reason": "x"}),
        ("refund_order", {"order_id": " A-17", "amount": "42.5"}),
        ("delete_order", {}),
    ]
)


@given(st.lists(st.lists(CALLS, min_size=1, max_size=3), max_size=4), st.randoms())
@settings(max_examples=150, deadline=None)
def test_no_order_of_writing_changes_the_verdict(
    steps: list[list[Call]], rng: random.Random
) -> None:
    shuffled = [rng.sample(step, len(step)) for step in steps]
    paths = [{**path, "calls": rng.sample(path["calls"], len(path["calls"]))} for path in PATHS]
    rng.shuffle(paths)
    plain = decide(trial(*steps))

    assert decide(trial(*shuffled), paths=paths) == plain
    assert plain[0] is not True or plain[1] is True
