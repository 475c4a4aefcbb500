"""What is settled by counting calls is what matching would say, and what is kept is never mixed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.shop import LOOK, REFUND, Call, shop, trial
from trajaudit.score.accepted_paths import compare_paths, path_tables
from trajaudit.score.strict_json import parse_strictly

CALLS: list[Call] = [LOOK, REFUND, ("get_order", {"order_id": "a-17"}), ("escalate", {})]


@given(
    st.lists(st.lists(st.sampled_from(CALLS), min_size=1, max_size=2), max_size=4),
    st.lists(st.tuples(st.sampled_from(CALLS), st.booleans(), st.booleans()), max_size=4),
    st.sampled_from(["any", "read_only", "none"]),
    st.sampled_from(["any", "listed"]),
)
@settings(max_examples=300, deadline=None)
def test_a_path_that_fits_to_the_letter_is_one_that_matching_finds(
    steps: list[list[Call]], listed: list[tuple[Call, bool, bool]], extra: str, order: str
) -> None:
    calls = [
        {"tool": tool, "arguments": arguments, "optional": optional, "repeat": repeat}
        for (tool, arguments), optional, repeat in listed
    ]
    path = {"name": "p", "calls": calls, "order": order}
    scenario, task = shop({"paths": [path], "extra_calls": extra})

    (table,) = path_tables(scenario, task, trial(*steps))

    assert not table.fits_to_the_letter or table.assign("strict") is not None
    assert not table.is_followed or table.fits_to_the_letter


def test_one_and_true_and_a_float_are_other_letters() -> None:
    path = {"name": "p", "calls": [{"escalate": {"reason": 1}}]}
    scenario, task = shop({"paths": [path]})

    said = [
        compared.strict.passed
        for value in (1, 1.0, True, "1")
        if (compared := compare_paths(scenario, task, trial(("escalate", {"reason": value}))))
    ]

    assert said == [True, False, False, False]


def test_a_python_text_is_not_taken_for_arguments_that_came_parsed() -> None:
    path = {"name": "p", "calls": [{"escalate": {"reason": "x"}}] * 2}
    scenario, task = shop({"paths": [path]})
    made = trial(("escalate", ""), ("escalate", "{'reason': 'x'}"))
    call = made.steps[0].tool_calls[0].model_copy(update={"arguments": {"reason": "x"}})
    first = made.steps[0].model_copy(update={"tool_calls": (call,)})

    compared = compare_paths(
        scenario, task, made.model_copy(update={"steps": (first, made.steps[1])})
    )

    assert compared is not None
    assert (compared.strict.passed, compared.lenient.passed) == (False, True)


def test_a_large_integer_keeps_its_digits_and_a_name_given_twice_is_an_error() -> None:
    large = 2**70

    assert parse_strictly(f'{{"id": {large}}}') == {"id": large}
    for text in ('{"a": 1, "a": 1}', '{"a": NaN}', '{"a": 1} x'):
        try:
            parse_strictly(text)
        except ValueError:
            continue
        raise AssertionError(text)
