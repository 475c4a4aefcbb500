"""Each role sees its own pages, and each person their own items; the rest looks as if it was not
there.
"""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.review.desked import ANN, SINGLE, TWICE, a_run
from tests.web.visitor import BASE, Served, Visitor
from trajaudit.datamodel.review import Role
from trajaudit.web.security import UNKEPT


@pytest.fixture
def served(tmp_path: Path) -> Served:
    a_run(tmp_path, tasks=4)
    return Served(tmp_path, SINGLE)


def _as(served: Served, role: Role) -> Visitor:
    return served.add(role.value, role)


@pytest.mark.parametrize(
    ("method", "path", "least"),
    [
        ("GET", "/conflicts", Role.ADJUDICATOR),
        ("GET", "/conflict/{}", Role.ADJUDICATOR),
        ("GET", "/conflict/{}/part/1", Role.ADJUDICATOR),
        ("POST", "/conflict/{}", Role.ADJUDICATOR),
        ("POST", "/conflict/{}/draft", Role.ADJUDICATOR),
        ("POST", "/conflict/{}/renew", Role.ADJUDICATOR),
        ("GET", "/lead", Role.LEAD),
        ("POST", "/lead/pause", Role.LEAD),
        ("POST", "/lead/resume", Role.LEAD),
    ],
)
def test_a_page_of_a_higher_role_looks_as_if_it_was_not_there(
    served: Served, method: str, path: str, least: Role
) -> None:
    roles = [Role.REVIEWER, Role.ADJUDICATOR, Role.LEAD]
    for role in roles[: roles.index(least)]:
        visitor = _as(served, role)
        item = path.format("0123456789abcdef")
        answer = visitor.get(item) if method == "GET" else visitor.post(item, {"name": "reviewer"})
        nothing = visitor.get("/no/such/page")

        assert (answer.status_code, nothing.status_code) == (404, 404)
        same = [one.text.replace(path.format("0123456789abcdef"), "") for one in (answer, nothing)]
        assert same[0] == same[1].replace("/no/such/page", "")


def test_an_item_of_another_person_looks_as_if_it_was_not_there(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=30)
    served = Served(tmp_path, SINGLE)
    ann, ben = served.add("ann"), served.add("ben")
    own = ann.start()
    ben.start()
    nothing = ben.get("/item/0123456789abcdef")
    theirs = [ben.get(f"{own}{more}") for more in ("", "/part/1", "/step/1", "/search?q=it")]
    theirs.append(ben.get(f"/reveal/{own[6:]}"))

    assert {one.status_code for one in theirs} == {404}
    assert theirs[0].text.replace(own, "") == nothing.text.replace("/item/0123456789abcdef", "")
    assert all("It is r1" not in one.text for one in theirs)


def test_a_draft_on_an_item_of_another_person_is_not_kept_and_opens_nothing(
    tmp_path: Path,
) -> None:
    a_run(tmp_path, tasks=30)
    served = Served(tmp_path, SINGLE)
    ann, ben = served.add("ann"), served.add("ben")
    own = ann.start()
    ben.start()

    answer = ben.post(f"{own}/draft", {"lease": "x", "reason": "mine now"})

    assert (answer.status_code, answer.json()) == (200, {"kept": False})
    assert ben.get(own).status_code == 404


def test_nothing_is_revealed_before_the_lock(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=2)
    served = Served(tmp_path, TWICE)
    ann = served.add("ann")
    item = ann.start().removeprefix("/item/")

    assert ann.get(f"/reveal/{item}").status_code == 404
    ann.get(f"/item/{item}")
    ann.label("pass")
    for path in (f"/reveal/{item}", f"/reveal/{item}/part/1"):
        assert ann.get(path).status_code == 404
    assert ann.post(f"/reveal/{item}/revise", {"verdict": "fail", "reason": "x"}).status_code == 404


def test_who_is_removed_is_out_at_once(served: Served) -> None:
    ann = served.add("ann")
    served.people.remove("ann")

    assert ann.get("/").status_code == 303


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/redoc", "/favicon.ico", "/.env"])
def test_there_are_no_other_pages(served: Served, path: str) -> None:
    assert served.add("ann").get(path).status_code == 404


def test_a_fault_tells_nothing_of_itself(served: Served) -> None:
    ann = served.add("ann")
    ann.start()
    for path in served.runs.glob("r1/trials/*/*/events.jsonl"):
        path.unlink()
    answer = ann.get(ann.answers[-1].url.path)

    assert answer.status_code == 410
    assert "r1" not in answer.text


def test_what_was_typed_is_shown_again_where_the_disk_takes_nothing(served: Served) -> None:
    ann = served.add("ann")
    ann.start()
    run, page = served.runs / "r1", ann.page
    run.rename(served.runs / ".away")
    answer = ann.label("fail", reason="my long words")

    assert answer.status_code == 500
    assert "my long words" in answer.text
    assert "r1" not in answer.text
    (served.runs / ".away").rename(run)
    ann.page = page
    assert ann.label("fail", reason="my long words").status_code == 303


def test_a_bug_of_ours_tells_nothing_of_itself_and_is_guarded_like_all(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("/home/lea/runs/secret-run")

    ann = served.add("ann")
    monkeypatch.setattr(type(served.desk), "progress", broken)
    ann.client = TestClient(
        served.app, BASE, raise_server_exceptions=False, cookies=dict(ann.client.cookies)
    )
    answer = ann.client.get("/")

    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert {name: answer.headers[name] for name in UNKEPT} == UNKEPT


def test_nobody_is_let_in_without_a_token_any_more_once_people_were_added(tmp_path: Path) -> None:
    a_run(tmp_path, tasks=2)
    served = Served(tmp_path, SINGLE, alone=ANN)
    visitor = served.visitor()
    assert visitor.get("/").status_code == 200

    served.add("ben")

    answer = visitor.get("/")
    assert (answer.status_code, answer.headers.get("location", "")[:6]) == (303, "/login")
