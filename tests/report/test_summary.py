import pytest

from tests.report import sample
from trajaudit.datamodel.run import RunConfig
from trajaudit.report.schema import Summary


def test_a_plain_process_is_said_in_text_and_banner() -> None:
    summary = sample.summary(sample.small("a", isolation="process"))

    assert summary.isolation_text == "as a plain process on the host, without a sandbox"
    assert "plain process" in summary.banners[0]


def test_an_import_plans_nothing_so_nothing_is_missing() -> None:
    made = sample.small()
    made.config = made.config.model_copy(update={"trials": 5, "isolation": "none"})
    made.outcomes = [sample.outcome("x", 1, raw=True, strict=True, lenient=True, final=True)]

    summary = sample.summary(made)
    raw = sample.column(summary, "raw")
    assert (raw.graded, raw.due, summary.trials) == (1, 1, 1)
    assert summary.isolation_text == "nothing of an agent was executed"


def test_a_run_of_nothing_has_no_rate() -> None:
    summary = sample.summary(sample.small())

    assert [column.pass_at_1 for column in summary.columns] == [None, None, None]
    assert "no trial was graded: there is no rate" in summary.banners


def test_effort_counts_what_is_known_and_says_what_is_not() -> None:
    made = sample.run()
    unpriced = made.trials[0].model_copy(update={"cost_usd": None})
    made.trials = [unpriced, *made.trials[1:]]

    effort = sample.summary(made).effort
    assert (effort.trials, effort.model_calls, effort.tool_calls) == (30, 174, 87)
    assert effort.cost_usd == pytest.approx(28 * 0.0012)
    assert effort.unpriced_trials == 1
    assert (effort.median_s, effort.longest_s) == (6.0, 30.0)


def test_a_summary_survives_json() -> None:
    summary = sample.summary(sample.run())

    assert Summary.model_validate_json(summary.model_dump_json()) == summary


def test_config_of_the_sample_is_whole() -> None:
    assert RunConfig.model_validate_json(sample.config().model_dump_json()) == sample.config()
