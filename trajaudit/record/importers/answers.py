"""Questions, references and outputs in a table: CSV, TSV, JSON or JSONL, one question a record.

| here | by column, the first that is there |
|---|---|
| prompt | question, prompt, input, query, problem |
| target | reference, target, expected, gold, golden_answer, ground_truth, gt, answer, ... |
| reply | output, response, prediction, completion, generation, solution, code, pred, answer |
| verdict | correct, is_correct, passed, judge, score, acc, exact_match, ... |
| several systems | `answer_NAME` with `judge_NAME`; an object `NAME: {solution, is_correct}` |
| lm-evaluation-harness | `doc`, `target`, `resps`, and the metric as the verdict |

Other columns that are short stay in the task's metadata. A reference that is a worked solution
counts by its marked last line (`#### 18`, `A: 18`); a `golden_answer` holds alternatives between
slashes, as open question answering sets write it.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.answer_columns import (
    Reply,
    id_of,
    is_table,
    question_of,
    replies_of,
    rest_of,
)
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, SourceError, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.json_source import elements, head_value, is_json_file, lines
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.reference import target_of
from trajaudit.record.importers.shapes import as_dict, as_text, first, make_task

NAME = "answers"
_CELL_CHARS = 4 * 1024 * 1024
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def sniff(source: Source) -> bool:
    """A table with a question or a reference, and a reply."""
    if source.is_folder:
        return False
    if source.path.suffix.lower() in _DELIMITERS:
        first_line = source.head.lstrip(b"\r\n").split(b"\n", 1)[0].decode("utf-8-sig", "replace")
        rows = csv.reader([first_line], delimiter=_delimiter(source.path, first_line))
        try:
            return is_table(dict.fromkeys(next(rows, []), "x"))
        except csv.Error:
            return False
    if not is_json_file(source.path):
        return False
    return is_table(as_dict(_first_record(source)))


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield a trial for each reply of each record."""

    def make(record: Any) -> list[ForeignTrial] | None:
        return _trials(as_dict(record), losses)

    for trials in mapped(_records(source, losses), make, losses, "record"):
        yield from trials


def _first_record(source: Source) -> Any:
    value = head_value(source)
    if isinstance(value, list):
        return value[0] if value else None
    if value is None and source.head.lstrip()[:1] == b"[":
        return _first_of_array(source.head)
    return value


def _first_of_array(head: bytes) -> Any:
    """Return the first element of an array of which only the head is here."""
    import ijson

    try:
        return next(ijson.items(head, "item", use_float=True), None)
    except (ijson.JSONError, ValueError, OverflowError):
        return None


def _records(source: Source, losses: Losses) -> Iterator[tuple[str, Any]]:
    suffix = source.path.suffix.lower()
    if suffix in _DELIMITERS:
        yield from _rows(source, losses)
    elif source.head.lstrip()[:1] == b"[":
        yield from elements(source, losses)
    else:
        yield from lines(source, losses)


def _rows(source: Source, losses: Losses) -> Iterator[tuple[str, Any]]:
    with source.path.open(encoding="utf-8-sig", errors="backslashreplace", newline="") as stream:
        begins, sample = 0, stream.readline()
        while sample and not sample.strip():
            begins, sample = stream.tell(), stream.readline()
        stream.seek(begins)
        csv.field_size_limit(_CELL_CHARS)
        reader = csv.DictReader(stream, delimiter=_delimiter(source.path, sample))
        try:
            for number, row in enumerate(reader, start=2):
                losses.where = f"{source.name}:{number}"
                if row.pop(None, None) is not None:
                    losses.malformed("row", "more cells than columns")
                yield losses.where, {name: cell for name, cell in row.items() if cell is not None}
        except csv.Error as error:
            raise SourceError(f"{source.name}:{reader.line_num}: broken table; {error}") from error


def _delimiter(path: Path, sample: str) -> str:
    wanted = _DELIMITERS[path.suffix.lower()]
    return ";" if wanted not in sample and ";" in sample else wanted


def _trials(record: dict[str, Any], losses: Losses) -> list[ForeignTrial] | None:
    replies = replies_of(record, losses)
    if not replies:
        losses.malformed("record", f"no reply; columns {', '.join(record)}"[:150])
        return None
    question = question_of(record)
    target, note = target_of(record)
    if note:
        losses.guessed("reference", note)
    task = make_task(
        id_of(record, question),
        question,
        losses,
        target=target,
        metadata=rest_of(record, losses) or None,
    )
    return [_trial(task, reply, record, losses) for reply in replies]


def _trial(task: Any, reply: Reply, record: dict[str, Any], losses: Losses) -> ForeignTrial:
    builder = TrialBuilder(losses)
    builder.prompt("user", task.prompt, first=True)
    builder.assistant(reply.text, finish_reason=reply.finish_reason)
    return ForeignTrial(
        task=task,
        events=builder.end("replied"),
        origin=Origin(
            source=losses.where,
            format=NAME,
            source_id=as_text(first(record, "id", "idx", "doc_id", "question_id")),
            model_id=reply.system or as_text(first(record, "model", "model_id", "model_name")),
            raw=reply.raw,
            raw_score=reply.raw_score,
            raw_detail=reply.raw_detail,
        ),
    )


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="question, reference and output in CSV, TSV, JSON or JSONL; lm-evaluation-harness",
)
