"""Reviewers, adjudicators and leads at the pages of a real desk."""

import json
from pathlib import Path

import pytest

from tests.review.desked import ANN, SINGLE, TWICE, a_run
from tests.web.hostile import hostile_run
from tests.web.visitor import Served, Visitor
from trajaudit.datamodel.review import Adjudication, Review, Role
from trajaudit.record.reviews import read_reviews
from trajaudit.record.rundir import RunDir


@pytest.fixture
def served(tmp_path: Path) -> Served:
    hostile_run(tmp_path, tasks=3)
    return Served(tmp_path, SINGLE)


def _reviews(served: Served) -> list[Review]:
    run = next(served.runs.glob("*/run.json")).parent
    return [one for one in read_reviews(RunDir(run)) if isinstance(one, Review)]


def test_a_label_with_everything_is_saved_and_the_next_item_comes(served: Served) -> None:
    ann = served.add("ann")
    first = ann.start()
    answer = ann.label(
        "fail",
        failure_kind="wrong_answer",
        first_bad="2",
        steps="3，1",
        reason="It says\r\nrefunded. <b>",
        evidence=json.dumps([{"step": 2, "quote": "I call refund_order.", "hand": None}]),
        seconds="12.5",
    )
    second = ann.follow(answer)

    assert second.startswith("/item/")
    assert second != first
    (saved,) = _reviews(served)
    assert saved.verdict == "fail"
    assert saved.failure_kind == "wrong_answer"
    assert saved.steps == (2, 3, 1)
    assert saved.reason == "It says\nrefunded. <b>"
    assert [(one.step, one.quote) for one in saved.evidence] == [(2, "I call refund_order.")]


def test_without_javascript_evidence_is_named_by_hand(served: Served) -> None:
    ann = served.add("ann")
    ann.start()
    assert "<noscript>" in ann.page
    ann.label("pass", quote_step="1", quote="I call look_up.")

    assert [(one.step, one.quote) for one in _reviews(served)[0].evidence] == [
        (1, "I call look_up.")
    ]


def test_a_double_click_and_a_second_tab_save_once(served: Served) -> None:
    ann = served.add("ann")
    ann.start()
    form = {**ann.hidden(), "verdict": "pass"}
    path = f"/item/{form['item']}"

    assert ann.post(path, form).status_code == 303
    assert ann.post(path, form).status_code == 303
    assert ann.get(path).status_code == 409
    assert len(_reviews(served)) == 1


def test_a_form_without_a_verdict_comes_back_with_what_was_typed(served: Served) -> None:
    ann = served.add("ann")
    ann.start()
    answer = ann.label("", reason="half a thought & <i>", first_bad="3", failure_kind="loop")

    assert answer.status_code == 422
    assert "half a thought &amp; &lt;i&gt;" in answer.text
    assert 'value="3"' in answer.text
    assert '<option value="loop" selected>' in answer.text
    assert ann.label("fail").status_code == 303


@pytest.mark.parametrize(
    "fields",
    [
        {"first_bad": "one"},
        {"evidence": "{}"},
        {"evidence": "[[["},
        {"evidence": "[" * 100_000},
        {"evidence": '[{"step": -1}]'},
        {"failure_kind": "sloth"},
        {"seconds": "nan"},
        {"reason": "x" * 10_001},
        {"verdict": "left"},
        {"steps": "77"},
    ],
)
def test_a_value_that_the_page_does_not_offer_saves_nothing_and_loses_nothing(
    served: Served, fields: dict[str, str]
) -> None:
    ann = served.add("ann")
    ann.start()
    answer = ann.label(**{"verdict": "pass", "reason": "my words", **fields})

    assert answer.status_code == 422
    assert ("my words" in answer.text) is ("reason" not in fields)
    assert _reviews(served) == []


def test_a_lease_that_ended_is_taken_again_with_what_was_typed(served: Served) -> None:
    ann, ben = served.add("ann"), served.add("ben")
    path = ann.start()
    served.clock.pass_(minutes=31)
    seen = {ben.start() for _ in range(1)}
    while path not in seen:
        ben.label("pass")
        seen.add(ben.follow(ben.answers[-1]))
    answer = ann.label("fail", reason="slow but sure")

    assert answer.status_code == 409
    assert "slow but sure" in answer.text
    assert "Somebody else" in answer.text


def test_renewal_answers_with_the_new_end_or_with_why_not(served: Served) -> None:
    ann = served.add("ann")
    path = ann.start()
    lease = ann.hidden()["lease"]
    served.clock.pass_(minutes=10)
    renewed = ann.post(f"{path}/renew", {"lease": lease})
    wrong = ann.client.post(
        f"{path}/renew",
        data={"lease": "0" * 32, "csrf": ann.csrf()},
        headers={"accept": "application/json"},
    )

    assert renewed.json() == {"expires": "2026-11-29T12:40:00+00:00"}
    assert (wrong.status_code, wrong.json()["reason"]) == (409, "lease_over")


def test_a_draft_is_kept_and_shown_again(served: Served) -> None:
    ann = served.add("ann")
    path = ann.start()
    draft = {**ann.hidden(), "reason": "to be continued", "verdict": "cannot_tell"}
    assert ann.post(f"{path}/draft", draft).json() == {"kept": True}
    ann.get(path)

    assert "to be continued" in ann.page
    assert 'value="cannot_tell" required checked' in ann.page


def test_defer_and_undo(served: Served) -> None:
    ann = served.add("ann")
    first = ann.start()
    second = ann.follow(ann.post(f"{first}/defer", {**ann.hidden(), "reason": "later"}))
    assert second != first
    ann.label("pass", reason="sure")
    third = ann.follow(ann.answers[-1])
    back = ann.follow(ann.post("/undo", {**ann.hidden(), "reason": "of the third"}))

    assert back == second
    assert "sure" in ann.page
    ann.get(third)
    assert "of the third" in ann.page
    assert ann.post("/undo", {}).headers["location"] == "/?notice=no_undo"


def test_nothing_left_says_so(served: Served) -> None:
    ann = served.add("ann")
    ann.start()
    places = []
    for _ in range(3):
        ann.label("pass")
        places.append(ann.follow(ann.answers[-1]))

    assert places[-1].startswith("/?notice=")
    assert "There is nothing left for you" in ann.page
    assert len(_reviews(served)) == 3


def _until_conflict(served: Served) -> tuple[Visitor, Visitor, str]:
    ann, ben = served.add("ann"), served.add("ben")
    item = ann.start()
    ann.label("pass", reason="REASON-OF-ANN", evidence='[{"step": 1, "quote": "I call look_up."}]')
    ben.start()
    while ben.answers[-1].url.path != item:
        ben.label("pass")
        ben.follow(ben.answers[-1])
    ben.label("fail", reason="REASON-OF-BEN", first_bad="2", evidence='[{"step": 2}]')
    return ann, ben, item.removeprefix("/item/")


def test_a_conflict_is_decided_by_a_third_person_who_sees_no_names(tmp_path: Path) -> None:
    hostile_run(tmp_path, tasks=2)
    served = Served(tmp_path, TWICE)
    ann, _, item = _until_conflict(served)
    judy = served.add("judy", Role.ADJUDICATOR)
    judy.get("/conflicts")
    assert f"/conflict/{item}" in judy.page
    judy.get(f"/conflict/{item}")

    for shown in ("REASON-OF-ANN", "REASON-OF-BEN", "Label A", "Label B", "I call look_up."):
        assert shown in judy.page
    assert not {"ann", "ben"} & set(judy.page.replace(">", " ").replace("<", " ").split())
    answer = judy.label("task_broken", reason="both have a point")
    assert judy.follow(answer) == "/conflicts?notice=adjudicated"
    (decided,) = [
        one
        for one in read_reviews(RunDir(tmp_path / "run-canary-7f3a"))
        if isinstance(one, Adjudication)
    ]
    assert (decided.verdict, decided.reason) == ("task_broken", "both have a point")
    assert ann.get(f"/reveal/{item}").status_code == 200
    assert "both have a point" in ann.page


def test_after_the_lock_judges_are_revealed_and_a_label_is_revised_once(tmp_path: Path) -> None:
    hostile_run(tmp_path, tasks=2)
    served = Served(tmp_path, SINGLE)
    ann = served.add("ann")
    item = ann.start().removeprefix("/item/")
    ann.label("fail", reason="first word")
    ann.follow(ann.answers[-1])
    served.clock.pass_(minutes=40)
    ann.get(f"/reveal/{item}")

    for shown in ("judge-canary", "VERDICT-REASON-CANARY", "FINDING-REASON-CANARY", "first word"):
        assert shown in ann.page
    flag = {"judge": "judge-canary", "criterion": "goal_reached", "step": "1", "view": "spot_on"}
    assert ann.post(f"/reveal/{item}/flag", flag).status_code == 303
    assert ann.post(f"/reveal/{item}/flag", {**flag, "step": "9"}).status_code == 404
    no_reason = ann.post(f"/reveal/{item}/revise", {"verdict": "pass", "reason": ""})
    assert no_reason.status_code == 422
    revised = ann.post(f"/reveal/{item}/revise", {"verdict": "pass", "reason": "I see"})
    assert ann.follow(revised) == f"/reveal/{item}?notice=revised"
    assert "Revise your label" not in ann.page


def test_the_lead_sees_figures_and_pauses_people(tmp_path: Path) -> None:
    hostile_run(tmp_path, tasks=2)
    served = Served(tmp_path, TWICE)
    ann, _, _ = _until_conflict(served)
    lea = served.add("lea", Role.LEAD)
    lea.get("/lead")
    assert "<svg" in lea.page
    assert "style=" not in lea.page
    lea.follow(lea.post("/lead/pause", {"name": "ann"}))
    assert "paused" in lea.page
    assert ann.post("/start", {}).status_code == 403
    lea.post("/lead/resume", {"name": "ann"})
    assert ann.get("/").status_code == 200
    assert lea.post("/lead/pause", {"name": "nobody"}).status_code == 404


def test_one_person_on_this_machine_needs_no_token(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=2)
    me = ANN.model_copy(update={"role": Role.LEAD})
    visitor = Served(tmp_path, SINGLE, alone=me).visitor()

    assert visitor.get("/").status_code == 200
    assert "Log out" not in visitor.page
    visitor.start()
    assert visitor.label("pass").status_code == 303


def test_the_language_is_chosen_and_kept(served: Served) -> None:
    ann = served.add("ann")
    ann.get("/", **{"accept-language": "zh-CN"})
    assert '<html lang="zh-Hans">' in ann.page
    ann.follow(ann.post("/language", {"language": "en", "next": "/history"}))
    ann.get("/", **{"accept-language": "zh-CN"})
    assert '<html lang="en">' in ann.page
    ann.post("/language", {"language": "../../x", "next": "/"})
    ann.get("/")
    assert '<html lang="en">' in ann.page


def test_all_steps_of_a_long_trial_can_be_had_and_found(tmp_path: Path) -> None:
    hostile_run(tmp_path, tasks=1, long_steps=300)
    ann = Served(tmp_path, SINGLE).add("ann")
    path = ann.start()
    assert len(ann.page) < 600_000
    later = [
        f"{path}/part/{number}" for number in range(2, 50) if f"{path}/part/{number}" in ann.page
    ]
    steps = "".join(ann.get(one).text for one in later)

    assert [
        n for n in range(5, 304) if f'id="x-s{n}"' not in ann.answers[-len(later) - 1].text + steps
    ] == []
    found = ann.get(f"{path}/search?q=page+299", accept="application/json").json()
    assert found == [{"hand": None, "step": 303, "count": 1}]
    assert "step 303" in ann.get(f"{path}/search?q=page+299").text
    assert ann.get(f"{path}/part/999").status_code == 404
    assert ann.get(f"{path}/step/2").status_code == 200
    assert ann.get(f"{path}/patch").status_code == 200
    assert ann.get(f"{path}/step/2?hand=left").status_code == 404
