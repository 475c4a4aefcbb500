"""Puts a repository into the work directory of a sandbox, with one commit and no history."""

import io
import tarfile
from collections.abc import Mapping

from trajaudit.errors import SandboxError
from trajaudit.record.repository import SourceFile
from trajaudit.sandbox.base import Sandbox

SEED_S = 60
# The same date for everybody: the commit is the same one in every container.
SEED = """set -e
tar -x -f - -o --no-same-permissions
export GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'
git -c init.defaultBranch=main init -q
git config user.name agent
git config user.email agent@localhost
git add -A -f
git -c core.hooksPath=/dev/null commit -q -m 'The repository as it is'
"""


def seed(sandbox: Sandbox, files: Mapping[str, SourceFile]) -> None:
    """Write the files and commit everything that lies in the work directory.

    Raises:
        SandboxError: it cannot be done; an image without git is named as such.
    """
    done = sandbox.exec(["sh", "-c", SEED], timeout_s=SEED_S, stdin=_archive(files))
    if done.exit_code == 127:
        raise SandboxError(
            "the repository cannot be set up; got an image without git or tar; name one with both"
        )
    if done.exit_code != 0:
        said = done.stderr.decode(errors="replace").strip() or f"exit code {done.exit_code}"
        raise SandboxError(f"the repository cannot be set up; got: {said}")


def _archive(files: Mapping[str, SourceFile]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for path, file in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(file.content)
            info.mode = 0o755 if file.executable else 0o644
            archive.addfile(info, io.BytesIO(file.content))
    return stream.getvalue()
