"""Whatever several people do at the desk, in whatever order: what always holds."""

import shutil
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.review.desked import (
    ANN,
    BEN,
    CLEO,
    JUDGE,
    Clock,
    a_desk,
    a_run,
    filled,
    people,
    reopened,
)
from trajaudit.datamodel.review import QueueName, Review, Reviewer, ReviewPolicy
from trajaudit.record.reviews import read_reviews, standing
from trajaudit.record.rundir import RunDir
from trajaudit.review.desk import Desk
from trajaudit.review.desk_records import (
    AdjudicationForm,
    DeskError,
    FormVerdict,
    Opened,
    Refusal,
    ReviewForm,
)
from trajaudit.review.settle import wants_two

POLICY = ReviewPolicy(double=0.5, gold=0.3, gold_least=0.0, batch=2, batch_minutes=50)
PEOPLE = st.sampled_from([ANN, BEN, CLEO])
VERDICTS = st.sampled_from(["pass", "fail", "cannot_tell", "task_broken"])


_OF_FORMS = (
    Refusal.HELD_BY_OTHER,
    Refusal.SETTLED,
    Refusal.LABELLED_ALREADY,
    Refusal.LEASE_OVER,
)


class _Machine(RuleBasedStateMachine):
    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.runs = self.folder / "runs"
        self.clock = Clock()
        self.openings = 0
        self.desk: Desk
        self.pages: list[tuple[Reviewer, Opened]] = []
        """Every page that anybody ever opened; any of them may be sent, and sent again."""
        self.saved: dict[str, str] = {}
        """Review that the desk acknowledged → its item."""
        self.sent: dict[tuple[str, str], str] = {}

    @initialize()
    def opened(self) -> None:
        shutil.copytree(self.template, self.runs)
        self.desk = a_desk(self.runs, POLICY, clock=self.clock)

    @rule(who=PEOPLE)
    def next(self, who: Reviewer) -> None:
        page = self.desk.next(who)
        if page is not None:
            self.pages.append((who, page))

    @rule(data=st.data(), verdict=VERDICTS)
    def save(self, data: st.DataObject, verdict: str) -> None:
        if not self.pages:
            return
        who, page = data.draw(st.sampled_from(self.pages[-8:]))
        form = filled(page, verdict, reason=verdict)
        try:
            saved = self.desk.save(who, form)
        except DeskError as error:
            self.refused(error, *_OF_FORMS)
            assert error.draft_kept  # noqa: PT017 (either is right)
            return
        assert saved.repeated == (saved.record_id in self.saved)
        self.saved[saved.record_id] = page.item_id

    @rule(data=st.data())
    def defer(self, data: st.DataObject) -> None:
        if self.pages:
            who, page = data.draw(st.sampled_from(self.pages[-4:]))
            try:
                self.desk.defer(who, page.lease)
            except DeskError as error:
                self.refused(error, Refusal.LEASE_OVER)

    @rule(data=st.data())
    def open(self, data: st.DataObject) -> None:
        if self.pages:
            who, page = data.draw(st.sampled_from(self.pages[-6:]))
            try:
                self.pages.append((who, self.desk.open(who, page.public_id)))
            except DeskError as error:
                self.refused(error, *_OF_FORMS)

    @rule(who=PEOPLE)
    def undo(self, who: Reviewer) -> None:
        try:
            item = self.desk.undo(who)
        except DeskError as error:
            self.refused(error, Refusal.NOTHING_TO_UNDO)
            return
        if item is not None:
            mine = {one.review_id for one in self.standing()}
            gone = [key for key, of in self.saved.items() if of == item and key not in mine]
            assert len(gone) == 1
            del self.saved[gone[0]]
            again = self.desk.next(who)
            assert again is not None
            assert again.item_id == item
            self.pages.append((who, again))

    @rule(minutes=st.sampled_from([1, 29, 31, 61]))
    def wait(self, minutes: int) -> None:
        self.clock.pass_(minutes=minutes)

    @rule(verdict=VERDICTS)
    def adjudicate(self, verdict: str) -> None:
        for row in self.desk.conflicts(JUDGE)[:1]:
            held = self.desk.open_conflict(JUDGE, row.item_id)
            form = AdjudicationForm(
                item_id=held.item_id, lease=held.lease, verdict=FormVerdict(verdict)
            )
            self.desk.adjudicate(JUDGE, form)

    @rule()
    def closed_and_opened(self) -> None:
        self.desk.close()
        # Else each desk would draw the tokens of the one before.
        self.openings += 1
        self.desk = reopened(self.runs, clock=self.clock, seed=10 + self.openings)

    @invariant()
    def every_acknowledged_label_is_in_the_file(self) -> None:
        assert set(self.saved) == {one.review_id for one in self.standing()}

    @invariant()
    def nobody_labels_an_item_twice(self) -> None:
        labels = Counter((one.item_id, one.reviewer) for one in self.standing())
        assert max(labels.values(), default=1) == 1

    @invariant()
    def no_item_has_more_labels_or_holders_than_are_wanted(self) -> None:
        if not hasattr(self, "desk"):
            return
        labels = Counter(one.item_id for one in self.standing() if one.queue is not QueueName.GOLD)
        with self.desk.core.store.read() as tx:
            items = tx.all(
                "SELECT item_id, wanted, labels, open, (SELECT count(*) FROM leases l"
                " WHERE l.number = i.number AND l.over = '' AND l.expires > :now"
                " AND l.kind = 'label') AS held FROM items i",
                now=self.clock().timestamp(),
            )
        for item in items:
            assert item.labels == labels[item.item_id]
            # Settled ones may be held by somebody who has not heard of it.
            assert not item.open or item.held + item.labels <= item.wanted
            assert item.labels <= (2 if self._is_double(item.item_id) else 1)

    def refused(self, error: DeskError, *reasons: Refusal) -> None:
        assert error.reason in reasons

    def _is_double(self, item_id: str) -> bool:
        said = [one for one in self.standing() if one.item_id == item_id]
        grave = any(one.verdict in {"cannot_tell", "task_broken"} for one in said)
        return grave or wants_two(item_id, POLICY)

    def standing(self) -> list[Review]:
        if not self.runs.exists():
            return []
        return standing(read_reviews(RunDir(self.runs / "r1")))

    def teardown(self) -> None:
        if hasattr(self, "desk"):
            states = self._states()
            self.desk.close()
            for path in (self.runs / ".review").glob("desk.sqlite*"):
                path.unlink()
            self.desk = a_desk(self.runs, POLICY, clock=self.clock)
            assert self._states() == states
            self.desk.close()
        shutil.rmtree(self.folder)

    def _states(self) -> list[tuple[str, str, str, int]]:
        with self.desk.core.store.read() as tx:
            rows = tx.all("SELECT item_id, state, verdict, labels FROM items ORDER BY item_id")
        return [(row.item_id, row.state, row.verdict, row.labels) for row in rows]


@pytest.mark.slow
def test_no_order_of_doings_breaks_a_law(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=5)
    people(tmp_path, ANN, BEN, CLEO, JUDGE)
    machine = type("Machine", (_Machine,), {"template": tmp_path})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=20,
            stateful_step_count=40,
            deadline=None,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_form_of_any_page_is_either_saved_or_kept(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=1)
    clock = Clock()
    desk = a_desk(tmp_path, POLICY.model_copy(update={"double": 0.0}), clock=clock)
    pages = []
    for who in (ANN, BEN, CLEO):
        page = desk.next(who)
        assert page is not None
        pages.append((who, page))
        clock.pass_(minutes=31)
    kept = saved = 0
    for who, page in pages:
        form = ReviewForm.model_validate(filled(page, reason=f"by {who.name}").model_dump())
        try:
            desk.save(who, form)
            saved += 1
        except DeskError as error:
            kept += error.draft_kept
    assert (saved, kept) == (1, 2)
