"""Adapters from cases about running trials."""

import contextlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.cases.judging import Case, adapted
from tests.cases.made import SCRIPTED, run_config
from tests.cases.outcome import Adapter
from tests.mocks.subprocess_worker import SubprocessWorker
from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.errors import InfraError, SandboxError
from trajaudit.llm import ModelOptions
from trajaudit.mocks.python import worker_files
from trajaudit.mocks.toolbox import ToolBox
from trajaudit.record.rundir import RunDir
from trajaudit.run.agents import AGENTS
from trajaudit.run.assembly import Assembly, open_services
from trajaudit.run.executor import GIVE_UP_AFTER, run_trials
from trajaudit.run.place import Place
from trajaudit.run.services import Progress
from trajaudit.sandbox.base import SandboxRequest
from trajaudit.sandbox.container import ContainerPlan, configuration
from trajaudit.sandbox.scripted import ScriptedProvider, ScriptedSandbox

_SHELL = ToolSpec(name="shell", sandbox="bash")


class _Starts(ScriptedProvider):
    """Sandboxes of which some do not come up; the engine's settings of the others are kept."""

    def __init__(self, broken: dict[str, str]) -> None:
        super().__init__()
        self._broken = broken
        self.networks: list[str] = []

    def start(self, request: SandboxRequest) -> ScriptedSandbox:
        why = self._broken.get(request.name.rpartition("/")[0])
        if why is not None:
            raise SandboxError(why)
        plan = ContainerPlan(image="i", spec=request.spec, run_id=request.run_id, name=request.name)
        self.networks.append(configuration(plan)["HostConfig"]["NetworkMode"])
        return super().start(request)


def _ran(
    folder: str,
    task_ids: Sequence[str],
    provider: _Starts,
    *,
    give_up_after: int,
    together: int = 1,
) -> RunDir:
    config = run_config(tuple(task_ids), tools=(_SHELL,))
    run = RunDir.create(Path(folder), config)
    assembly = Assembly(
        config=config,
        run=run,
        agent=AGENTS["scripted"](SCRIPTED),
        place=Place(kind="scripted", provider=provider, isolation="none"),
        open_file=lambda _: b"",
        model_options=ModelOptions(),
        progress=Progress(),
    )
    plans = [(task, 1) for task in config.scenario.tasks]
    # It may give up, as it was asked to; what it leaves is what counts.
    with open_services(assembly) as services, contextlib.suppress(InfraError):
        run_trials(services, plans, concurrency=together, give_up_after=give_up_after)
    return run


def run_policy(case: Case) -> Case:
    """Run tasks of which some do not start."""
    ids = [task["id"] for task in case["tasks"]]
    broken = {task["id"]: task["start"] for task in case["tasks"] if task["start"] != "ok"}
    give_up_after = 1 if case["fail_on_error"] else GIVE_UP_AFTER
    with tempfile.TemporaryDirectory() as folder:
        run = _ran(folder, ids, _Starts(broken), give_up_after=give_up_after)
        records = {one: run.read_trial(one, 1) for one in ids}
    return {name: _became(record) for name, record in records.items()}


def _became(record: TrialRecord | None) -> str:
    if record is None:
        return "not_started"
    return "infra_error" if record.end_reason == "infra_error" else "runs"


def sandbox_pool(case: Case) -> Case:
    """Run many samples at once; a sandbox takes part in no network, so that none is used up."""
    provider = _Starts({})
    ids = [f"s{number}" for number in range(case["samples"])]
    with tempfile.TemporaryDirectory() as folder:
        run = _ran(folder, ids, provider, give_up_after=1, together=32)
        whole = run.missing() == []
    used = sum(mode != "none" for mode in provider.networks)
    # A limit is kept by whoever stays below it.
    most = (
        case["max_networks"] if case.get("needs_network") and used <= case["max_networks"] else used
    )
    return {"max_parallel_networks": most, "all_samples_run": whole}


_OPERATIONS = b"""
def dec(world, key, by=1):
    world[key] = world.get(key, 0) - by

def inc(world, key, by=1):
    world[key] = world.get(key, 0) + by

def set(world, key, value):
    world[key] = value

def append(world, key, value):
    world.setdefault(key, []).append(value)

def delete(world, key):
    world.pop(key, None)
"""
_NAMES = ("dec", "inc", "set", "append", "delete")


def isolated_state(case: Case) -> Case:
    """Let every sample change the world that all of them start from."""
    tools = [
        ToolSpec.model_validate({"name": name, "mock": {"python": "made.py"}}) for name in _NAMES
    ]
    initial = json.loads(json.dumps(case["initial"]))
    with tempfile.TemporaryDirectory() as folder:
        worker = SubprocessWorker(Path(folder), worker_files(tools, lambda _: _OPERATIONS))
        boxes = [
            ToolBox(tools, world=initial, open_file=lambda _: _OPERATIONS, worker=lambda: worker)
            for _ in case["samples"]
        ]
        for box, operations in zip(boxes, case["samples"], strict=True):
            for operation in operations:
                given = {name: value for name, value in operation.items() if name != "op"}
                box.call(operation["op"], given)
        worker.stop()
    return {"final": [box.world for box in boxes], "initial_after": initial}


ADAPTERS: dict[str, Adapter] = {
    "run_policy": adapted(run_policy),
    "sandbox_pool": adapted(sandbox_pool),
    "isolated_state": adapted(isolated_state),
}
