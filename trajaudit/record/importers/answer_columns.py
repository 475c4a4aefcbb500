"""Which column of a table of answers is which?"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_list, as_number, as_text, first, task_id

QUESTION = ("question", "prompt", "input", "query", "problem", "instruction")
REFERENCE = (
    *("reference", "references", "target", "targets", "expected", "expected_answer", "gold"),
    *("golden_answer", "gold_answer", "golden_answers", "ground_truth", "gt", "correct_answer"),
    *("reference_answer", "label", "answers", "answer"),
)
OUTPUT = (
    *("output", "outputs", "response", "responses", "prediction", "predictions", "completion"),
    *("completions", "generation", "generations", "model_output", "model_answer", "generated"),
    *("generated_text", "solution", "code", "pred", "answer"),
)
VERDICT = (
    *("correct", "is_correct", "passed", "pass", "judge", "judgement", "judgment", "grade"),
    *("score", "acc", "exact_match", "acc_norm", "em", "human", "verdict"),
)
_ID = ("id", "idx", "doc_id", "question_id", "qid", "sample_id", "instance_id")
_MODEL = ("model", "model_id", "model_name")
_OPTIONS = ("choices", "options")
_HARNESS = frozenset({"resps", "filtered_resps", "arguments", "doc", "doc_hash", "prompt_hash"})
_MINOR = frozenset({"finish_reason", "stop_reason", "target_hash", "filter", "metrics"})
_SPLIT = ("answer_", "output_", "response_", "prediction_")
_SPLIT_VERDICT = ("judge_", "correct_", "is_correct_", "score_", "human_")
_YES = frozenset({"true", "yes", "y", "1", "correct", "right", "pass", "passed", "c"})
_NO = frozenset({"false", "no", "n", "0", "incorrect", "wrong", "fail", "failed", "i"})
_SHORT = 500


@dataclass(frozen=True)
class Reply:
    """One reply to a question, with the verdict that stands beside it."""

    text: str
    system: str = ""
    raw: bool | None = None
    raw_score: float | None = None
    raw_detail: str = ""
    finish_reason: str | None = None


def is_table(record: Mapping[str, Any]) -> bool:
    """Return whether a record can be of such a table."""
    if "resps" in record and "doc" in record:
        return True
    asked = any(name in record for name in (*QUESTION, *REFERENCE))
    own = _output_column(record) is not None
    return asked and (own or bool(_split_systems(record)) or bool(_nested_systems(record)))


def question_of(record: Mapping[str, Any]) -> str:
    """Return what was asked; of a harness' sample the document's question."""
    inner = as_dict(record.get("doc"))
    return as_text(first(record, *QUESTION) or first(inner, *QUESTION) or first(inner, "text"))


def id_of(record: Mapping[str, Any], question: str) -> str:
    """Return the record's id, else one made of the question: the same for the same question."""
    given = first(record, *_ID)
    if given is None and 0 in [record.get(name) for name in _ID]:
        given = 0
    if given is not None:
        return task_id("q", given)
    return task_id("q", hashlib.sha256(question.encode("utf-8", "replace")).hexdigest()[:12])


def reference_of(record: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the column of the reference and what stands in it; ("", None) where there is none."""
    output = _output_column(record)
    for name in REFERENCE:
        if name != output and record.get(name) not in (None, "", []):
            return name, record[name]
    inner = as_dict(record.get("doc"))
    return next(((name, inner[name]) for name in REFERENCE if name in inner), ("", None))


def options_of(record: Mapping[str, Any]) -> Any:
    """Return the options of a choice, in whatever form they have."""
    return first(record, *_OPTIONS) or first(as_dict(record.get("doc")), *_OPTIONS)


def replies_of(record: Mapping[str, Any], losses: Losses) -> list[Reply]:
    """Return every reply of a record."""
    if "resps" in record:
        return list(_harness_replies(record, losses))
    found = [*_split_systems(record), *_nested_systems(record)]
    column = _output_column(record)
    if column is not None and not found:
        value = record[column]
        texts = [one for one in value if isinstance(one, str)] if isinstance(value, list) else None
        raw = _verdict(record, VERDICT)
        finish = as_text(first(record, "finish_reason", "stop_reason")) or None
        shown = [as_text(value)] if texts is None else texts
        found += [Reply(text=text, finish_reason=finish, **raw) for text in shown]
    return found


def rest_of(record: Mapping[str, Any], losses: Losses) -> dict[str, Any]:
    """Return the short columns that mean nothing here; long or nested ones are dropped, counted."""
    known = {*QUESTION, *_ID, *_MODEL, *_OPTIONS, *VERDICT, *_HARNESS, *_MINOR}
    known |= {reference_of(record)[0], _output_column(record) or ""}
    kept: dict[str, Any] = {}
    for name, value in record.items():
        if name in known or name.startswith((*_SPLIT, *_SPLIT_VERDICT)) or _is_system(value):
            continue
        if isinstance(value, (bool, int, float)) or (
            isinstance(value, str) and len(value) <= _SHORT
        ):
            kept[name] = value
        elif value not in (None, "", [], {}):
            losses.dropped(name, value)
    return kept


def _output_column(record: Mapping[str, Any]) -> str | None:
    """Return the reply's column. `answer` is the reply only where something else is the reference,
    and `pred` only where there is no longer text.
    """
    for name in OUTPUT:
        if name in record and not _is_system(record[name]):
            if name == "answer" and not any(key in record for key in REFERENCE if key != "answer"):
                continue
            return name
    return None


def _split_systems(record: Mapping[str, Any]) -> list[Reply]:
    found = []
    for name, value in record.items():
        prefix = next((one for one in _SPLIT if name.startswith(one) and name != one), None)
        if prefix is not None and isinstance(value, str):
            system = name.removeprefix(prefix)
            verdicts = tuple(one + system for one in _SPLIT_VERDICT)
            found.append(Reply(text=value, system=system, **_verdict(record, verdicts)))
    return found if any(reply.raw is not None for reply in found) or len(found) > 1 else []


def _nested_systems(record: Mapping[str, Any]) -> list[Reply]:
    return [
        Reply(
            text=as_text(first(value, *OUTPUT)),
            system=name,
            **_verdict(value, VERDICT),
        )
        for name, value in record.items()
        if _is_system(value) and name not in _HARNESS
    ]


def _is_system(value: Any) -> bool:
    fields = as_dict(value)
    return any(isinstance(fields.get(name), str) for name in OUTPUT) and any(
        name in fields for name in VERDICT
    )


def _harness_replies(record: Mapping[str, Any], losses: Losses) -> Iterator[Reply]:
    """Samples of lm-evaluation-harness: `resps` holds, per request, a list of generated texts."""
    raw = _verdict(record, VERDICT)
    for request in as_list(record.get("resps")):
        texts = [one for one in as_list(request) or [request] if isinstance(one, str)]
        if not texts:
            losses.dropped("resps", "likelihoods of options: no text was generated")
        for text in texts:
            yield Reply(text=text, **raw)


def _verdict(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    for name in names:
        value = record.get(name)
        if value is None or isinstance(value, (dict, list)):
            continue
        score = as_number(value)
        word = as_text(value).strip().lower()
        if isinstance(value, bool) or score in (0, 1):
            raw: bool | None = bool(score if score is not None else value)
        else:
            raw = True if word in _YES else False if word in _NO else None
        if raw is not None or score is not None:
            return {"raw": raw, "raw_score": score, "raw_detail": f"{name} {as_text(value)}"[:100]}
    return {}
