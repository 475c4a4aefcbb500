"""Scripted agents do exactly what is written, through the same recorder as any agent."""

from tests.conftest import RunText
from trajaudit.audit.score import trajectory_of

SHOP = """
trajaudit: 1
agent:
  kind: scripted
  tasks:
    a:
      - {say: Let me see., call: {price_of: {item: K-3}}}
      - {note: found it}
      - {reply: It costs 7 euros.}
tools:
  - name: price_of
    effect: read
    parameters: {type: object, required: [item], properties: {item: {type: string}}}
    mock: {table: [{args: {item: K-3}, reply: {price: 7}}]}
tasks: [{id: a, prompt: What does K-3 cost?, target: {money: 7, currency: EUR}}]
"""


def test_messages_calls_notes_and_the_reply_are_in_the_journal(run_text: RunText) -> None:
    result = run_text(SHOP)

    trajectory = trajectory_of(result.run, "a", 1)

    assert [step.message.content for step in trajectory.steps] == [
        "Let me see.",
        "It costs 7 euros.",
    ]
    assert [call.arguments for call in trajectory.steps[0].tool_calls] == [{"item": "K-3"}]
    assert [one.content for one in trajectory.steps[0].observations] == ['{"price":7}']
    assert trajectory.notes == ("found it",)
    assert trajectory.final_reply == "It costs 7 euros."


def test_the_sentence_fails_strictly_and_passes_a_careful_reading(run_text: RunText) -> None:
    outcome = next(iter(run_text(SHOP).run.read_outcomes()))

    assert (outcome.strict, outcome.lenient, outcome.final) == (False, True, True)


def test_a_crash_is_the_agents_and_its_text_is_kept(run_text: RunText) -> None:
    result = run_text(SHOP.replace("{note: found it}", "{crash: no more memory}"))

    record = next(result.run.read_trials())

    assert (record.end_reason, record.end_detail) == ("agent_error", "no more memory")


def test_the_step_limit_ends_a_script_that_goes_on(run_text: RunText) -> None:
    result = run_text(SHOP.replace("note: found it", "say: Found it.") + "limits: {steps: 1}\n")

    record = next(result.run.read_trials())

    assert record.end_reason == "step_limit"


def test_waiting_ends_with_the_trial(run_text: RunText) -> None:
    result = run_text(SHOP.replace("{note: found it}", "{wait_s: 60}") + "limits: {time_s: 0.2}\n")

    record = next(result.run.read_trials())

    assert record.end_reason == "time_limit"
    assert record.duration_s < 30
