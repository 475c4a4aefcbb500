"""Results of verifying patches: a line for each, and beside them what they were decided from.

`results.jsonl` has a folder `results.jsonl.evidence`. A file of evidence is named by its SHA-256,
so that one that was changed is noticed; a baseline by the hash of what decided about it.
"""

import hashlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Self

from pydantic import ValidationError

from trajaudit.datamodel._base import StoredRecord
from trajaudit.datamodel.patch import Verification
from trajaudit.datamodel.patch_evidence import Baseline, Evidence
from trajaudit.errors import StorageError, UsageError


class Results:
    """Verifications that were decided, in a file that grows, each one whole before the next."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = path.with_name(f"{path.name}.evidence")
        self._stream: IO[bytes] | None = None
        self._lock = threading.Lock()

    def earlier(self) -> Iterator[Verification]:
        """Read what was decided before; the line that a run was killed in counts for nothing."""
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            for line in lines:
                try:
                    yield Verification.model_validate_json(line)
                except ValidationError:
                    continue

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._stream = self.path.open("ab")
            if self._stream.tell() and not _ends_with_line_feed(self.path):
                self._stream.write(b"\n")
        except OSError as e:
            raise StorageError(f"results cannot be written to {self.path}; got: {e}") from e
        return self

    def __exit__(self, *exc: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def append(self, one: Verification) -> None:
        """Write one line.

        Raises:
            StorageError: it cannot be written.
        """
        if self._stream is None:
            raise StorageError(f"results in {self.path} are not open")
        try:
            with self._lock:
                self._stream.write(one.model_dump_json().encode() + b"\n")
                self._stream.flush()
        except OSError as e:
            raise StorageError(f"results cannot be written to {self.path}; got: {e}") from e

    def keep(self, evidence: Evidence) -> str:
        """Store evidence and return its SHA-256.

        Raises:
            StorageError: it cannot be written.
        """
        content = _bytes(evidence)
        name = hashlib.sha256(content).hexdigest()
        self._write(name, content)
        return name

    def keep_baseline(self, baseline: Baseline) -> None:
        """Store a baseline under its key.

        Raises:
            StorageError: it cannot be written.
        """
        self._write(f"baseline-{baseline.key}", _bytes(baseline))

    def baseline(self, key: str) -> Baseline | None:
        """Return a stored baseline; None when there is none, or it cannot be read."""
        try:
            return Baseline.model_validate_json((self.folder / f"baseline-{key}.json").read_bytes())
        except (OSError, ValidationError):
            return None

    def evidence(self, one: Verification) -> tuple[Evidence, Baseline | None]:
        """Return what a verification was decided from.

        Raises:
            UsageError: it is not there, or was changed since.
        """
        if not one.evidence:
            raise UsageError(f"{one.instance_id}: no evidence was kept; verify it again")
        evidence = Evidence.model_validate_json(self._whole(one.evidence, one.evidence))
        if not evidence.baseline_key:
            return evidence, None
        content = self._whole(f"baseline-{evidence.baseline_key}", evidence.baseline_sha256)
        return evidence, Baseline.model_validate_json(content)

    def _whole(self, name: str, sha256: str) -> bytes:
        path = self.folder / f"{Path(name).name}.json"
        try:
            content = path.read_bytes()
        except OSError as e:
            raise UsageError(f"{path}: cannot be read; {e.strerror}; verify it again") from e
        found = hashlib.sha256(content).hexdigest()
        if found != sha256:
            raise UsageError(f"{path}: was changed; got SHA-256 {found}, expected {sha256}")
        return content

    def _write(self, name: str, content: bytes) -> None:
        path = self.folder / f"{name}.json"
        half = path.with_name(f"{name}.{os.getpid()}.{threading.get_ident()}.half")
        try:
            half.write_bytes(content)
            half.replace(path)
        except OSError as e:
            raise StorageError(f"evidence cannot be written to {path}; got: {e}") from e


def sha256_of(baseline: Baseline) -> str:
    """Return the SHA-256 of a baseline as it is stored."""
    return hashlib.sha256(_bytes(baseline)).hexdigest()


def _bytes(record: StoredRecord) -> bytes:
    return record.model_dump_json().encode() + b"\n"


def _ends_with_line_feed(path: Path) -> bool:
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) == b"\n"
