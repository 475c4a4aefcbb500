"""Assignments are optimal, whatever the order of anything, and quick."""

import itertools
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajaudit.score.assignment import Problem, violations
from trajaudit.score.matching import assign, best_assignment, f1_of
from trajaudit.score.order_search import SearchLimitError


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    expected = draw(st.integers(0, 4))
    actual = draw(st.integers(0, 5))
    numbers = st.sets(st.integers(0, max(expected - 1, 0)), max_size=expected)
    fits = [sorted(draw(numbers)) if expected else [] for _ in range(actual)]
    steps = sorted(draw(st.lists(st.integers(1, 4), min_size=actual, max_size=actual)))
    flags = st.lists(st.booleans(), min_size=expected, max_size=expected)
    pairs = list(itertools.combinations(range(expected), 2))
    before = draw(st.sets(st.sampled_from(pairs), max_size=3)) if pairs else set()
    turn = draw(st.booleans())
    return Problem(
        kinds=range(expected),
        fits=fits,
        steps=steps,
        required=draw(flags),
        repeat=draw(flags),
        free=draw(st.lists(st.booleans(), min_size=actual, max_size=actual)),
        before=frozenset((b, a) if turn else (a, b) for a, b in before),
    )


def brute_force(problem: Problem) -> bool:
    """Try everything: each call serves one expected call or none."""
    options = [[None, *fits] for fits in problem.fits]
    return any(_is_good(problem, choice) for choice in itertools.product(*options))


def _is_good(problem: Problem, choice: tuple[int | None, ...]) -> bool:
    pairs = {a: e for a, e in enumerate(choice) if e is not None}
    served = list(pairs.values())
    if any(served.count(e) > 1 and not problem.repeat[e] for e in set(served)):
        return False
    if any(need and e not in served for e, need in enumerate(problem.required)):
        return False
    if any(a not in pairs and not free for a, free in enumerate(problem.free)):
        return False
    first = {e: min(problem.steps[a] for a in pairs if pairs[a] == e) for e in served}
    closure = set(problem.before)
    for _ in range(4):
        closure |= {(a, d) for a, b in closure for c, d in closure if b == c}
    return all(first[a] < first[b] for a, b in closure if a in first and b in first)


@given(problems())
@settings(max_examples=400, deadline=None)
def test_an_assignment_is_found_exactly_when_trying_everything_finds_one(problem: Problem) -> None:
    found = assign(problem)

    assert (found is not None) == brute_force(problem)
    if found is not None:
        choice = tuple(found.pairs.get(a) for a in range(len(problem.fits)))
        assert _is_good(problem, choice)


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_numbering_of_expected_calls_plays_no_part(
    problem: Problem, rng: random.Random
) -> None:
    order = list(range(len(problem.required)))
    rng.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    shuffled = Problem(
        kinds=range(len(order)),
        fits=[sorted(place[e] for e in fits) for fits in problem.fits],
        steps=problem.steps,
        required=[problem.required[old] for old in order],
        repeat=[problem.repeat[old] for old in order],
        free=problem.free,
        before=frozenset((place[a], place[b]) for a, b in problem.before),
    )

    assert (assign(problem) is None) == (assign(shuffled) is None)
    assert len(best_assignment(problem).missing) == len(best_assignment(shuffled).missing)
    assert len(best_assignment(problem).surplus) == len(best_assignment(shuffled).surplus)


@given(problems())
@settings(max_examples=150, deadline=None)
def test_as_many_expected_calls_are_served_as_can_be(problem: Problem) -> None:
    plain = Problem(
        kinds=problem.kinds,
        fits=problem.fits,
        steps=problem.steps,
        required=[True] * len(problem.required),
        repeat=[False] * len(problem.required),
        free=[True] * len(problem.fits),
    )
    options = [[None, *fits] for fits in plain.fits]
    most = max(
        len(served)
        for choice in itertools.product(*options)
        if len(served := [e for e in choice if e is not None]) == len(set(served))
    )

    assert len(best_assignment(plain).pairs) == most


def test_a_call_that_fits_two_is_given_to_the_one_that_has_no_other() -> None:
    problem = Problem(
        kinds=[0, 1],
        fits=[[0, 1], [0]],
        steps=[1, 2],
        required=[True, True],
        repeat=[False, False],
        free=[False, False],
    )

    found = assign(problem)

    assert found is not None
    assert found.pairs == {0: 1, 1: 0}


def test_calls_of_one_step_are_in_no_order() -> None:
    problem = Problem(
        kinds=[0, 1],
        fits=[[0], [1]],
        steps=[1, 1],
        required=[True, True],
        repeat=[False, False],
        free=[False, False],
        before=frozenset({(0, 1)}),
    )

    assert assign(problem) is None
    assert list(violations(problem, {0: 0, 1: 1})) == [(0, 1)]


def test_an_order_that_runs_in_a_circle_is_never_kept() -> None:
    problem = Problem(
        kinds=[0, 1],
        fits=[[0], [1]],
        steps=[1, 2],
        required=[True, True],
        repeat=[False, False],
        free=[True, True],
        before=frozenset({(0, 1), (1, 0)}),
    )

    assert assign(problem) is None


def test_a_search_that_grows_too_large_is_given_up_and_not_guessed() -> None:
    pairs = 16
    others = list(range(2 * pairs))
    late, early = 2 * pairs, 2 * pairs + 1
    problem = Problem(
        kinds=range(len(others) + 2),
        fits=[*([others] * len(others)), [late], [early]],
        steps=list(range(len(others) + 2)),
        required=[True] * (len(others) + 2),
        repeat=[False] * (len(others) + 2),
        free=[True] * (len(others) + 2),
        before=frozenset({(early, late), *((n, n + pairs) for n in range(pairs))}),
    )

    with pytest.raises(SearchLimitError, match="20000"):
        assign(problem)


@pytest.mark.parametrize("distinct", [1, 10, 1000])
def test_a_thousand_calls_are_assigned_in_a_moment(distinct: int) -> None:
    count = 1000
    problem = Problem(
        kinds=[e % distinct for e in range(count)],
        fits=[[a % distinct] for a in range(count)],
        steps=list(range(count)),
        required=[True] * count,
        repeat=[False] * count,
        free=[False] * count,
        before=frozenset(itertools.pairwise(range(count))),
    )
    begin = time.perf_counter()

    assert assign(problem) is not None
    assert time.perf_counter() - begin < 1


def test_nothing_made_where_nothing_is_wanted_is_right() -> None:
    assert f1_of(0, 0, 0) == (1.0, 1.0, 1.0)
    assert f1_of(0, 0, 2) == (0.0, 0.0, 0.0)
    assert f1_of(3, 3, 4) == pytest.approx((1.0, 0.75, 6 / 7))


def test_an_optional_call_stays_unserved_where_serving_it_would_bar_a_later_one() -> None:
    problem = Problem(
        kinds=[0, 1, 2],
        fits=[[2], [0], []],
        steps=[1, 1, 1],
        required=[False, False, False],
        repeat=[False, False, False],
        free=[True, False, True],
        before=frozenset({(2, 0)}),
    )

    found = assign(problem)

    assert found is not None
    assert brute_force(problem)
