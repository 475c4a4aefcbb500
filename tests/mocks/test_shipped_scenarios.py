"""The shipped scenarios with mocked tools: golden trajectories do what their tasks ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.mocks.subprocess_worker import SubprocessWorker
from tests.mocks.trial import play
from trajaudit.datamodel.scenario import AgentAction, ScriptedAgent, Task
from trajaudit.mocks.base import ToolReply
from trajaudit.mocks.python import worker_files
from trajaudit.mocks.toolbox import ToolBox
from trajaudit.record.agents import load_agent
from trajaudit.record.scenarios import LoadedScenario, load_scenario
from trajaudit.score import SCORERS
from trajaudit.score.driver import TrialScores, score_trial
from trajaudit.score.final_answer import final_answer

ROOT = Path(__file__).resolve().parents[2]
SHOP = load_scenario(ROOT / "scenarios/shop_support/refunds.yaml")
DESK = load_scenario(ROOT / "scenarios/recovery/recovery.yaml")
TASKS = [(loaded, task) for loaded in (SHOP, DESK) for task in loaded.scenario.tasks]


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SubprocessWorker]:
    files = worker_files(SHOP.scenario.tools, SHOP.open_file)
    started = SubprocessWorker(tmp_path_factory.mktemp("mocks"), files)
    yield started
    started.stop()


def _scores(
    loaded: LoadedScenario,
    task: Task,
    actions: tuple[AgentAction, ...],
    worker: SubprocessWorker,
) -> TrialScores:
    trajectory = play(loaded, task, actions, worker)
    scores = score_trial(
        loaded.scenario, task, trajectory, {**SCORERS, "final_answer": final_answer}
    )
    assert scores.failures == ()
    return scores


@pytest.mark.parametrize(("loaded", "task"), TASKS, ids=[task.id for _, task in TASKS])
def test_golden_passes_strictly_and_doing_nothing_fails(
    loaded: LoadedScenario, task: Task, worker: SubprocessWorker
) -> None:
    golden = _scores(loaded, task, task.golden or (), worker)
    null = _scores(loaded, task, (), worker)

    assert (golden.outcome.strict, golden.outcome.lenient) == (True, True), golden
    assert null.outcome.final is not True, null


EXPECTED: dict[str, tuple[bool, bool]] = {
    "careful": (True, True),
    "sloppy": (False, True),
    "careless": (False, False),
    "recovers": (True, True),
    "gives_up": (False, False),
    "invents": (False, False),
}
"""Agent → (strict, lenient) of its tasks."""

NOTHING_TO_RECOVER = {("gives_up", "no-source"), ("gives_up", "slow-depot")}
NOTHING_TO_RECOVER |= {("invents", "slow-depot")}


def _played() -> Iterator[tuple[LoadedScenario, ScriptedAgent, Task]]:
    for loaded in (SHOP, DESK):
        for path in sorted((loaded.root / "agents").glob("*.yaml")):
            agent = load_agent(f"scripted:{path}", loaded)
            assert isinstance(agent, ScriptedAgent)
            for task in loaded.scenario.tasks:
                yield loaded, agent, task


PLAYED = list(_played())


@pytest.mark.parametrize(
    ("loaded", "agent", "task"),
    PLAYED,
    ids=[f"{agent.name}-{task.id}" for _, agent, task in PLAYED],
)
def test_each_scripted_agent_is_graded_as_it_deserves(
    loaded: LoadedScenario, agent: ScriptedAgent, task: Task, worker: SubprocessWorker
) -> None:
    scores = _scores(loaded, task, agent.tasks[task.id], worker)

    right = (agent.name, task.id) in NOTHING_TO_RECOVER
    deserved = (True, True) if right else EXPECTED[agent.name]
    assert (scores.outcome.strict, scores.outcome.lenient) == deserved, scores.verdicts


def test_the_shop_pays_nothing_back_twice(worker: SubprocessWorker) -> None:
    box = ToolBox(
        SHOP.scenario.tools,
        world=SHOP.scenario.world,
        open_file=SHOP.open_file,
        worker=lambda: worker,
    )
    refund: dict[str, JsonValue] = {"order_id": "A-17", "amount": 42.5}

    assert not box.call("refund_order", refund).is_error
    again = box.call("refund_order", refund)
    assert again == ToolReply(content="at most 0.00 can be refunded for order A-17", is_error=True)
