"""Keeps what the agent of a trial left in its repository, before its container is removed."""

from trajaudit.datamodel.event import PatchEvent
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.target import PatchTarget
from trajaudit.errors import SandboxError
from trajaudit.gateway.infra import infra_detail
from trajaudit.gateway.session import TrialSession
from trajaudit.record.artifact import store_artifact
from trajaudit.record.journal import Journal
from trajaudit.run.repository.take import Taken, take
from trajaudit.run.services import Services
from trajaudit.run.starter import Prepared


def keep_patch(
    services: Services,
    task: Task,
    session: TrialSession,
    prepared: Prepared | SandboxError,
    journal: Journal,
) -> None:
    """Store the patch of a trial and journal it; nothing where the task asks for none.

    What the agent left in the end counts, whatever ended its trial. Where the sandbox fails now,
    the trial ends as `infra_error`: it cannot be told what there was.

    Raises:
        StorageError: it cannot be written.
    """
    if not isinstance(task.target, PatchTarget) or isinstance(prepared, SandboxError):
        return
    ended = session.wait_end(0)
    if prepared.sandbox is None or (ended is not None and ended.reason == "infra_error"):
        return
    base = services.open_repository(task.target.patch.repository)
    aside = {*services.scenario.sandbox.files, *task.files}
    try:
        taken = take(prepared.sandbox, base, aside)
    except SandboxError as error:
        session.spoil(infra_detail(error))
        return
    journal.append(_event(taken, journal))


def _event(taken: Taken, journal: Journal) -> PatchEvent:
    stored = None
    if taken.problem is None:
        stored = store_artifact(journal.folder, taken.patch)
    return PatchEvent(
        artifact=stored,
        size=len(taken.patch),
        files=taken.files,
        left_out=taken.left_out,
        problem=taken.problem,
        detail=taken.detail,
    )
