"""Who agrees with whom: first labels of people, settled words, and judges of one mind."""

from collections.abc import Iterable
from typing import Any

import pytest

from tests.report.judged import vote
from tests.review.made import adjudication, decision, review, withdrawal
from trajaudit.datamodel.judging import Overall, Vote
from trajaudit.datamodel.review import (
    HumanDecision,
    ItemState,
    LedgerRecord,
    Place,
    QueueName,
    Review,
    Round,
)
from trajaudit.review.agreement import (
    AgreementTable,
    Said,
    agreement_tables,
    first_labels,
    people_agreement,
    people_rows,
)
from trajaudit.stats.exact import exact_interval
from trajaudit.stats.reliability import reliability

LETTERS = {"p": "pass", "f": "fail", "c": "cannot_tell"}


def labels(who: str, said: str, **more: Any) -> list[Review]:
    """One label an item, a letter each; `-` where there is none. Item n belongs to task n."""
    return [
        review(
            who,
            LETTERS[letter],
            item=f"{number:064d}",
            review_id=f"{who}-{number}-{len(more)}",
            places=(Place(run_id="r1", task_id=f"t{number:02d}", trial=1),),
            **more,
        )
        for number, letter in enumerate(said)
        if letter != "-"
    ]


def only(tables: Iterable[AgreementTable], kind: str, **wanted: object) -> AgreementTable:
    (one,) = (
        table
        for table in tables
        if table.kind == kind
        and all(getattr(table, name) == value for name, value in wanted.items())
    )
    return one


def settled(said: str) -> dict[tuple[str, int], HumanDecision]:
    return {
        (f"t{number:02d}", 1): HumanDecision(
            task_id=f"t{number:02d}",
            trial=1,
            passed={"p": True, "f": False}.get(letter),
            state=ItemState.AGREED,
            item_id=f"{number:064d}",
        )
        for number, letter in enumerate(said)
    }


def votes(family: str, said: str) -> list[Vote]:
    """Both orders of one family on each trial; `x` where they turn."""
    told: dict[str, tuple[Overall, Overall]] = {
        "p": ("pass", "pass"),
        "f": ("fail", "fail"),
        "x": ("pass", "fail"),
    }
    return [
        vote(f"t{number:02d}/1", family, order, told[letter][order - 1])
        for number, letter in enumerate(said)
        for order in (1, 2)
    ]


def test_two_people_have_the_figures_of_their_labels_with_intervals() -> None:
    a, b = "ppppffffppff" * 2, "pppfffffppfp" * 2
    table = only(agreement_tables(Said(labels("ann", a) + labels("ben", b))), "people")

    wanted = reliability(
        [[(LETTERS[x], LETTERS[y])] for x, y in zip(a, b, strict=True)],
        labels=("pass", "fail"),
        positive="pass",
    )
    assert (table.who, table.items, table.tasks) == (("ann", "ben"), 24, 24)
    assert set(table.figures) == set(wanted.figures)
    for name, figure in table.figures.items():
        assert figure.value == pytest.approx(wanted.figures[name].value)
        assert figure.interval == pytest.approx(wanted.figures[name].interval)
    assert table.figures["percent"].value == pytest.approx(20 / 24)


def test_cannot_tell_differs_from_pass() -> None:
    found = people_agreement(labels("ann", "ppc") + labels("ben", "ppp"))

    assert found.figures["percent"].value == pytest.approx(2 / 3)


def test_the_first_label_counts_and_neither_gold_nor_what_was_taken_back() -> None:
    kept = review("ann", "fail", 2)
    taken = review("ann", "pass", 1)
    gold = review("ben", "pass", 3, queue=QueueName.GOLD)
    later = review("ann", "pass", 4)
    records: list[LedgerRecord] = [taken, kept, withdrawal(taken), gold, later]

    assert first_labels([*records, adjudication("pass")]) == [kept]


def test_rounds_and_pairs_of_people_have_tables_of_their_own() -> None:
    calibration = {"round": Round.CALIBRATION, "saved": "2026-11-28T10:00:00Z"}
    early = [one for who in ("ann", "ben", "cleo") for one in labels(who, "pf", **calibration)]
    late = labels("ann", "--ppff") + labels("ben", "--ppfp")
    tables = agreement_tables(Said(early + late))

    assert only(tables, "people", round=None).items == 6
    assert only(tables, "people", round=Round.CALIBRATION).items == 2
    assert only(tables, "people", round=Round.PRODUCTION).items == 4
    two = [one for one in tables if one.kind == "two_people"]
    assert [(one.who, one.items) for one in two] == [
        (("ann", "ben"), 6),
        (("ann", "cleo"), 2),
        (("ben", "cleo"), 2),
    ]
    assert "kappa" in two[0].figures
    assert "kappa" not in only(tables, "people", round=None).figures


def test_items_of_one_task_are_one_group() -> None:
    same = [
        one.model_copy(update={"places": (Place(run_id="r1", task_id="t", trial=1),)})
        for one in labels("ann", "pppfff") + labels("ben", "pppffp")
    ]

    assert {task: len(rows) for task, rows in people_rows(same).items()} == {"t": 6}
    found = people_agreement(same)
    assert (found.items, found.tasks) == (6, 1)
    assert found.figures["percent"].interval is None
    assert "too few" in found.figures["percent"].why


def test_a_judge_is_held_against_the_settled_word_with_exact_limits() -> None:
    #        people: 8 pass, 6 fail, 2 could not tell; the family turns on one
    human, said = "ppppppppffffffcc", "pppppppxffffppp" + "p"
    tables = agreement_tables(Said(human=settled(human), votes=votes("a", said)))

    table = only(tables, "judge_people", who=("a", "people"))
    assert table.passes_found is not None
    assert table.fails_found is not None
    assert (table.passes_found.hits, table.passes_found.of) == (7, 7)
    assert (table.fails_found.hits, table.fails_found.of) == (4, 6)
    assert table.fails_found.interval == exact_interval(4, 6)
    assert (table.items, table.open) == (13, 1)


def test_the_panel_counts_where_it_settled() -> None:
    decisions = [
        decision("pass", task_id="t00"),
        decision("fail", task_id="t01"),
        decision("pass", "resolve", task_id="t02"),
        decision("undecided", "resolve", task_id="t03"),
    ]
    tables = agreement_tables(Said(human=settled("pppp"), decisions=decisions))

    table = only(tables, "panel_people")
    assert table.who == ("panel", "people")
    assert table.passes_found is not None
    assert (table.passes_found.hits, table.passes_found.of, table.open) == (1, 2, 2)
    assert table.fails_found is None


def test_judges_among_themselves_and_two_by_two() -> None:
    said = [*votes("a", "ppff"), *votes("b", "ppfx"), *votes("c", "pfff")]
    tables = agreement_tables(Said(votes=said))

    assert only(tables, "judges").who == ("a", "b", "c")
    assert only(tables, "judges").items == 4
    pairs = {one.who: one.items for one in tables if one.kind == "two_judges"}
    assert pairs == {("a", "b"): 3, ("a", "c"): 4, ("b", "c"): 3}


def test_pairs_of_trials_are_no_trials() -> None:
    more: dict[str, Any] = {
        "is_pair": True,
        "places": (Place(run_id="r1", task_id="t", trial=1),) * 2,
    }
    records = [review("ann", "a", **more), review("ben", "a", **more), review("ann", "pass", 5)]

    (table,) = agreement_tables(Said(records))

    assert table.pairs
    assert table.figures["percent"].value == 1
    assert table.figures["alpha"].value is None
    assert "one label" in table.figures["alpha"].why


def test_without_two_ratings_there_is_no_table() -> None:
    assert agreement_tables(Said(labels("ann", "ppff"))) == ()
    assert agreement_tables(Said()) == ()
    assert people_agreement([]).figures["alpha"].value is None
