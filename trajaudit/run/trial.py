"""One trial: a journal, a session, an agent, an end; `trial.json` is written last."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.scenario import Task
from trajaudit.errors import InfraError, MockError, ProviderError, SandboxError, StorageError
from trajaudit.gateway.session import TrialSession
from trajaudit.record.journal import Journal
from trajaudit.run.base import AgentContext
from trajaudit.run.services import Services, task_limits
from trajaudit.run.session import open_session
from trajaudit.run.starter import Prepared, Starter


class TrialInterrupted(Exception):  # noqa: N818 (a state, not a failure)
    """The run was stopped in the middle of this trial; nothing of it counts."""


def run_trial(services: Services, starter: Starter, task: Task, trial: int) -> TrialRecord:
    """Run one trial to its end and return its record, which is then on disk.

    Raises:
        StorageError: the journal could not be written; the run cannot go on.
        TrialInterrupted: the run was stopped.
    """
    folder, attempt = _begin(services, task, trial)
    started = datetime.now(UTC)
    clock = time.monotonic()
    services.progress.trial_started(task.id, trial)
    with Journal(folder / "events.jsonl") as journal:
        with _sandbox(starter, task, trial) as prepared:
            session = open_session(services, task, trial, journal, prepared)
            setup_s = time.monotonic() - clock
            _act(services, task, trial, session, prepared)
            end = session.close()
        usage = session.usage
    if services.stop.is_set():
        raise TrialInterrupted
    record = TrialRecord(
        run_id=services.config.run_id,
        task_id=task.id,
        trial=trial,
        end_reason=end.reason,
        end_detail=end.detail,
        started=started.isoformat(timespec="milliseconds"),
        duration_s=round(time.monotonic() - clock, 4),
        setup_s=round(setup_s, 4),
        model_calls=usage.model_calls,
        tool_calls=usage.tool_calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost_usd=usage.cost_usd,
        events=journal.count,
        head=journal.head,
        attempt=attempt,
    )
    services.run.write_trial(record)
    services.progress.trial_finished(record)
    return record
