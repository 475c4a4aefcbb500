"""One sample of an Inspect log as a trial."""

from dataclasses import dataclass
from typing import Any

from trajaudit.datamodel._base import typed
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.inspect_end import end_of, limit_of
from trajaudit.record.importers.inspect_events import EventReader
from trajaudit.record.importers.inspect_score import RawVerdict, graded_scorers, raw_verdicts
from trajaudit.record.importers.inspect_target import is_judged, prompt_text, target_of
from trajaudit.record.importers.inspect_text import Attached, Texts
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    as_dict,
    as_list,
    as_number,
    as_text,
    make_task,
    task_id,
)

NAME = "inspect"
_typed = typed(Origin)
_OURS = frozenset({"trajaudit"})
"""Metadata that the exporter of this format writes: what it says is computed again."""
_CARRIED = frozenset(
    {
        "id",
        "metadata",
        "epoch",
        "input",
        "choices",
        "target",
        "messages",
        "output",
        "scores",
        "score",
        "events",
    }
    | {"transcript", "events_data", "message_pool", "call_pool", "attachments", "uuid", "error"}
    | {"error_retries", "limit", "started_at", "completed_at", "total_time", "working_time"}
    | {"model_usage", "role_usage", "turn_count", "invalidation", "message_refs", "sandbox"}
    | {"token_limit", "token_limit_type", "token_limit_usage", "message_limit", "time_limit"}
)


@dataclass(frozen=True)
class LogHead:
    """What a log says of all of its samples."""

    task: str
    model_id: str
    agent: str
    evaluation: dict[str, Any]
    graded: frozenset[str]
    """Scorers whose numbers are amounts, no pass or fail."""

    @classmethod
    def of(cls, header: dict[str, Any]) -> "LogHead":
        """Return it, of `header.json`, of a journal's start, or of a whole `.json` log."""
        evaluation = as_dict(header.get("eval"))
        steps = [as_dict(one) for one in as_list(as_dict(header.get("plan")).get("steps"))]
        solvers = [as_text(step.get("solver")) for step in steps]
        agent = as_text(evaluation.get("solver")) or " → ".join(filter(None, solvers))
        return cls(
            task=as_text(evaluation.get("task")),
            model_id=as_text(evaluation.get("model")),
            agent=agent[:200],
            evaluation=evaluation,
            graded=graded_scorers(header.get("results")),
        )


def trial_of(
    sample: dict[str, Any], head: LogHead, losses: Losses, attached: Attached | None = None
) -> ForeignTrial | None:
    """Return a sample as a trial; None: it holds nothing that anybody did.

    Args:
        sample: as the log holds it; of a chunked one with its parts put together.
        head: of its log.
        losses: are told.
        attached: looks attachments up; None: in the sample.
    """
    losses.unknown("sample", sample, _CARRIED)
    losses.unknown("sample.metadata", as_dict(sample.get("metadata")), _OURS)
    texts = Texts(attached or _attachments(sample).get, losses)
    builder = TrialBuilder(losses)
    reader = _told(sample, builder, losses, texts)
    error = as_dict(sample.get("error")) or reader.error or {}
    limit = limit_of(sample, reader.stopped)
    if not (reader.told.steps or error or limit or as_dict(sample.get("output")).get("choices")):
        losses.malformed("sample", "no event, no message, no error: nothing was done")
        return None
    _submit(sample, reader, builder, texts, limited=bool(limit or error))
    reason, detail = end_of(error, limit, judging_failed=reader.judging_failed, cut=reader.cut)
    wanted = target_of(sample, texts, judged=is_judged(head.evaluation, sample.get("scores")))
    tags = (head.task[:200],) if head.task else ()
    prompt = prompt_text(sample, texts)
    return ForeignTrial(
        task=make_task(task_id(sample.get("id")), prompt, losses, target=wanted, tags=tags),
        events=builder.end(reason, detail),
        origin=_origin(sample, head, losses.where, error if reader.judging_failed else {}),
        tools=reader.tools,
        started=as_text(sample.get("started_at"))[:40],
        duration_s=max(as_number(sample.get("total_time")) or 0.0, 0.0),
    )


def _told(
    sample: dict[str, Any], builder: TrialBuilder, losses: Losses, texts: Texts
) -> EventReader:
    """Read the events of a sample; its messages where it has none."""
    legacy = as_dict(sample.get("transcript"))
    pool = as_dict(sample.get("events_data")).get("messages") or sample.get("message_pool")
    reader = EventReader(builder, losses, texts, as_list(pool))
    reader.read(as_list(sample.get("events")) or as_list(legacy.get("events")))
    if reader.told.steps == 0:
        reader.told.read(as_list(sample.get("messages")))
    for retried in map(as_dict, as_list(sample.get("error_retries"))):
        builder.warning("sample_retried", as_text(retried.get("message"))[:500])
    return reader


def _attachments(sample: dict[str, Any]) -> dict[str, Any]:
    legacy = as_dict(sample.get("transcript"))
    return as_dict(sample.get("attachments")) or as_dict(legacy.get("content"))


def _submit(
    sample: dict[str, Any],
    reader: EventReader,
    builder: TrialBuilder,
    texts: Texts,
    *,
    limited: bool,
) -> None:
    """Tell the answer where the log marks one: a `submit` tool, or an output that is not just the
    last message; the last message counts by itself, and one that only asked for tools does not.
    """
    completion = completion_of(sample, texts)
    told = reader.told
    if told.submitted is not None and completion.endswith(told.submitted):
        builder.submit(told.submitted)
        return
    last = completion.strip() == told.said.strip() and (limited or not told.asked)
    if completion.strip() and not last:
        builder.submit(completion)


def completion_of(sample: dict[str, Any], texts: Texts) -> str:
    """Return what Inspect takes for the answer."""
    output = as_dict(sample.get("output"))
    if isinstance(output.get("completion"), str):
        return texts.text(output["completion"])
    choices = as_list(output.get("choices"))
    message = as_dict(as_dict(choices[0]).get("message")) if choices else {}
    return texts.content(message.get("content"))[0]


def _origin(sample: dict[str, Any], head: LogHead, where: str, failed: dict[str, Any]) -> Origin:
    legacy = {"score": sample["score"]} if sample.get("score") else {}
    scores = sample.get("scores") or legacy
    found = raw_verdicts(scores, head.graded)
    first = next(iter(found), None)
    raw = found[first] if first else RawVerdict()
    detail = raw.detail
    if len(found) > 1:
        detail += f" (the first of {len(found)} scores is taken)"
    if failed:
        detail = f"grading failed: {as_text(failed.get('message'))}"
    if sample.get("invalidation"):
        raw, detail = RawVerdict(), f"invalidated; {detail}"
    return _typed(
        source=where,
        format=NAME,
        source_id=as_text(sample.get("uuid")) or f"{sample.get('id')}/{sample.get('epoch')}",
        agent=head.agent,
        model_id=head.model_id,
        raw=raw.passed,
        raw_score=raw.score,
        raw_detail=detail[:500],
        checks={name: one.passed for name, one in found.items()} if len(found) > 1 else {},
        basis=(first,) if first and len(found) > 1 else (),
    )
