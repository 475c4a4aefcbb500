"""A reviewer sees the work and nothing of whose it is; the same work has one id."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.review.made import SCENARIO, TASK, record, run_dir, trajectory
from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.patch_trial import TakenPatch
from trajaudit.datamodel.scenario import LangGraphAgent
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.judge.names import brands, telling
from trajaudit.record.artifact import store_artifact
from trajaudit.review.blind import BlindTrial, blind_trial, blinded, pair_id
from trajaudit.review.shown import Hider

WORDS = st.text(st.sampled_from("xyzXYZ-/:._ 0123456789"), max_size=20)


def shown(one: Trajectory, names: tuple[str, ...] = (), **changed: Any) -> BlindTrial:
    return blinded(Hider(names), TASK.model_copy(update=changed), SCENARIO, one)


@given(
    who=st.tuples(WORDS, WORDS, WORDS),
    call_id=WORDS.map(lambda text: f"toolu_{text}"),
    trial=st.integers(1, 999),
    first_seq=st.integers(1, 10_000),
    seconds=st.floats(0, 1000),
)
def test_the_same_content_has_one_id_whoever_made_it_and_whenever(
    who: tuple[str, str, str], call_id: str, trial: int, first_seq: int, seconds: float
) -> None:
    agent, model, task_id = who
    one = trajectory()
    other = trajectory(
        agent=agent,
        model=model,
        call_id=call_id,
        trial=trial,
        first_seq=first_seq,
        seconds=seconds,
    ).model_copy(update={"task_id": task_id})

    blind = shown(other, tuple(telling([agent], [model])), id=task_id, tags=(agent,))

    assert blind.item_id == shown(one).item_id
    assert blind == shown(one)


@given(st.lists(st.text(min_size=1), min_size=2, max_size=6, unique=True))
def test_different_content_has_different_ids(replies: list[str]) -> None:
    ids = {shown(trajectory(reply)).item_id for reply in replies}

    assert len(ids) == len(replies)


def test_every_part_of_the_content_is_in_its_id() -> None:
    one = trajectory()
    tools = SCENARIO.model_copy(update={"tools": (ToolSpec(name="refund_order", effect="read"),)})
    system = SCENARIO.model_copy(update={"agent": LangGraphAgent(system="Be brief.")})
    ids = [
        shown(one).item_id,
        shown(one, prompt="Order A-18 never came.").item_id,
        shown(one, target=None).item_id,
        shown(one, accept=Accept(communicate=("refunded",))).item_id,
        shown(one.model_copy(update={"world_end": {"refunds": 1}})).item_id,
        shown(one.model_copy(update={"end_reason": "step_limit"})).item_id,
        blinded(Hider(()), TASK, tools, one).item_id,
        blinded(Hider(()), TASK, system, one).item_id,
        blinded(Hider(()), TASK, SCENARIO, one, patch="+1").item_id,
        blinded(Hider(()), TASK, SCENARIO, one, patch="").item_id,
    ]

    assert len(set(ids)) == len(ids)


def test_a_blind_trial_survives_being_stored_and_keeps_its_id() -> None:
    blind = shown(trajectory("gpt-9-mini \ud800 was here"), ("gpt-9-mini",))
    whole = shown(trajectory())

    assert BlindTrial.model_validate_json(whole.model_dump_json()) == whole
    assert len(blind.item_id) == 64


def test_names_are_hidden_in_every_text_and_in_names_of_tools() -> None:
    text = '{"who": "I am GPT-9-mini, the careful bot"}'
    one = trajectory("careful bot: done, says gpt-9-mini")
    call = one.steps[0].tool_calls[0]
    told = call.model_copy(
        update={"tool": "ask.gpt-9-mini", "arguments_text": text, "arguments": json.loads(text)}
    )
    step = one.steps[0].model_copy(update={"tool_calls": (told,)})
    names = tuple(telling(["careful bot"], ["openai/gpt-9-mini"]))

    blind = shown(one.model_copy(update={"steps": (step, *one.steps[1:])}), names)

    text = blind.model_dump_json().casefold()
    assert "gpt-9" not in text
    assert "careful" not in text
    assert blind.trajectory.steps[0].tool_calls[0].tool == "ask.agent"
    assert blind.trajectory.final_reply == "[agent]: done, says [agent]"


def test_no_entry_is_lost_where_two_names_become_one_mark() -> None:
    one = trajectory().model_copy(update={"world_end": {"GPT-9": 1, "gpt-9": 2, "x": 3}})

    world = shown(one, ("gpt-9",)).trajectory.world_end

    assert isinstance(world, dict)
    assert sorted(map(str, world.values())) == ["1", "2", "3"]


def test_ids_of_calls_and_reasons_of_ends_do_not_tell_the_provider() -> None:
    one = trajectory(call_id="toolu_01").model_copy(update={"finish_reason": "end_turn"})
    cut = one.model_copy(update={"finish_reason": "max_tokens"})

    blind = shown(one)

    assert "toolu" not in blind.model_dump_json()
    assert blind.trajectory.steps[0].observations[0].call_id == "c1"
    assert blind.trajectory.finish_reason is None
    assert shown(cut).trajectory.finish_reason == "length"


def test_of_a_run_neither_id_nor_verdict_nor_model_is_told_and_the_patch_is(tmp_path: Path) -> None:
    run = run_dir(tmp_path, "run-77", model_id="openrouter/anthropic/claude-next")
    run.trial_dir("late", 3).mkdir(parents=True)
    kept = store_artifact(run.trial_dir("late", 3), b"+made by Claude\n+\xff\n")
    one = trajectory("I, Claude of Anthropic, did it.", agent="shopbot 2", model="", trial=3)
    one = one.model_copy(
        update={"patch": TakenPatch(artifact=kept, size=19, files=("a.py",), detail="took 3 s")}
    )
    origin = Origin(source="x", format="y", agent="Shopbot", raw=False, raw_detail="accuracy=I")
    metadata = {"model": "claude-next", "score": "accuracy=I"}
    task = TASK.model_copy(update={"metadata": metadata, "tags": ("hard",)})

    blind = blind_trial(run, record("run-77", 3, origin=origin, cost_usd=0.5), task, SCENARIO, one)

    text = blind.model_dump_json().casefold()
    for hidden in ("run-77", "claude", "anthropic", "shopbot", "accuracy", "hard", "late", kept):
        assert hidden not in text
    assert blind.patch == "+made by [agent]\n+\\xff\n"
    assert blind.trajectory.patch is not None
    assert blind.trajectory.patch.files == ("a.py",)


def test_of_the_tools_only_those_are_shown_that_the_task_offers() -> None:
    tools = (ToolSpec(name="refund_order"), ToolSpec(name="close_account"))
    scenario = SCENARIO.model_copy(update={"tools": tools})
    task = TASK.model_copy(update={"tools": ("refund_order",)})

    offered = blinded(Hider(()), task, scenario, trajectory()).tools

    assert [one.name for one in offered] == ["refund_order"]


def test_the_rules_and_the_accepted_ends_of_the_scenario_are_shown() -> None:
    scenario = SCENARIO.model_copy(update={"accept": Accept(communicate=("refunded",))})

    blind = blinded(Hider(()), TASK, scenario, trajectory())

    assert blind.policy == "Be kind."
    assert blind.task.accept is not None
    assert blind.task.accept.communicate == ("refunded",)


def test_a_pair_has_an_id_of_its_own_in_either_order() -> None:
    one, other = shown(trajectory("a")), shown(trajectory("b"))

    assert len({one.item_id, other.item_id, pair_id(one, other), pair_id(other, one)}) == 4


def test_a_maker_is_hidden_and_words_of_everyday_are_not() -> None:
    assert "anthropic" in brands(["openrouter/anthropic/claude-x"])
    assert brands(["local/unheard-of"]) == []
    assert telling(["graph", "react", "Bo"], ["default"]) == []
