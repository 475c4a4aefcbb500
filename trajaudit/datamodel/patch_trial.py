"""A trial that is to change a repository: what is asked, what was left, what tests said of it."""

from typing import Literal

from pydantic import Field

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.patch_evidence import Evidence


class PatchSpec(Record):
    """A repository with a bug, and the tests that tell whether it is mended.

    Paths are relative to the scenario's folder. Of all this only `repository` is seen by the agent.
    """

    repository: str
    """Folder of files; the agent finds it in its work directory, with one commit."""
    gold: str
    """File with the reference solution, as a patch of the repository."""
    tests: str
    """File with the tests of the fix, as a patch of the repository."""
    fail_to_pass: tuple[str, ...] | None = None
    """Ids of tests that have to pass now. None: those that the reference solution makes pass."""
    pass_to_pass: tuple[str, ...] | None = None
    """Ids of tests that have to go on passing. None: those that pass without and with it."""
    command: str | None = None
    """Shell command that runs the tests; None: `python -m pytest` on the files of `tests`."""
    image: str | None = None
    """Image in which the tests are run; None: the agent's. It holds git and a test runner."""
    timeout_s: float = Field(default=600, gt=0)
    """Of the test run."""


class TakenPatch(Record):
    """What an agent left in its repository, taken out from outside."""

    artifact: str | None = None
    """SHA-256 under which the patch lies in `artifacts/`; None where there is none."""
    size: int = 0
    """Bytes of the patch."""
    files: tuple[str, ...] = ()
    """Files that it changes, the first of them where there are very many."""
    left_out: tuple[str, ...] = ()
    """What was found and is not in the patch, and why."""
    problem: Literal["too_large", "unreadable", "lost"] | None = None
    """Why there is no patch, where that is the agent's doing."""
    detail: str = ""
    seq: int | None = None


class PatchTrial(StoredRecord):
    """What was seen when the patch of a trial was tested in a container of its own.

    No verdict: that is decided anew each time that the run is scored.
    """

    task_id: str
    trial: int
    key: str
    """Hash of everything that decided: task, repository, image, patch, and the code that tested."""
    evidence: Evidence | None = None
    failure: str = ""
    """Why there is none: what failed around the test."""
