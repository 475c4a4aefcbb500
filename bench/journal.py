"""What one event of the journal costs, beside a bare write of the same bytes."""

import os
import sys
import tempfile
import time
from pathlib import Path

from trajaudit.datamodel.event import MessageEvent
from trajaudit.record.journal import Journal

EVENTS = 5000
PROMISED_MS = 0.2


def main() -> int:
    """Print ms per event and the ratio; exit 1 when the promise is broken."""
    event = MessageEvent(role="assistant", content="a sentence of an agent. " * 40, source="model")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        journal_ms = _journal(path, event)
        lines = path.read_bytes().splitlines(keepends=True)
        bare_ms = _bare(Path(folder) / "bare.jsonl", lines)
    print(f"journal      {journal_ms:.4f} ms per event (promised: at most {PROMISED_MS})")
    print(f"bare write   {bare_ms:.4f} ms per event")
    print(f"ratio        {journal_ms / bare_ms:.1f}")
    return 0 if journal_ms <= PROMISED_MS else 1


def _journal(path: Path, event: MessageEvent) -> float:
    with Journal(path) as journal:
        start = time.perf_counter()
        for _ in range(EVENTS):
            journal.append(event)
        return (time.perf_counter() - start) * 1000 / EVENTS


def _bare(path: Path, lines: list[bytes]) -> float:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    start = time.perf_counter()
    for line in lines:
        os.write(fd, line)
    spent = time.perf_counter() - start
    os.close(fd)
    return spent * 1000 / len(lines)


if __name__ == "__main__":
    sys.exit(main())
