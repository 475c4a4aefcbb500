"""Findings about what was right before, what was too much, and what got round the task."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict
from trajaudit.score.case_file import CaseFile, Suspicion, steps_of

K = FailureKind


def early_findings(case: CaseFile) -> Iterator[Suspicion]:
    """Yield what a failed trial had and lost, one finding for each criterion."""
    verdict = case.verdict("early_correct", "lenient")
    if verdict is None or verdict.passed is not False:
        return
    for number, loss in enumerate(_records(verdict, "losses")):
        evidence = verdict.evidence[2 * number : 2 * number + 2]
        yield Suspicion(
            K.RETRACTED if loss.get("cause") == "retracted" else K.EARLY_CORRECT_LATE_FAIL,
            str(loss["reason"]),
            Fault(str(loss["fault"])),
            steps_of(evidence),
            evidence,
            verdict.scorer,
            explains=case.failed,
        )


def integrity_findings(case: CaseFile) -> Iterator[Suspicion]:
    """Yield one finding for each kind of thing that got round the task."""
    verdict = case.verdict("integrity", "lenient")
    by_kind: dict[str, list[Mapping[str, JsonValue]]] = {}
    for hit in _records(verdict, "hits") if verdict is not None else ():
        by_kind.setdefault(str(hit["kind"]), []).append(hit)
    for kind, hits in by_kind.items():
        evidence = tuple(_evidence(hit) for hit in hits[:20])
        reasons = "; ".join(dict.fromkeys(str(hit["reason"]) for hit in hits))
        yield Suspicion(
            K(kind), reasons[:600], Fault.AGENT, steps_of(evidence), evidence, "integrity"
        )
    known = case.verdict("memorised", "lenient")
    if known is not None and known.passed is False:
        yield Suspicion(
            K.BENCHMARK_RECOGNISED,
            known.reason,
            Fault.AGENT,
            steps_of(known.evidence),
            known.evidence,
            known.scorer,
        )


def spare_findings(case: CaseFile) -> Iterator[Suspicion]:
    """Yield the calls that came after a passed trial was right for good."""
    verdict = case.verdict("steps_needed", "lenient")
    if verdict is not None and verdict.detail.get("unneeded_call_steps"):
        yield Suspicion(
            K.UNNEEDED_CALLS,
            verdict.reason,
            Fault.AGENT,
            steps_of(verdict.evidence),
            verdict.evidence,
            verdict.scorer,
        )


def _records(verdict: Verdict, name: str) -> list[Mapping[str, JsonValue]]:
    found = verdict.detail.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _evidence(hit: Mapping[str, JsonValue]) -> Evidence:
    seq, step, call_id = hit.get("seq"), hit.get("step"), hit.get("call_id")
    return Evidence(
        seq=seq if isinstance(seq, int) else None,
        step=step if isinstance(step, int) else None,
        quote=str(hit.get("quote", "")),
        call_id=call_id if isinstance(call_id, str) else None,
    )
