"""Step 5 of a run: the panel that the scenario, or the caller, asked for looks at its trials."""

import time
from collections.abc import Callable
from pathlib import Path

from trajaudit.audit.judge import JudgeReport, judge_run
from trajaudit.audit.judging import JudgeOptions, panel_named
from trajaudit.audit.options import RunOptions
from trajaudit.audit.report import report_run
from trajaudit.datamodel.scenario import PanelUse, Scenario
from trajaudit.llm import ModelOptions, open_model
from trajaudit.record.judges import load_panel
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import LoadedScenario

_NO_AGENTS = frozenset({"golden", "null"})
"""Trials of these show whether a task is sound; there is no agent to judge."""
_EVERY_S = 5.0


def require_panel(scenario: Scenario, start: Path) -> None:
    """Read the panel and open its judges once, which asks nothing, before anything starts.

    Raises:
        ScenarioError: a file of it is missing or wrong.
        UsageError: a judge cannot be opened.
    """
    if _is_asked(scenario.panel):
        for judge in load_panel(panel_named(scenario.panel), start).panel.judges:
            open_model(
                judge.model,
                base_url=judge.base_url,
                options=ModelOptions(send_key=False, api_key_env=judge.api_key_env),
            ).close()


def judge_after(
    run: RunDir, loaded: LoadedScenario, options: RunOptions, say: Callable[[str], None]
) -> JudgeReport | None:
    """Judge a scored run where its scenario has a panel; what is there already is not asked again.

    Returns:
        What came of it; None where no panel is asked. A provider that is down, or a budget that is
        spent, leaves trials as the rules left them; the next `resume` or `judge` tries again.

    Raises:
        ScenarioError: a file of the panel is wrong.
    """
    use = run.config.scenario.panel
    if not _is_asked(use) or run.config.agent in _NO_AGENTS:
        return None
    # Judging may take longer than anything before, and may be stopped.
    report_run(run)
    told = _Told(say, panel_named(use))
    typed = bool(options.panel) or use != loaded.scenario.panel
    report = judge_run(run, JudgeOptions(start=loaded.root, send_keys=typed, told=told.judged))
    for line in lines_of(report, run.run_id):
        say(line)
    return report


def lines_of(report: JudgeReport, run_id: str) -> list[str]:
    """Return what became of a judging, in one or two lines."""
    resolve = sum(one.queue == "resolve" for one in report.decisions)
    audit = sum(one.queue == "audit" for one in report.decisions)
    settled = len(report.decisions) - resolve
    queues = f"{settled} settled, {resolve} for people to resolve, {audit} to audit"
    lines = [f"panel {report.panel}: {queues}; {report.sent} calls sent"]
    if report.unheard:
        lines.append(
            f"{len(report.unheard)} trials not judged: {report.unheard[-1].why}; "
            f"`trajaudit judge {run_id}` tries again"
        )
    return lines


def _is_asked(use: PanelUse | None) -> bool:
    return use is not None and use.when != "never"


class _Told:
    """Says how far judging is, not too often."""

    def __init__(self, say: Callable[[str], None], panel: str) -> None:
        self._say = say
        self._panel = panel
        self._last = time.monotonic()

    def judged(self, done: int, due: int) -> None:
        now = time.monotonic()
        if now - self._last >= _EVERY_S and done < due:
            self._last = now
            self._say(f"panel {self._panel}: {done} of {due} trials judged")
