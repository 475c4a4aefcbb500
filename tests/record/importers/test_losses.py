"""What could not be carried over is counted, with one example of each."""

from hypothesis import given
from hypothesis import strategies as st

from trajaudit.record.importers.losses import EXAMPLE_CHARS, MOST_FIELDS, Losses


def test_a_field_is_counted_with_its_first_example_and_its_place() -> None:
    losses = Losses()
    losses.where = "log.jsonl:3"
    losses.dropped("event.subtask", {"a": 1})
    losses.where = "log.jsonl:9"
    losses.dropped("event.subtask", "later", count=4)

    (one,) = losses.report()

    assert (one.kind, one.field, one.count) == ("dropped", "event.subtask", 5)
    assert one.example == "log.jsonl:3: {'a': 1}"


def test_the_worst_kind_and_the_commonest_of_it_come_first() -> None:
    losses = Losses()
    losses.dropped("a", count=9)
    losses.guessed("b", count=2)
    losses.truncated("c")
    losses.malformed("d")
    losses.guessed("e", count=3)

    assert [one.field for one in losses.report()] == ["d", "c", "e", "b", "a"]


def test_unknown_keys_are_dropped_unless_they_hold_nothing() -> None:
    losses = Losses()
    found = {"id": 1, "new": 2, "empty": "", "off": False, "none": None, "list": []}

    losses.unknown("message", found, frozenset({"id"}))
    losses.unknown("", {"top": 1}, frozenset())

    assert {one.field for one in losses.report()} == {"message.new", "top"}


def test_a_log_of_endless_fields_fills_no_memory() -> None:
    losses = Losses()
    for number in range(MOST_FIELDS + 500):
        losses.dropped(f"key{number}" + "x" * 10_000, "y" * 10_000)

    report = losses.report()

    assert len(report) == MOST_FIELDS + 1
    assert max(len(one.field) + len(one.example) for one in report) <= 2 * EXAMPLE_CHARS
    assert sum(one.count for one in report) == MOST_FIELDS + 500


def test_losses_that_were_counted_elsewhere_are_added() -> None:
    here, there = Losses(), Losses()
    there.where = here.where = "a"
    there.dropped("x", "example", count=2)
    here.dropped("x", "mine")

    here.merge(there.report())
    (one,) = here.report()

    assert (one.count, one.example) == (3, "a: mine")
    assert here.where == "a"


@given(st.lists(st.tuples(st.sampled_from(["dropped", "guessed", "malformed"]), st.text())))
def test_nothing_that_was_counted_is_lost(told: list[tuple[str, str]]) -> None:
    losses = Losses()
    for kind, field in told:
        getattr(losses, kind)(field)

    assert sum(one.count for one in losses.report()) == len(told)
