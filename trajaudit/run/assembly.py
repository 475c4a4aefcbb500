"""Opens what a run needs, hands it out, and closes all of it again whatever happens."""

import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from trajaudit.datamodel.run import RunConfig
from trajaudit.datamodel.scenario import Scenario
from trajaudit.llm import ModelOptions, open_model
from trajaudit.llm.base import ChatModel
from trajaudit.mocks.base import LineWorker
from trajaudit.mocks.python import WORKER_ARGV, SharedWorker, worker_files
from trajaudit.record.repository import SourceFile
from trajaudit.record.rundir import RunDir
from trajaudit.run.base import Agent
from trajaudit.run.interrupt import to_the_end
from trajaudit.run.place import Place, worker_spec
from trajaudit.run.services import (
    Progress,
    Services,
    needs_sandbox,
    needs_worker,
    no_repository,
)
from trajaudit.run.starter import make_sockets_dir


@dataclass(frozen=True, kw_only=True)
class Assembly:
    """What is decided before a run is opened."""

    config: RunConfig
    run: RunDir
    agent: Agent
    place: Place
    open_file: Callable[[str], bytes]
    model_options: ModelOptions
    progress: Progress
    open_repository: Callable[[str], Mapping[str, SourceFile]] = no_repository
    allow_mcp: bool = False


@contextmanager
def open_services(assembly: Assembly) -> Iterator[Services]:
    """Open model, gateway and worker; on leaving, none of them is left behind."""
    scenario = assembly.config.scenario
    with _closed_to_the_end() as stack:
        sockets = make_sockets_dir()
        stack.callback(shutil.rmtree, sockets, ignore_errors=True)
        models = _Models(assembly.model_options)
        stack.callback(models.close)
        gateway = None
        if assembly.agent.needs_sandbox:
            from trajaudit.gateway.http import Gateway

            gateway = Gateway()
            stack.callback(gateway.close)
        needs_place = needs_sandbox(scenario, assembly.agent)
        yield Services(
            config=assembly.config,
            scenario=scenario,
            run=assembly.run,
            agent=assembly.agent,
            provider=assembly.place.provider if needs_place else None,
            model=models.open(assembly.config.model_id) if assembly.agent.needs_model else None,
            user_model=models.open,
            gateway=gateway,
            open_file=assembly.open_file,
            open_repository=assembly.open_repository,
            worker=_worker(assembly, scenario, stack),
            sockets=sockets,
            entry=assembly.place.entry,
            allow_mcp=assembly.allow_mcp,
            progress=assembly.progress,
        )


@contextmanager
def _closed_to_the_end() -> Iterator[ExitStack]:
    stack = ExitStack()
    try:
        yield stack
    finally:
        to_the_end(stack.close)


class _Models:
    """Opens each model once; all are closed together."""

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._open: dict[str, ChatModel] = {}
        self._lock = threading.Lock()

    def open(self, model_id: str) -> ChatModel:
        with self._lock:
            if model_id not in self._open:
                self._open[model_id] = open_model(model_id, options=self._options)
            return self._open[model_id]

    def close(self) -> None:
        with self._lock:
            opened = list(self._open.values())
        with ExitStack() as stack:
            for model in opened:
                stack.callback(model.close)


def _worker(
    assembly: Assembly, scenario: Scenario, stack: ExitStack
) -> Callable[[], LineWorker] | None:
    provider = assembly.place.provider
    if provider is None or not needs_worker(scenario):
        return None

    def start() -> LineWorker:
        return provider.worker(
            worker_spec(),
            run_id=assembly.config.run_id,
            argv=WORKER_ARGV,
            files=worker_files(scenario.tools, assembly.open_file),
        )

    shared = SharedWorker(start)
    stack.callback(shared.stop)
    return lambda: shared
