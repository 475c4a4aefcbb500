import base64
import hashlib
import re
import weakref
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.report import sample, trajectories
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Fault
from trajaudit.report.html import Decided, write_html

HOSTILE = trajectories.HOSTILE


class Page(HTMLParser):
    """What a browser would see: elements, their attributes and the text outside of scripts."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.text = ""
        self.raw: dict[str, str] = {"script": "", "style": "", "title": ""}
        self._open: list[str] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag in self.raw:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.raw:
            self._open.remove(tag)

    def handle_data(self, data: str) -> None:
        if self._open:
            self.raw[self._open[-1]] += data
        else:
            self.text += data

    @property
    def links(self) -> list[str]:
        return [value for name, value in self.attributes if name == "href"]


def _write(
    folder: Path, made: sample.Run, found: Iterable[Trajectory] | None = None
) -> tuple[Path, Page]:
    path = folder / "report.html"
    summary = sample.summary(made)
    shown = trajectories.trajectories(sample.TASKS) if found is None else found
    tasks = {task.id: task for task in made.config.scenario.tasks}
    told = ((tasks.get(one.task_id), one) for one in shown)
    write_html(
        path, summary, made.config, told, Decided(made.verdicts, made.findings, made.outcomes)
    )
    return path, Page(path)


def _hostile() -> sample.Run:
    made = sample.run()
    scenario = made.config.scenario
    tasks = tuple(task.model_copy(update={"prompt": HOSTILE}) for task in scenario.tasks)
    made.config = made.config.model_copy(
        update={
            "scenario": scenario.model_copy(update={"name": HOSTILE, "tasks": tasks}),
            "model_id": HOSTILE,
            "agent": HOSTILE,
            "image": HOSTILE,
            "versions": {HOSTILE: HOSTILE},
        }
    )
    made.findings = [found.model_copy(update={"reason": HOSTILE}) for found in made.findings]
    made.verdicts = [
        verdict.model_copy(
            update={
                "scorer": HOSTILE,
                "reason": HOSTILE,
                "reading": HOSTILE,
                "tolerances": (HOSTILE,),
            }
        )
        for verdict in made.verdicts
    ]
    made.outcomes = [
        outcome.model_copy(update={"status_detail": HOSTILE, "task_id": outcome.task_id})
        for outcome in made.outcomes
    ]
    return made


def _assert_harmless(page: Page) -> None:
    assert page.tags.count("script") == page.tags.count("style") == 1
    assert not {"img", "iframe", "object", "embed", "base", "link", "video"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name == "style"]
    assert not [name for name, _ in page.attributes if name in {"src", "srcset", "action"}]
    for link in page.links:
        assert re.fullmatch(
            r"(?:(?:\.\./)?report\.html|report_files/x\d+\.html|x\d+\.html)?(#[\w-]+)?", link
        )
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page.text)


def test_hostile_text_in_every_field_stays_text(tmp_path: Path) -> None:
    hostile = [trajectories.hostile(task, trial) for task in sample.TASKS[:2] for trial in (1, 2)]
    _, page = _write(tmp_path, _hostile(), hostile)

    _assert_harmless(page)
    assert page.text.count('<script>document.title="owned"</script>') > 100
    assert "\\u202egnp.exe" in page.text
    assert "{{7*7}}" in page.text


def test_pages_of_large_trajectories_are_as_harmless(tmp_path: Path) -> None:
    many = [trajectories.hostile(task, n) for task in sample.TASKS for n in (1, 2, 3)]
    _, page = _write(tmp_path, _hostile(), many)

    pages = sorted((tmp_path / "report_files").iterdir())
    assert len(pages) == 30
    _assert_harmless(page)
    _assert_harmless(Page(pages[0]))


def test_only_the_reports_own_style_and_script_may_act(tmp_path: Path) -> None:
    _, page = _write(tmp_path, sample.run())

    (policy,) = [value for _, value in page.attributes if value.startswith("default-src")]
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(page.raw[tag].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert "http" not in page.raw["style"]
    assert "innerHTML" not in page.raw["script"]


@pytest.mark.parametrize("copies", [1, 8])
def test_every_link_of_the_report_leads_somewhere(tmp_path: Path, copies: int) -> None:
    tasks = tuple(f"{task}-{copy}" for task in sample.TASKS for copy in range(copies))
    made = sample.Run(sample.config(tasks=tasks))
    made.findings = [
        sample.finding(task, 1, FailureKind.EARLY_CORRECT_LATE_FAIL, Fault.AGENT, "x")
        for task in tasks
    ]
    path, page = _write(tmp_path, made, trajectories.trajectories(tasks))

    assert len(page.ids) == len(set(page.ids))
    assert len(page.links) > 30
    for link in set(page.links):
        file, _, anchor = link.partition("#")
        there = Page(path.parent / file) if file else page
        assert not anchor or anchor in there.ids


def test_the_page_shows_what_the_terminal_shows(tmp_path: Path) -> None:
    _, page = _write(tmp_path, sample.run())

    for words in (
        "0.35 [0.15, 0.62]",
        "0.33 … 0.37",
        "Why 7 strict failures pass a careful reading",
        'amount sent as "42.50" for 42.5',
        "What really failed",
        "lost at step 6",
        "Isolation: in a container (docker: agent-base sha256:222222222222)",
    ):
        assert words in page.text


def test_a_finding_links_to_the_step_it_is_about(tmp_path: Path) -> None:
    _, page = _write(tmp_path, sample.run())

    # t02/1 is the fourth trajectory; its fourth and sixth step hold the evidence.
    assert {"#x4-e16", "#x4-e24", "#x4-s6"} <= set(page.links)


def test_a_plain_process_is_announced(tmp_path: Path) -> None:
    made = sample.run()
    made.config = sample.config(isolation="process")
    _, page = _write(tmp_path, made)

    assert "nothing kept the agent from the machine" in page.text


def test_a_long_observation_is_folded_and_whole(tmp_path: Path) -> None:
    _, page = _write(tmp_path, sample.run())

    assert "A lost parcel is refunded in full. " * 90 in page.text
    assert "3,150 characters, 1 line" in page.text


def test_trials_without_a_trajectory_are_said(tmp_path: Path) -> None:
    _, page = _write(tmp_path, sample.run(), [])

    assert "30 of 30 trials have no trajectory." in page.text


def test_no_more_than_two_trajectories_are_held_at_a_time(tmp_path: Path) -> None:
    made: list[weakref.ref[Trajectory]] = []
    most = 0

    def stream() -> Iterable[Trajectory]:
        nonlocal most
        for number in range(1, 8):
            most = max(most, sum(ref() is not None for ref in made))
            trajectory = trajectories.refund("t01", number)
            made.append(weakref.ref(trajectory))
            yield trajectory
            del trajectory

    _write(tmp_path, sample.run(), stream())
    assert len(made) == 7
    assert most <= 2
