import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.report import sample
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Fault
from trajaudit.report.schema import Summary
from trajaudit.report.terminal import print_summary

HOSTILE = "\x1b[2J\x1b]8;;http://evil\x07 [red]markup[/red] :bomb: \u202egnp\nsecond line"


def _printed(summary: Summary, width: int = 120, *, coloured: bool = False) -> str:
    file = io.StringIO()
    console = Console(
        file=file,
        width=width,
        force_terminal=coloured,
        color_system="standard" if coloured else None,
    )
    print_summary(summary, console=console, footer=["report.html"])
    return file.getvalue()


def _hostile() -> sample.Run:
    made = sample.run()
    config = made.config
    scenario = config.scenario.model_copy(update={"name": HOSTILE})
    made.config = config.model_copy(
        update={"scenario": scenario, "model_id": HOSTILE, "agent": HOSTILE}
    )
    made.findings = [
        found.model_copy(update={"reason": HOSTILE + "x" * 5000}) for found in made.findings
    ]
    return made


def test_the_first_page_reads_as_designed() -> None:
    lines = [line.rstrip() for line in _printed(sample.summary(sample.run())).splitlines()]

    assert lines[0].split("   ") == [
        "shop_support/refunds",
        "local/smollm2 · langgraph",
        "10 tasks \N{MULTIPLICATION SIGN} 3 trials",
        "run 20261129-101500-7f3a",
    ]
    assert lines[1] == "in a container (docker: agent-base sha256:222222222222)"
    assert lines[3].split() == ["strict", "lenient", "final"]
    assert lines[4].startswith("pass@1   0.35 [0.15, 0.62]      0.58 [0.35, 0.78]      0.58")
    assert lines[6].split() == ["graded"] + ["29", "of", "30"] * 3
    text = "\n".join(lines)
    assert "not graded (strict)   1 sandbox_failed: if wrong 0.33, if right 0.37" in text
    assert "Why 7 strict failures pass a careful reading" in text
    assert re.search(r'3   schema_near_miss +harness +amount sent as "42.50" for 42.5', text)
    assert re.search(r"t08/3 +lost at step 6", text)
    assert lines[-1] == "report.html"


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for made in (sample.run(), _hostile()):
        printed = _printed(sample.summary(made), width)

        assert max(cell_len(line) for line in printed.splitlines()) <= width


def test_six_columns_turn_on_their_side_in_a_narrow_terminal() -> None:
    made = sample.run()
    made.outcomes = [
        outcome.model_copy(update={"raw": False, "panel": True, "human": True})
        for outcome in made.outcomes
    ]
    narrow, wide = _printed(sample.summary(made), 80), _printed(sample.summary(made), 200)

    assert re.search(r"^panel +1.00 \[", narrow, re.MULTILINE)
    assert re.search(r"^ +raw +strict +lenient +panel +human +final", wide, re.MULTILINE)


def test_text_of_a_log_cannot_steer_the_terminal() -> None:
    printed = _printed(sample.summary(_hostile()))

    assert not re.search(r"[^\n\x20-\x7e\xa0-\uffff]", printed)
    assert "\u202e" not in printed
    assert "\\x1b[2J" in printed
    assert "[red]markup[/red] :bomb:" in printed


def test_colours_stay_away_without_a_terminal_and_with_no_color(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "\x1b" not in _printed(sample.summary(sample.run()))
    coloured = _printed(sample.summary(sample.run()), coloured=True)
    assert "\x1b[36m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = _printed(sample.summary(sample.run()), coloured=True)
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|4[0-7])m", plain)


def test_long_lists_say_how_much_is_left_out() -> None:
    made = sample.Run(sample.config(tasks=("a",), trials=40))
    made.outcomes = [
        Outcome(task_id="a", trial=trial, strict=True, lenient=True, final=True, source="strict")
        for trial in range(1, 41)
    ]
    made.findings = [
        sample.finding("a", trial, FailureKind.ANSWER_LEAK, Fault.AGENT, f"reason {trial}")
        for trial in range(1, 41)
    ]
    printed = _printed(sample.summary(made))

    assert "and 35 more, in the report" in printed
    assert printed.count("reason ") == 5


def test_banners_come_before_the_numbers() -> None:
    made = sample.Run(sample.config(tasks=("a",), trials=1, isolation="process"))
    printed = _printed(sample.summary(made))

    assert printed.index("! ran as a plain process") < printed.index("pass@1")
    assert "no trial was graded" in printed
