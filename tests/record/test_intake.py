"""An import is there whole or not at all."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.record.foreign import TOOL, added, foreign
from trajaudit.datamodel.event import Start
from trajaudit.datamodel.imported import ImportRecord
from trajaudit.datamodel.run import RunConfig
from trajaudit.datamodel.scenario import Scenario
from trajaudit.errors import RunDirError
from trajaudit.record.importers.base import Totals
from trajaudit.record.intake import IntakeWriter
from trajaudit.record.journal import read_events, verify
from trajaudit.record.rundir import RunDir

REPORT = ImportRecord(run_id="r1", sources=())


def config_of(writer: IntakeWriter) -> RunConfig:
    """The `run.json` of an import."""
    return RunConfig(
        run_id="r1",
        created="2026-01-01T00:00:00+00:00",
        trajaudit_version="1",
        scoring_checksum="",
        scenario=Scenario(trajaudit=1, name="log", tasks=()),
        scenario_path="",
        scenario_sha256="",
        sandbox_kind="none",
        isolation="none",
        agent="coder",
        model_id="m",
        task_ids=writer.task_ids,
        trials=0,
    )


def test_a_finished_import_is_a_run_with_whole_journals(tmp_path: Path) -> None:
    with IntakeWriter(tmp_path, "r1") as writer:
        added(writer, foreign(tools=(TOOL,), started="2026-01-01T00:00:00Z", duration_s=3.0))
        added(writer, foreign())
        run = writer.finish(config_of(writer), REPORT)

    first, second = run.read_trials()
    assert (first.trial, second.trial) == (1, 2)
    assert (first.tool_calls, first.end_reason, first.duration_s) == (1, "replied", 3.0)
    assert first.origin is not None
    assert first.origin.toolset is not None
    assert run.tasks.scenario(first).tools == (TOOL,)
    assert run.tasks.scenario(second).tools == ()
    path = run.journal_path("a", 1)
    assert verify(path, first.head, first.events) == []
    start = next(iter(read_events(path)))
    assert isinstance(start, Start)
    assert (start.run_id, start.agent, start.tools) == ("r1", "coder", ("look",))
    assert [entry.name for entry in tmp_path.iterdir()] == ["r1"]


def test_it_is_laid_apart_from_the_runs_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Path, bool]] = []

    def lay_apart(folder: Path) -> None:
        asked.append((folder, any(folder.iterdir())))

    monkeypatch.setattr("trajaudit.record.intake.lay_apart", lay_apart)

    with IntakeWriter(tmp_path / "runs", "r1"):
        pass

    # Before anything is in it: what is there already stays where it is.
    assert asked == [(tmp_path / "runs", False)]


def test_a_different_task_of_the_same_id_gets_another(tmp_path: Path) -> None:
    with IntakeWriter(tmp_path, "r1") as writer:
        for prompt in ("2 + 2?", "3 + 3?", "2 + 2?"):
            added(writer, foreign(prompt=prompt))
        run = writer.finish(config_of(writer), REPORT)

    assert [(one.task_id, one.trial) for one in run.read_trials()] == [
        ("a", 1),
        ("a", 2),
        ("a.v2", 1),
    ]
    assert [task.prompt for task in run.tasks.tasks()] == ["2 + 2?", "3 + 3?"]


def test_an_import_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with IntakeWriter(tmp_path, "r1") as writer:
            added(writer, foreign())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_import_left_is_removed_and_a_living_one_is_left_alone(
    tmp_path: Path,
) -> None:
    (tmp_path / ".r1.import-999999999" / "trials").mkdir(parents=True)
    (tmp_path / ".r1.import-1").mkdir()
    (tmp_path / ".r2.import-999999999").mkdir()

    with IntakeWriter(tmp_path, "r1"):
        pass

    left = sorted(entry.name for entry in tmp_path.iterdir())
    assert left == [".r1.import-1", ".r2.import-999999999"]


def test_a_run_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "r1").mkdir()

    with IntakeWriter(tmp_path, "r1") as writer:
        added(writer, foreign())
        with pytest.raises(RunDirError, match="there is a run of this id already"):
            writer.finish(config_of(writer), REPORT)

    assert list((tmp_path / "r1").iterdir()) == []


def test_sums_of_a_log_stand_where_it_tells_no_single_calls(tmp_path: Path) -> None:
    totals = Totals(model_calls=3, prompt_tokens=10, completion_tokens=5, cost_usd=0.5)

    with IntakeWriter(tmp_path, "r1") as writer:
        told = added(writer, foreign(totals=totals))
        untold = added(writer, foreign())

    assert (told.model_calls, told.prompt_tokens, told.cost_usd) == (3, 10, 0.5)
    assert (untold.model_calls, untold.prompt_tokens, untold.cost_usd) == (0, 0, None)


def test_a_trial_without_an_end_ends_as_an_infrastructure_failure(tmp_path: Path) -> None:
    cut = foreign()
    cut.events.pop()

    with IntakeWriter(tmp_path, "r1") as writer:
        assert added(writer, cut).end_reason == "infra_error"


def test_metadata_that_is_no_unicode_is_written_all_the_same(tmp_path: Path) -> None:
    odd = foreign()
    odd = replace(odd, task=odd.task.model_copy(update={"metadata": {"id": "\ud800"}}))

    with IntakeWriter(tmp_path, "r1") as writer:
        added(writer, odd)
        run = writer.finish(config_of(writer), REPORT)

    assert run.tasks.task("a").metadata == {"id": "\\ud800"}


def test_names_from_a_log_lead_nowhere_else(tmp_path: Path) -> None:
    odd = foreign()
    odd = replace(odd, origin=odd.origin.model_copy(update={"source": "../../x\0", "agent": "/"}))

    with IntakeWriter(tmp_path / "runs", "r1") as writer:
        added(writer, odd)
        run = writer.finish(config_of(writer), REPORT)

    assert RunDir(run.path).read_trial("a", 1) is not None
    assert [entry.name for entry in tmp_path.iterdir()] == ["runs"]
