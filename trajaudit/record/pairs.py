"""Which rubric compares two trials, and what lies in a run directory of comparisons with another.

Votes and decisions go to their files as they come, so that a killed process loses at most the pairs
at hand; the summary comes last, and a comparison without it is not whole.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.judged import Commitment
from trajaudit.datamodel.pairwise import PairDecision, PairRubric, PairSummary, PairVote
from trajaudit.record.judges import PLACEHOLDERS, find_file, load_prompt, load_record
from trajaudit.record.rundir import RunDir, folder_name
from trajaudit.record.stored import dumped, read_record, read_records, storing, write_atomic

DEFAULT_RUBRIC = "pair_outcome"
VOTES, DECISIONS, SUMMARY = "votes.jsonl", "decisions.jsonl", "summary.json"
COMMITMENTS = "commitments.jsonl"


@dataclass(frozen=True, kw_only=True)
class LoadedPairRubric:
    """A rubric for two trials with the prompt that it uses."""

    rubric: PairRubric
    prompt: str
    sha256: dict[str, str]
    """Of each file; names are relative to `judges/`."""


def load_pair_rubric(name: str, start: Path) -> LoadedPairRubric:
    """Return the rubric of a name; the project's own files come before the shipped.

    Raises:
        ScenarioError: a file is missing or wrong, or is no rubric for pairs; `path:line:` each.
    """
    path = find_file("rubrics", name, start)
    rubric, sha256 = load_record(path, PairRubric)
    prompt, prompt_sha256 = load_prompt(rubric.prompt, start, PLACEHOLDERS)
    hashes = {f"rubrics/{path.name}": sha256, f"prompts/{rubric.prompt}.md": prompt_sha256}
    return LoadedPairRubric(rubric=rubric, prompt=prompt, sha256=hashes)


def pairs_dir(run: RunDir, other: str) -> Path:
    """Return where comparisons of a run with another lie (it need not exist)."""
    return run.path / "pairs" / folder_name(other)


class PairFiles:
    """The files of one comparison while it is written; a context."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._votes: BinaryIO
        self._decisions: BinaryIO

    def __enter__(self) -> Self:
        with storing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / SUMMARY).unlink(missing_ok=True)
            self._votes = (self.folder / VOTES).open("wb")
            self._decisions = (self.folder / DECISIONS).open("wb")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._votes.close()
        self._decisions.close()

    def add(self, votes: Iterable[PairVote], decision: PairDecision | None) -> None:
        """Append what became of one pair.

        Raises:
            StorageError: it cannot be written.
        """
        self._append(self._votes, VOTES, votes)
        self._append(self._decisions, DECISIONS, [] if decision is None else [decision])

    def _append(self, stream: BinaryIO, name: str, records: Iterable[Record]) -> None:
        with storing(self.folder / name):
            stream.writelines(dumped(record) + b"\n" for record in records)
            stream.flush()


def finish_pairs(
    folder: Path,
    decisions: Iterable[PairDecision],
    notes: Iterable[Commitment],
    summary: PairSummary,
) -> None:
    """Replace the decisions, now that the audit sample is drawn, and write the summary last.

    Raises:
        StorageError: something cannot be written.
    """
    write_atomic(folder / DECISIONS, (dumped(one) + b"\n" for one in decisions))
    write_atomic(folder / COMMITMENTS, (dumped(one) + b"\n" for one in notes))
    write_atomic(folder / SUMMARY, [dumped(summary)])


def read_pair_votes(folder: Path) -> Iterator[PairVote]:
    """Yield the votes; none where nobody was asked. RunDirError when a line is damaged."""
    return read_records(folder / VOTES, PairVote)


def read_pair_decisions(folder: Path) -> Iterator[PairDecision]:
    """Yield the decisions; errors as for the votes."""
    return read_records(folder / DECISIONS, PairDecision)


def read_pair_summary(folder: Path) -> PairSummary:
    """Return the summary of a whole comparison; RunDirError where there is none."""
    return read_record(folder / SUMMARY, PairSummary)
