"""All trials of a run: several at a time, stopped cleanly, never the same one twice."""

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.scenario import Task
from trajaudit.errors import InfraError
from trajaudit.run.interrupt import to_the_end
from trajaudit.run.services import Services
from trajaudit.run.starter import Starter
from trajaudit.run.trial import run_trial

# So many trials in a row that infrastructure failed, with no other in between: the engine or the
# provider is gone, and going on would only mark trial after trial as ungraded.
GIVE_UP_AFTER = 5

PATIENCE_S = 10.0
"""How long a stopped trial may take to notice; it may hang in a request to a dead model."""

Plan = tuple[Task, int]


def run_trials(
    services: Services,
    plans: Sequence[Plan],
    *,
    concurrency: int,
    give_up_after: int = GIVE_UP_AFTER,
) -> None:
    """Run the planned trials; each is whole on disk when it is done.

    `give_up_after`: failures of infrastructure in a row; 1 stops at the first.

    Raises:
        InfraError: the run cannot go on; what is whole stays, `resume` does the rest.
        KeyboardInterrupt: passed on after everything was stopped and removed.
    """
    starter = Starter(services, threads=concurrency)
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="trial")
    queue = _Queue(plans, starter, ahead=concurrency)
    running: set[Future[TrialRecord]] = set()
    breaker = _Breaker(give_up_after)
    try:
        while queue or running:
            while queue and len(running) < concurrency:
                task, trial = queue.pop()
                running.add(pool.submit(run_trial, services, starter, task, trial))
            done, still = wait(running, return_when=FIRST_COMPLETED)
            running.intersection_update(still)
            for future in done:
                breaker.see(future.result())
    except BaseException:
        services.stop.set()
        raise
    finally:
        to_the_end(lambda: _wind_up(starter, pool, running))


def _wind_up(starter: Starter, pool: ThreadPoolExecutor, running: set[Future[TrialRecord]]) -> None:
    """Remove every sandbox first: a command that runs in one would hold its trial up."""
    pool.shutdown(wait=False, cancel_futures=True)
    starter.close()
    wait(running, timeout=PATIENCE_S)


class _Queue:
    """The trials that are still to do; their sandboxes start before their turn."""

    def __init__(self, plans: Sequence[Plan], starter: Starter, *, ahead: int) -> None:
        self._plans = list(plans)
        self._starter = starter
        self._ahead = ahead
        self._next = 0

    def __bool__(self) -> bool:
        return self._next < len(self._plans)

    def pop(self) -> Plan:
        plan = self._plans[self._next]
        self._next += 1
        for task, trial in self._plans[self._next - 1 : self._next + self._ahead]:
            self._starter.schedule(task, trial)
        return plan


class _Breaker:
    """Gives up when nothing but infrastructure failures comes in."""

    def __init__(self, give_up_after: int) -> None:
        self._in_a_row = 0
        self._give_up_after = give_up_after

    def see(self, record: TrialRecord) -> None:
        failed = record.end_reason == "infra_error"
        self._in_a_row = self._in_a_row + 1 if failed else 0
        if self._in_a_row >= self._give_up_after:
            raise InfraError(
                f"{self._in_a_row} trials in a row failed by infrastructure; the last: "
                f"{record.end_detail}"
            )
