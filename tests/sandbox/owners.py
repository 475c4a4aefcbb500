"""Programs that own containers until they are killed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys, tempfile, time
from pathlib import Path
from trajaudit.sandbox import SANDBOXES
from trajaudit.sandbox.base import SandboxRequest
from trajaudit.datamodel.scenario import SandboxSpec
provider = SANDBOXES["docker"]([Path("sandboxes")])
spec = SandboxSpec(memory_mb=256, pids=64, disk_mb=16)
folder = Path(tempfile.mkdtemp(dir=sys.argv[2]))
request = SandboxRequest(spec=spec, run_id=sys.argv[1], name="task/1", gateway_dir=folder)
sandbox = provider.start(request)
sandbox.spawn(["sh", "-c", "trap '' TERM HUP INT; while :; do :; done"], env={})
worker = provider.worker(spec, run_id=sys.argv[1], argv=["cat"], files={})
worker.ask(b"line", timeout_s=20)
print("up", flush=True)
time.sleep(600)
"""


@contextmanager
def owner(run_id: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a program that owns a sandbox and a worker, both labelled with the run."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, run_id, str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "up\n"
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
