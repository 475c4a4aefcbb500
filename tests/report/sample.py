"""A made-up run of a small shop's support agent: ten tasks, three trials each."""

from dataclasses import dataclass, field

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome, RunConfig, TrialRecord
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.target import MoneyTarget
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, GradeStatus, Verdict
from trajaudit.report.schema import Column, Summary
from trajaudit.report.summary import summarise

RUN_ID = "20261129-101500-7f3a"
TASKS = tuple(f"t{number:02d}" for number in range(1, 11))

_PASSES = {"t01/1", "t02/3", "t04/1", "t04/2", "t04/3", "t05/2", "t06/1", "t06/2", "t06/3", "t10/1"}
"""Strict passes."""

_RESCUED = {
    ("t03/1", "t03/2", "t09/1"): (
        FailureKind.SCHEMA_NEAR_MISS,
        Fault.HARNESS,
        'amount sent as "42.50" for 42.5',
    ),
    ("t01/2", "t01/3"): (
        FailureKind.ALTERNATE_VALID_PATH,
        Fault.REFERENCE,
        "escalated instead of refunding",
    ),
    ("t05/1", "t07/3"): (FailureKind.FORMAT_MISMATCH, Fault.AGENT, "answer in a sentence"),
}
_FAILED = {
    ("t03/3", "t05/3", "t07/1", "t07/2", "t10/2"): (
        FailureKind.WRONG_ANSWER,
        "said 40.00, the order was 42.50",
    ),
    ("t08/1", "t08/2", "t09/2", "t09/3"): (FailureKind.LOOP, "get_order repeated 9 to 14 times"),
    ("t02/1", "t02/2", "t08/3"): (
        FailureKind.EARLY_CORRECT_LATE_FAIL,
        "had the refund at step 4, reversed it at step 6",
    ),
}
_BROKEN = "t10/3"


@dataclass
class Run:
    """Everything that a report is made of."""

    config: RunConfig
    trials: list[TrialRecord] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    trajectories: list[Trajectory] = field(default_factory=list)


def config(
    *, tasks: tuple[str, ...] = TASKS, trials: int = 3, isolation: str = "container"
) -> RunConfig:
    prompt = "Order A-17 never came. I want my money back."
    target = MoneyTarget.model_validate({"money": 42.5, "currency": "EUR"})
    scenario = Scenario(
        trajaudit=1,
        name="shop_support/refunds",
        tasks=tuple(Task(id=task, prompt=prompt, target=target) for task in tasks or TASKS),
    )
    return RunConfig.model_validate(
        {
            "run_id": RUN_ID,
            "created": "2026-11-29T10:15:00Z",
            "trajaudit_version": "0.1.0",
            "scoring_checksum": "0" * 64,
            "scenario": scenario,
            "scenario_path": "scenarios/shop_support/refunds.yaml",
            "scenario_sha256": "1" * 64,
            "image": "agent-base",
            "image_digest": "sha256:" + "2" * 12,
            "sandbox_kind": "docker",
            "isolation": isolation,
            "agent": "langgraph",
            "model_id": "local/smollm2",
            "task_ids": tasks,
            "trials": trials,
        }
    )


def run() -> Run:
    """30 trials: 10 strict passes, 7 rescued, 12 failed, 1 whose sandbox did not start."""
    made = Run(config())
    causes = {name: cause for names, cause in _RESCUED.items() for name in names}
    failures = {name: cause for names, cause in _FAILED.items() for name in names}
    for task in TASKS:
        for trial in (1, 2, 3):
            name = f"{task}/{trial}"
            made.trials.append(_record(task, trial))
            if name == _BROKEN:
                _add_broken(made, task, trial)
                continue
            strict, lenient = name in _PASSES, name in _PASSES or name in causes
            made.outcomes.append(_outcome(task, trial, strict, lenient))
            made.verdicts += _verdicts(task, trial, strict, lenient)
            if name in causes:
                kind, fault, reason = causes[name]
                made.findings.append(finding(task, trial, kind, fault, reason))
            elif name in failures:
                kind, reason = failures[name]
                made.findings.append(finding(task, trial, kind, Fault.AGENT, reason))
    return made


def finding(task: str, trial: int, kind: FailureKind, fault: Fault, reason: str) -> Finding:
    steps = (4, 6) if kind is FailureKind.EARLY_CORRECT_LATE_FAIL else (2,)
    evidence = tuple(Evidence(step=step, seq=step * 4, quote=reason[:20]) for step in steps)
    return Finding(
        task_id=task,
        trial=trial,
        kind=kind,
        fault=fault,
        steps=steps,
        reason=reason,
        evidence=evidence,
        decided=True,
        scorer="final_answer",
    )


def _record(task: str, trial: int) -> TrialRecord:
    broken = f"{task}/{trial}" == _BROKEN
    return TrialRecord(
        run_id=RUN_ID,
        task_id=task,
        trial=trial,
        end_reason="infra_error" if broken else "replied",
        end_detail="container did not start within 30 s" if broken else "",
        duration_s=30.0 if broken else 4.0 + trial,
        model_calls=0 if broken else 6,
        tool_calls=0 if broken else 3,
        prompt_tokens=0 if broken else 2100,
        completion_tokens=0 if broken else 240,
        cost_usd=None if broken else 0.0012,
    )


def _outcome(task: str, trial: int, strict: bool, lenient: bool) -> Outcome:
    source = "strict" if strict else "lenient"
    return outcome(task, trial, strict=strict, lenient=lenient, final=lenient, source=source)


def _verdicts(task: str, trial: int, strict: bool, lenient: bool) -> list[Verdict]:
    return [
        Verdict(
            task_id=task,
            trial=trial,
            scorer="final_answer",
            mode="strict",
            passed=strict,
            reason="equal to the target" if strict else "not the declared format",
            evidence=(Evidence(step=2, seq=8, quote="42.50"),),
        ),
        Verdict(
            task_id=task,
            trial=trial,
            scorer="final_answer",
            mode="lenient",
            passed=lenient,
            reading="42.50 EUR" if lenient else "40.00 EUR",
            reason="reads as the target" if lenient else "another value",
            tolerances=("currency_sign",) if lenient and not strict else (),
        ),
    ]


def _add_broken(made: Run, task: str, trial: int) -> None:
    made.outcomes.append(
        Outcome(
            task_id=task,
            trial=trial,
            status=GradeStatus.INFRA_ERROR,
            status_detail="container did not start within 30 s",
        )
    )
    made.findings.append(
        Finding(
            task_id=task,
            trial=trial,
            kind=FailureKind.SANDBOX_FAILED,
            fault=Fault.INFRASTRUCTURE,
            reason="container did not start within 30 s",
            decided=True,
        )
    )


def small(*tasks: str, trials: int = 1, isolation: str = "container") -> Run:
    """A run of which nothing is there yet."""
    return Run(config(tasks=tasks, trials=trials, isolation=isolation))


def outcome(task: str = "a", trial: int = 1, **columns: object) -> Outcome:
    return Outcome.model_validate({"task_id": task, "trial": trial, **columns})


def summary(made: Run) -> Summary:
    return summarise(made.config, made.trials, made.outcomes, made.findings, made.verdicts)


def column(of: Summary, name: str) -> Column:
    return next(found for found in of.columns if found.name == name)
