"""What judges showed on labelled trials, kept beside the runs so that later reports can say it."""

from collections.abc import Iterator
from pathlib import Path

from trajaudit.datamodel.bias import BiasReport
from trajaudit.datamodel.gold import Certificate
from trajaudit.errors import RunDirError
from trajaudit.record.stored import dumped, read_record, storing, write_atomic

FOLDER = ".judge-certificates"
"""Beside the runs."""
BIAS_FOLDER = ".judge-bias"


def write_certificate(runs: Path, found: Certificate) -> Path:
    """Keep a certificate; one for the same judges and the same labelled trials is replaced.

    Raises:
        StorageError: it cannot be written.
    """
    return _write(runs / FOLDER, found)


def write_bias(runs: Path, found: BiasReport) -> Path:
    """Keep the report of a battery, like a certificate."""
    return _write(runs / BIAS_FOLDER, found)


def _write(folder: Path, found: Certificate | BiasReport) -> Path:
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{found.identity[:24]}-{found.gold_sha256[:12]}.json"
    write_atomic(path, [dumped(found)])
    return path


def certificate_of(runs: Path, identity: str) -> Certificate | None:
    """Return the newest certificate of these very judges; None: they were never certified."""
    own = [one for one in _all(runs, f"{identity[:24]}-*.json") if one.identity == identity]
    return max(own, key=lambda one: one.made, default=None)


def earlier_uses(runs: Path, gold_sha256: str, rubric: str, identity: str) -> int:
    """Return how many other versions of judges were held against the same labelled trials."""
    return len(
        {
            one.identity
            for one in _all(runs, f"*-{gold_sha256[:12]}.json")
            if one.rubric == rubric and one.identity != identity
        }
    )


def _all(runs: Path, pattern: str) -> Iterator[Certificate]:
    for path in sorted((runs / FOLDER).glob(pattern)):
        try:
            yield read_record(path, Certificate)
        except RunDirError:
            continue  # damaged, or of a newer version: it certifies nothing
