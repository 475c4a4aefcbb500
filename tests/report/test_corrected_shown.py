"""The corrected rate in a terminal, in JSON and on the page, and nothing where nobody labelled."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from tests.report import sample
from tests.report.judged import HOSTILE
from tests.report.labelled import Group, pool
from trajaudit.report.corrected import correction_for_report
from trajaudit.report.html import Decided, write_html
from trajaudit.report.json import write_json
from trajaudit.report.plot import TICKS, plot_of_corrected
from trajaudit.report.schema import Summary
from trajaudit.report.terminal import page

GROUPS = (
    Group("panel/pass/ruled", "p" * 18 + "f" * 2, 80, panel=True),
    Group("rules/fail/wrong_answer", "f" * 9 + "p", 40),
    Group("resolve/differ", "ppf" * 4 + "cc"),
)


def summary(groups: tuple[Group, ...] = GROUPS, *, alpha: float | None = 0.5) -> Summary:
    found = correction_for_report(pool(groups, alpha=alpha))
    return sample.summary(sample.run()).model_copy(update={"corrected": found})


def printed(of: Summary, width: int) -> str:
    file = io.StringIO()
    Console(file=file, width=width).print(page(of, width=width))
    return file.getvalue()


def html(of: Summary, folder: Path) -> str:
    path = folder / "report.html"
    write_html(path, of, sample.config(), [], Decided([], [], []))
    return path.read_text()


@pytest.mark.parametrize("width", [80, 120, 200])
def test_the_terminal_has_columns_estimates_bounds_and_banners(width: int) -> None:
    said = printed(summary(), width)

    assert "Corrected rate   42 labels of people on 164 trials" in said
    assert "! gold is soft" in said
    for name in ("strict", "lenient", "panel", "human", "these", "new tasks"):
        assert f"  {name} " in said
    assert "these: open ones all fail … all pass: 0.63 … 0.64" in said
    assert "more labels would halve the interval" in said


def test_the_page_has_a_picture_with_every_column(tmp_path: Path) -> None:
    text = html(summary(), tmp_path)
    section = text[text.index('<section id="corrected">') : text.index('<section id="causes">')]

    assert '<a href="#corrected">' in text
    for name in ("strict", "lenient", "panel", "human", "corrected", "new tasks"):
        assert f">{name}</text>" in section
    assert "open ones all fail" in section
    assert "gold is soft" in section


def test_every_mark_lies_on_the_axis_and_a_rate_inside_its_bounds() -> None:
    plot = plot_of_corrected(summary().corrected)

    assert len(plot.bars) == 6
    for bar in plot.bars:
        if bar.name == "panel":
            # All that it decided passes: that shows no spread, and so no interval.
            assert bar.line is None
            continue
        assert bar.line is not None
        assert bar.dot is not None
        assert TICKS[0][0] <= bar.line[0] <= bar.dot <= bar.line[1] <= TICKS[-1][0]
        assert bar.band[0] - 0.1 <= bar.dot <= bar.band[0] + bar.band[1] + 0.1
    assert plot.bars[4].band[1] > 0


def test_a_refusal_stands_where_the_rate_would(tmp_path: Path) -> None:
    missing = summary((*GROUPS, Group("rules/fail/loop", "--", 8)))

    assert "rules/fail/loop (needs 1 label" in " ".join(printed(missing, 200).split())
    assert "rules/fail/loop (needs 1 label" in html(missing, tmp_path)
    assert [bar.name for bar in plot_of_corrected(missing.corrected).bars][-1] == "human"


def test_names_of_strata_and_tasks_are_shown_and_do_nothing(tmp_path: Path) -> None:
    nasty = summary((*GROUPS, Group(f"rules/fail/{HOSTILE}", "f", 3)))
    assert nasty.corrected is not None
    corrected = nasty.corrected.model_copy(update={"broken_tasks": (HOSTILE,)})
    nasty = nasty.model_copy(update={"corrected": corrected})

    said = printed(nasty, 120)
    assert "\x1b" not in said
    assert "\u202e" not in said
    text = html(nasty, tmp_path)
    assert "<script>alert" not in text
    assert "\x1b" not in text


def test_json_has_it_and_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    made = summary()
    write_json(path, made, outcomes=[], findings=[], verdicts=[])

    assert Summary.model_validate(json.loads(path.read_text())["summary"]) == made


def test_where_nobody_labelled_nothing_is_said(tmp_path: Path) -> None:
    plain = sample.summary(sample.run())

    assert plain.corrected is None
    assert "Corrected rate" not in printed(plain, 120)
    assert "corrected" not in html(plain, tmp_path)
    assert plot_of_corrected(None).bars == ()
