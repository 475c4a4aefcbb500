"""A trial is shown whole, in portions that stay small, and every word of it can be found."""

from tests.review.made import SCENARIO, TASK, trajectory
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory
from trajaudit.review.blind import BlindTrial, blinded
from trajaudit.review.shown import Hider
from trajaudit.web.language import Words
from trajaudit.web.search import Hit, search
from trajaudit.web.trial_page import (
    PORTION_STEPS,
    TEXT_CHARS,
    portions,
    shown_steps,
    shown_trial,
    whole_step,
)

WORDS = Words("en")


def _trial(*steps: Step) -> BlindTrial:
    made = Trajectory(task_id="late", steps=steps, final_reply="done", final_step=len(steps))
    return blinded(Hider(()), TASK, SCENARIO, made)


def _step(number: int, content: str = "a word", seen: str = "") -> Step:
    call = ToolCall(call_id="c", tool="refund_order", arguments_text='{"a": 1}', arguments={"a": 1})
    observation = Observation(call_id="c", tool="refund_order", content=seen)
    return Step(
        number=number,
        message=Message(role="assistant", content=content),
        tool_calls=(call,) if seen else (),
        observations=(observation,) if seen else (),
    )


def test_every_step_is_in_exactly_one_portion_and_the_first_comes_at_once() -> None:
    trial = _trial(*(_step(n, "x" * 5000) for n in range(1, 201)))
    cut = portions(trial)
    shown = [step.view.number for one in cut for step in shown_steps(trial, WORDS, None, one)]

    assert shown == list(range(1, 201))
    page = shown_trial(trial, WORDS)
    assert [one.view.number for one in page.steps] == list(range(1, cut[0].last + 1))
    assert page.later == cut[1:]
    assert all(one.last - one.first < PORTION_STEPS for one in cut)


def test_a_long_text_is_cut_with_a_note_and_can_be_had_whole() -> None:
    text = "y" * (TEXT_CHARS + 1234)
    trial = _trial(_step(1), _step(2, seen=text))
    first, second = shown_steps(trial, WORDS, None, portions(trial)[0])

    assert (first.whole, second.whole) == (True, False)
    said = second.view.calls[0].observations[0].content.parts[0][0]
    assert said.endswith("\n[… 1,234 more characters]")
    whole = whole_step(trial, None, 2)
    assert whole is not None
    assert whole.whole
    assert whole.view.calls[0].observations[0].content.parts[0][0] == text
    assert whole_step(trial, None, 3) is None


def test_a_trial_without_steps_has_a_page() -> None:
    page = shown_trial(_trial(), WORDS)

    assert (page.steps, page.later) == ((), ())


def test_search_finds_words_anywhere_whatever_the_white_space_and_case() -> None:
    long = "z" * 100_000 + ' {"Needle":\n 7}'
    trial = _trial(_step(1, "needle"), _step(2), _step(3, seen=long))

    assert search(trial, "needle") == [Hit(None, 1, 1), Hit(None, 3, 1)]
    assert search(trial, '"needle": 7', "left") == [Hit("left", 3, 1)]
    assert search(trial, "A-17") == [Hit(None, 0, 1)]
    assert search(trial, "refund_order") == [Hit(None, 0, 1), Hit(None, 3, 1)]
    assert search(trial, "  ") == []
    assert search(trial, "nowhere") == []


def test_what_acts_is_found_as_it_is_shown() -> None:
    trial = _trial(_step(1, "red \x1b[31m"))

    assert search(trial, r"\x1b[31m") == [Hit(None, 1, 1)]


def test_a_page_is_made_of_a_usual_trial() -> None:
    page = shown_trial(blinded(Hider(()), TASK, SCENARIO, trajectory()), WORDS, "right")

    assert page.prefix == "right"
    assert [one.view.anchor for one in page.steps] == ["right-s1", "right-s2"]
    assert [one.name for one in page.tools] == ["refund_order"]
