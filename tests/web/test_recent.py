"""What was opened a moment ago is at hand, for the one who opened it, and not for ever."""

from collections.abc import Sequence

from tests.review.desked import Clock
from tests.review.made import SCENARIO, TASK, trajectory
from trajaudit.datamodel.review import Place
from trajaudit.review.blind import BlindTrial, blinded
from trajaudit.review.contents import Shown
from trajaudit.review.desk_records import RubricShown
from trajaudit.review.shown import Hider
from trajaudit.web.recent import KEPT, MOST, Recent, RecentContents

TRIAL = blinded(Hider(()), TASK, SCENARIO, trajectory())
PLACES = (Place(run_id="r1", task_id="late", trial=1),)


class Slow:
    """Counts how often something is read."""

    def __init__(self, found: BlindTrial | None) -> None:
        self.found, self.reads = found, 0

    def show(self, _item: str, _places: Sequence[Place], *, is_pair: bool) -> Shown | None:
        self.reads += 1
        return self.found

    def rubric(self, name: str, *, is_pair: bool) -> RubricShown:
        return RubricShown(name=name, version=1, description="?")


def test_nobody_gets_what_another_person_or_page_opened() -> None:
    recent = Recent(Clock())
    recent.put("ann", "item", TRIAL.item_id, TRIAL)

    assert recent.get("ann", "item", TRIAL.item_id[:16]) is TRIAL
    assert recent.get("ben", "item", TRIAL.item_id) is None
    assert recent.get("ann", "reveal", TRIAL.item_id) is None


def test_it_is_kept_for_a_while_and_only_the_last_few() -> None:
    clock = Clock()
    recent = Recent(clock)
    for number in range(MOST + 1):
        recent.put("ann", "item", f"{number:016d}", TRIAL)

    assert recent.get("ann", "item", f"{0:016d}") is None
    assert recent.get("ann", "item", f"{1:016d}") is TRIAL
    clock.pass_(seconds=KEPT.total_seconds())
    assert recent.get("ann", "item", f"{1:016d}") is None


def test_a_journal_is_read_once_in_a_while() -> None:
    clock, slow = Clock(), Slow(TRIAL)
    contents = RecentContents(slow, clock)
    for _ in range(3):
        assert contents.show("a", PLACES, is_pair=False) is TRIAL
    assert slow.reads == 1
    clock.pass_(seconds=KEPT.total_seconds())
    contents.show("a", PLACES, is_pair=False)
    for number in range(MOST):
        contents.show(f"b{number}", PLACES, is_pair=False)
    contents.show("a", PLACES, is_pair=False)

    assert slow.reads == 3 + MOST
    assert contents.rubric("task_success", is_pair=False).name == "task_success"


def test_what_is_gone_is_looked_for_each_time() -> None:
    slow = Slow(None)
    contents = RecentContents(slow, Clock())

    assert [contents.show("a", PLACES, is_pair=False) for _ in range(2)] == [None, None]
    assert slow.reads == 2
