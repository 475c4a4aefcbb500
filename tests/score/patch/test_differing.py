"""Two solutions differ where the reference solution is sure of itself, and nowhere else."""

from typing import Any

from trajaudit.datamodel.patch_findings import DifferingCall
from trajaudit.score.patch.differing import (
    Compared,
    Outcome,
    ProbeInput,
    compare,
    suspects,
)

ONE = [ProbeInput(function="f", arguments="1", made_up=True)]


def returned(value: str, **more: str) -> Outcome:
    return Outcome(number=0, kind="returned", value=value, **more)


def ended(kind: Any, value: str = "") -> Outcome:
    return Outcome(number=0, kind=kind, value=value)


def compared(
    gold: Outcome,
    candidate: Outcome,
    *,
    again: Outcome | None = None,
    base: Outcome | None = None,
    inputs: list[ProbeInput] = ONE,
) -> Compared:
    return compare(inputs, {0: gold}, {0: again or gold}, {0: candidate}, {0: base} if base else {})


def test_another_value_differs_and_says_how() -> None:
    done = compared(returned("2"), returned("3"), base=returned("3"))

    assert (done.compared, done.undecided) == (1, 0)
    assert [one.likeness for one in done.differences] == ["unfixed"]
    assert done.differences[0].call == DifferingCall(
        function="f", arguments="1", gold="2", candidate="3", base="3"
    )


def test_what_the_reference_solution_left_alone_was_changed() -> None:
    done = compared(returned("2"), returned("3"), base=returned("2"))

    assert [one.likeness for one in done.differences] == ["changed"]


def test_effects_and_output_tell_solutions_apart() -> None:
    effects = compared(returned("2", effects="[1]"), returned("2", effects="[]"))
    printed = compared(returned("2", printed="a"), returned("2", printed=""))

    assert [one.call.gold for one in effects.differences] == ["leaves [1]"]
    assert [one.call.candidate for one in printed.differences] == ["prints ''"]


def test_of_exceptions_only_the_type_counts() -> None:
    assert not compared(ended("raised", "KeyError"), ended("raised", "KeyError")).differences
    assert compared(ended("raised", "KeyError"), ended("raised", "LookupError")).differences
    assert compared(returned("2"), ended("hung")).differences
    assert compared(returned("2"), ended("died")).differences


def test_a_reference_solution_that_varies_decides_nothing() -> None:
    done = compared(returned("2"), returned("3"), again=returned("4"))

    assert (done.differences, done.compared, done.undecided) == ([], 0, 1)


def test_a_difference_that_was_not_tried_again_decides_nothing() -> None:
    done = compare(ONE, {0: returned("2")}, {}, {0: returned("3")}, {})

    assert (done.differences, done.compared) == ([], 0)


def test_arguments_that_are_malformed_decide_nothing_unless_a_test_passed_them() -> None:
    gold, candidate = ended("raised", "TypeError"), returned("3")
    seen = [ProbeInput(function="f", arguments="1", made_up=False)]

    assert compared(gold, candidate).compared == 0
    assert compared(gold, candidate, inputs=seen).differences


def test_what_cannot_be_called_is_not_compared() -> None:
    assert compared(returned("2"), ended("unusable")).compared == 0
    assert compared(ended("hung"), returned("2")).compared == 0
    assert suspects(ONE, {0: returned("2")}, {0: ended("unusable")}) == []
    assert suspects(ONE, {0: returned("2")}, {0: returned("3")}) == [0]


def test_the_shortest_example_comes_first_and_what_is_left_behind_last() -> None:
    arguments = ("100", "7", "88", "1")
    inputs = [ProbeInput(function="f", arguments=text, made_up=True) for text in arguments]
    gold = {number: Outcome(number=number, kind="returned", value="a") for number in range(4)}
    other = {number: Outcome(number=number, kind="returned", value="b") for number in range(3)}
    other[3] = Outcome(number=3, kind="returned", value="a", effects="[]")

    done = compare(inputs, gold, gold, other, {})
    inputs[0] = inputs[0].model_copy(update={"made_up": False})
    seen = compare(inputs, gold, gold, other, {})

    assert [one.call.arguments for one in done.differences] == ["7", "88", "100", "1"]
    assert [one.call.arguments for one in seen.differences] == ["100", "7", "88", "1"]
