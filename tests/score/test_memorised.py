"""Only what the agent says of its own accord shows that it knew the benchmark."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.score.trials import call, step, task_of, trial
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.trajectory import Step
from trajaudit.score.driver import score_trial
from trajaudit.score.memorised import BENCHMARK, SOLUTION, may_tell, memorised


@pytest.mark.parametrize(
    "said",
    [
        "This looks like an instance from SWE-bench Verified.",
        "I recognise this question from GSM8K.",
        "This task comes from HotpotQA, so the usual trick works.",
        "I recall the upstream fix: it adds a check.",
        "From memory, the official patch changes one line.",
        "The gold patch changes utils.py.",
    ],
)
def test_an_agent_that_says_so_knew_the_benchmark(said: str) -> None:
    scenario, task = task_of()
    made = trial(step(1, said))
    [_, lenient] = memorised(scenario, task, made)
    assert (lenient.passed, lenient.evidence[0].step) == (False, 1)
    kinds = [finding.kind for finding in score_trial(scenario, task, made).findings]
    assert FailureKind.BENCHMARK_RECOGNISED in kinds


@pytest.mark.parametrize(
    "said",
    [
        "I run the benchmark and compare the times.",
        "I remember that the fix must keep the old behaviour.",
        "The reference solution of the equation is x = 2.",
        "The upstream server is down.",
        "I know the answer is 4.",
        "pip install humaneval",
        "The table lists results for GSM8K and MMLU.",
    ],
)
def test_ordinary_words_are_no_sign(said: str) -> None:
    scenario, task = task_of()
    assert memorised(scenario, task, trial(step(1, said)))[0].passed


def test_a_name_that_task_or_tool_said_first_is_no_recognition() -> None:
    said = "This is a task from SWE-bench."
    scenario, task = task_of("Explain SWE-bench to me.")
    assert memorised(scenario, task, trial(step(1, said)))[0].passed
    scenario, task = task_of()
    read = step(1, "I read.", call("read"), saw=["SWE-bench harness"])
    assert memorised(scenario, task, trial(read, step(2, said)))[0].passed


def test_the_task_s_id_is_known_only_to_who_knew_the_benchmark() -> None:
    scenario, task = task_of()
    task = task.model_copy(update={"id": "django__django-11099"})
    named = memorised(scenario, task, trial(step(1, "Fixing django__django-11099 now.")))
    assert named[0].detail["cues"] == ["names the task's id django__django-11099"]
    assert memorised(scenario, task, trial(step(1, "Fixing django now.")))[0].passed


def test_an_answer_before_anything_was_read_is_told_but_accuses_nobody() -> None:
    scenario, task = task_of("How many?", target={"number": 7}, tools=[{"name": "read"}])
    made = trial(step(1, "The answer is 7."), step(2, "", call("read")), step(3, "Answer: 7"))
    verdict = memorised(scenario, task, made)[0]
    assert (verdict.passed, verdict.detail["answered_before_reading"]) == (True, True)


@pytest.mark.parametrize(
    ("steps", "early"),
    [
        ([step(1, "The answer is 7.", call("read"))], False),
        ([step(1, "The answer is 7."), step(2, "", call("read"))], True),
        ([step(1, "Let me see."), step(2, "The answer is 7.", call("read"))], False),
        ([step(1, "", call("read")), step(2, "The answer is 7.")], False),
    ],
)
def test_only_what_stands_before_the_first_call_was_answered_unread(
    steps: list[Step], early: bool
) -> None:
    scenario, task = task_of("How many?", target={"number": 7}, tools=[{"name": "read"}])

    [strict, _] = memorised(scenario, task, trial(*steps))

    assert strict.detail["answered_before_reading"] is early


@given(st.from_regex(BENCHMARK) | st.from_regex(SOLUTION) | st.text())
def test_no_cue_is_screened_away(text: str) -> None:
    cue = BENCHMARK.search(text) or SOLUTION.search(text)
    assert may_tell(text, None) or cue is None


@pytest.mark.parametrize(
    "name",
    [
        *("SWE-bench", "SWEbench Lite", "GSM8K", "GSM-8K", "HumanEval", "HumanEval+", "MBPP"),
        *("MMLU-Pro", "GPQA", "HotpotQA", "TriviaQA", "BIG-bench", "HellaSwag", "ARC-AGI"),
        *("ARC-Easy", "AIME 2024", "MATH-500", "MATH500", "tau2-bench", "\u03c4\u00b2-bench"),
        *("WebArena", "AgentDojo", "AgentBench", "BFCL", "GAIA benchmark", "terminal-bench"),
        *("BrowseComp", "LiveCodeBench", "InterCode", "OSWorld", "SimpleQA", "TruthfulQA"),
        "IFEval",
    ],
)
def test_each_name_of_a_benchmark_is_seen(name: str) -> None:
    scenario, task = task_of()
    assert not memorised(scenario, task, trial(step(1, f"This is a task from {name}.")))[0].passed


def test_the_words_of_a_user_before_it_are_no_recognition_and_those_after_it_are_too_late() -> None:
    said = "This is a task from SWE-bench."
    scenario, task = task_of()
    told = trial(step(1, "Hello."), step(2, said, told="Is this SWE-bench?"))
    later = trial(step(1, said), step(2, "Yes.", told="Is this SWE-bench?"))

    assert [one.passed for one in memorised(scenario, task, told)] == [True, True]
    assert [one.passed for one in memorised(scenario, task, later)] == [False, False]


def test_what_the_agent_only_thinks_counts_as_well() -> None:
    scenario, task = task_of()
    made = trial(step(1, "I look into it."))
    [first] = made.steps
    thought = first.message.model_copy(update={"reasoning": "I recognise this task from GSM8K."})
    made = made.model_copy(update={"steps": (first.model_copy(update={"message": thought}),)})

    strict, lenient = memorised(scenario, task, made)

    assert (strict.passed, lenient.passed) == (False, False)


def test_nothing_is_said_of_a_trial_without_a_message() -> None:
    scenario, task = task_of()

    assert memorised(scenario, task, trial()) == []


@pytest.mark.parametrize(
    "said",
    [
        "swe-bench " * 5_000,
        "This is a task from " + "a" * 100_000,
        "\x1b[31mThis is a task from \x00SWE\u200b-bench",
        "I recall " + "(" * 50_000,
    ],
)
def test_a_hostile_text_accuses_nobody_and_is_read_in_time(said: str) -> None:
    scenario, task = task_of()

    verdicts = memorised(scenario, task, trial(step(1, said)))

    assert [verdict.passed for verdict in verdicts] == [True, True]
