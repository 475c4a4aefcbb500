"""One trial: a journal, a session, an agent, an end; `trial.json` is written last."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.scenario import Task
from trajaudit.errors import MockError, NoEngineError, SandboxError
from trajaudit.gateway.base import SessionEnd
from trajaudit.gateway.infra import infra_detail
from trajaudit.gateway.session import TrialSession
from trajaudit.record.journal import Journal
from trajaudit.record.stored import storing
from trajaudit.run.base import AgentContext
from trajaudit.run.keep_patch import keep_patch
from trajaudit.run.sandbox_tools import SandboxTool, no_sandbox, sandbox_tool
from trajaudit.run.services import Services
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
    if services.stop.is_set():
        raise TrialInterrupted
    folder, attempt = _begin(services, task, trial)
    started = datetime.now(UTC)
    clock = time.monotonic()
    services.progress.trial_started(task.id, trial)
    with (
        _prepared(starter, task, trial) as prepared,
        Journal(folder / "events.jsonl", redactor=services.redactor) as journal,
    ):
        session = open_session(services, task, trial, journal, _tool(prepared))
        setup_s = time.monotonic() - clock
        _act(services, task, trial, session, prepared)
        keep_patch(services, task, session, prepared, journal)
        end = session.close()
    if services.stop.is_set():
        raise TrialInterrupted
    record = _record(services, session, end, journal, attempt=attempt).model_copy(
        update={
            "started": started.isoformat(timespec="milliseconds"),
            "duration_s": round(time.monotonic() - clock, 4),
            "setup_s": round(setup_s, 4),
        }
    )
    services.run.write_trial(record)
    services.progress.trial_finished(record)
    return record


def _record(
    services: Services, session: TrialSession, end: SessionEnd, journal: Journal, *, attempt: int
) -> TrialRecord:
    """Return what is known of a trial but its times."""
    usage = session.usage
    return TrialRecord(
        run_id=services.config.run_id,
        task_id=session.info.task_id,
        trial=session.info.trial,
        end_reason=end.reason,
        end_detail=end.detail,
        model_calls=usage.model_calls,
        tool_calls=usage.tool_calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost_usd=usage.cost_usd,
        events=journal.count,
        head=journal.head,
        attempt=attempt,
    )


def _begin(services: Services, task: Task, trial: int) -> tuple[Path, int]:
    services.run.abandon(task.id, trial)
    folder = services.run.trial_dir(task.id, trial)
    with storing(folder):
        folder.mkdir(parents=True)
    return folder, services.run.abandoned(task.id, trial) + 1


@contextmanager
def _prepared(starter: Starter, task: Task, trial: int) -> Iterator[Prepared | SandboxError]:
    """Yield the sandbox, or why it did not come up: that ends this trial, not the run."""
    try:
        prepared = starter.take(task, trial)
    except NoEngineError:
        raise
    except SandboxError as error:
        yield error
        return
    try:
        yield prepared
    finally:
        starter.discard(prepared)


def _tool(prepared: Prepared | SandboxError) -> SandboxTool | None:
    if isinstance(prepared, SandboxError):
        return no_sandbox(prepared)
    return None if prepared.sandbox is None else sandbox_tool(prepared.sandbox)


def _act(
    services: Services,
    task: Task,
    trial: int,
    session: TrialSession,
    prepared: Prepared | SandboxError,
) -> None:
    """Let the agent act until the session ends, for whatever reason."""
    if isinstance(prepared, SandboxError):
        session.end("infra_error", infra_detail(prepared))
        return
    services.stop.add(session)
    try:
        with _served(services, session, prepared):
            exited = services.agent.run(
                AgentContext(
                    scenario=services.scenario,
                    task=task,
                    trial=trial,
                    session=session,
                    sandbox=prepared.sandbox,
                    process=prepared.process,
                    entry=services.entry,
                )
            )
        session.agent_exited(exited.exit_code, exited.detail)
    except (SandboxError, MockError) as error:
        session.end("infra_error", infra_detail(error))
    finally:
        services.stop.remove(session)


@contextmanager
def _served(services: Services, session: TrialSession, prepared: Prepared) -> Iterator[None]:
    if services.gateway is None:
        yield
        return
    with services.gateway.serve(session, prepared.socket_dir):
        yield
