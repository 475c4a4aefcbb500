"""The verdicts of a run by trial, read where they lie: memory holds only the places."""

from collections.abc import Iterator
from pathlib import Path

from trajaudit.datamodel.verdict import Verdict
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import parse_record

Key = tuple[str, int]


class VerdictPlaces:
    """Where in `verdicts.jsonl` the verdicts on each trial are."""

    def __init__(self, run: RunDir) -> None:
        self._path: Path = run.path / "verdicts.jsonl"
        self._places: dict[Key, list[tuple[int, int, int]]] = {}
        """Trial → offset, bytes and number of the first line of each stretch."""

    def read(self) -> Iterator[Verdict]:
        """Yield all verdicts, one at a time, and keep where they are.

        Raises:
            RunDirError: a line is damaged or of a newer version; `path:line:`.
        """
        self._places.clear()
        if not self._path.exists():
            return
        offset = 0
        with self._path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                verdict = parse_record(line.rstrip(b"\n"), Verdict, self._path, number)
                self._keep((verdict.task_id, verdict.trial), offset, len(line), number)
                offset += len(line)
                yield verdict

    def of(self, key: Key) -> list[Verdict]:
        """Return the verdicts on one trial, in the order of the file; `read` comes first."""
        found = []
        for offset, size, number in self._places.get(key, ()):
            with self._path.open("rb") as stream:
                stream.seek(offset)
                lines = stream.read(size).rstrip(b"\n").split(b"\n")
            found += [
                parse_record(line, Verdict, self._path, place)
                for place, line in enumerate(lines, number)
            ]
        return found

    def _keep(self, key: Key, offset: int, size: int, number: int) -> None:
        stretches = self._places.setdefault(key, [])
        if stretches and sum(stretches[-1][:2]) == offset:
            start, length, first = stretches[-1]
            stretches[-1] = (start, length + size, first)
        else:
            stretches.append((offset, size, number))
