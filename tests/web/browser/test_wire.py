"""Nothing hidden crosses the wire: every byte that the server sent is looked through."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Response

from tests.web.browser.conftest import REVIEWERS, Enter, Serve
from tests.web.browser.person import ITEM, Person
from tests.web.browser.served import Served, trajaudit
from tests.web.browser.tap import Tap, tapped
from tests.web.hostile import MODEL, RUN, SECRET, hostile_run
from trajaudit.datamodel.review import ReviewPolicy, Role

pytestmark = pytest.mark.slow
POLICY = ReviewPolicy(double=1.0, gold=0.0, batch=30)
ITEMS = 3
PEOPLE = {"ann-canary": Role.REVIEWER, "ben-canary": Role.REVIEWER, "judy": Role.ADJUDICATOR}
LOGGED = {"model": "logged-model-canary", "id": "logged-task-canary", "why": "LOGGED-WHY-CANARY"}
QUEUES = ("resolve/", "queue", "stratum", "inclusion", "audit sample", "harm", "order_flip", "gold")
HIDDEN = (*SECRET.values(), *LOGGED.values(), MODEL.upper(), *QUEUES, "canar", "raw_verdict")


def test_no_byte_of_a_reviewer_s_session_holds_anything_hidden(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    served = _served(tmp_path, serve)
    words = [word for word in HIDDEN if word != "canar"]
    with tapped(served.port) as ann_tap, tapped(served.port) as ben_tap:
        ann = enter(served, "ann-canary", url=ann_tap.url)
        ben = enter(served, "ben-canary", url=ben_tap.url)
        seen = [_session(one, verdict) for one, verdict in ((ann, "pass"), (ben, "fail"))]
        assert seen == [ITEMS, ITEMS]
        # A name of one's own stands on the page; nothing else of this kind may.
        assert _sent(ann_tap, "ann-canary") == []
        assert _sent(ben_tap, "ben-canary") == []
        assert ann_tap.found([*words, "ben-canary", "WORDS-OF-BEN-CANARY"]) == []
        assert ben_tap.found([*words, "ann-canary", "WORDS-OF-ANN-CANARY"]) == []
        assert ann_tap.found(["words-of-ann-canary"]) != []
        # Redirects, errors, JSON and files went over it: the wire was the right one.
        assert min(ann_tap.answers, ben_tap.answers) > 40


def test_the_adjudicator_gets_both_labels_but_no_names_and_no_judges(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    served = _served(tmp_path, serve)
    for name, verdict in (("ann-canary", "pass"), ("ben-canary", "fail")):
        person = enter(served, name)
        path = person.start()
        while ITEM.search(path):
            path = person.label(verdict, f"WORDS-OF-{name[:3]}")
    with tapped(served.port) as tap:
        judy = enter(served, "judy", url=tap.url)
        answers = _recorded(judy)
        _adjudicates(judy)
        assert tap.found(HIDDEN) == []
        assert tap.found(["WORDS-OF-ANN", "WORDS-OF-BEN"]) == ["WORDS-OF-ANN", "WORDS-OF-BEN"]
        assert [one.url for one in answers if not one.url.startswith(tap.url)] == []


def test_after_the_lock_the_same_wire_carries_what_was_hidden(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    """The search finds what is there: these are the words that must not come before."""
    hostile_run(tmp_path / "runs", tasks=1)
    policy = ReviewPolicy(double=0.0, gold=0.0, lease_minutes=0.02)
    served = serve(policy, REVIEWERS)
    with tapped(served.port) as tap:
        ann = enter(served, "ann", url=tap.url)
        item = ann.start().removeprefix("/item/")
        ann.label("pass")
        hidden = [SECRET[one] for one in ("judge", "verdict", "finding", "reasoning", "panel")]
        assert tap.found(hidden) == []
        ann.page.wait_for_timeout(1500)
        assert ann.go(f"/reveal/{item}").status == 200
        assert tap.found(hidden) == sorted(hidden)


def _served(folder: Path, serve: Serve) -> Served:
    """A judged run, and a log with a verdict of its own."""
    hostile_run(folder / "runs", tasks=ITEMS - 1, long_steps=60)
    log = {
        "question": "Is the shop open?",
        "output": "It is open.",
        "reference": "closed",
        "id": LOGGED["id"],
        "model": LOGGED["model"],
        "correct": True,
        "why": LOGGED["why"],
    }
    (folder / "log.jsonl").write_text(json.dumps(log) + "\n")
    trajaudit("audit", "log.jsonl", "--out", folder / "runs", cwd=folder)
    for path in (folder / "runs").glob("*/run.json"):
        if path.parent.name != RUN:
            words = ("review", "draw", path.parent.name, "--everything", "--runs")
            trajaudit(*words, folder / "runs", cwd=folder)
    return serve(POLICY, PEOPLE)


def _sent(tap: Tap, own: str) -> list[str]:
    """Words like the secrets, one's own name apart."""
    text = tap.sent.decode(errors="replace").casefold().replace(own, "")
    mine = f"words-of-{own}"
    return [line for line in text.replace(mine, "").split("\n") if "canar" in line]


def _session(person: Person, verdict: str) -> int:
    """Do all that a reviewer can do, and all that they may not."""
    path, done = person.start(), 0
    while ITEM.search(path):
        _looks_around(person, path)
        done += 1
        path = person.label(verdict, f"WORDS-OF-{person.name.upper()}")
    for page in ("/", "/history", "/help", "/conflicts", "/lead", "/nothing", "/static/x.js"):
        person.go(page)
    person.page.request.post(f"{person.url}/undo", form={"csrf": "wrong"})
    return done


def _looks_around(person: Person, path: str) -> None:
    """Search, unfold, mark, type, put off and come back, and open what is not theirs."""
    page = person.page
    person.press("/")
    page.keyboard.type("refund")
    person.press("Enter", "Enter", "Escape", "f", "j", "j", "e", "x")
    person.write("half a thought")
    page.wait_for_timeout(100)
    item = path.removeprefix("/item/")
    for more in ("search?q=refund", "part/1", "part/2", "step/1", "step/2", "patch", "part/99"):
        person.go(f"{path}/{more}")
    for page_path in (f"/reveal/{item}", f"/conflict/{item}", f"/conflict/{item}/part/1"):
        assert person.go(page_path).status == 404
    person.go(path)
    csrf = person.field["csrf"]
    for more in ("renew", "draft"):
        fields: dict[str, str | float | bool] = {
            "csrf": csrf,
            "lease": person.field["lease"],
            "item": item,
        }
        headers = {"sec-fetch-site": "same-origin"}
        answer = page.request.post(f"{person.url}{path}/{more}", form=fields, headers=headers)
        assert answer.status == 200, answer.text()


def _recorded(person: Person) -> list[Response]:
    answers: list[Response] = []

    def note(answer: Response) -> None:
        answers.append(answer)

    person.page.on("response", note)
    return answers


def _adjudicates(judy: Person) -> None:
    for _ in range(ITEMS):
        judy.go("/conflicts")
        judy.tab_to("a[href^='/conflict/']")
        path = judy.press_and_go("Enter")
        for more in ("part/1", "step/2", "patch", "search?q=refund"):
            judy.go(f"{path}/{more}")
        for page in ("/", "/lead", f"/reveal/{path[10:]}", f"/item/{path[10:]}"):
            judy.go(page)
        judy.go(path)
        judy.label("fail", "one of them is right")
