"""A trial that attacks its reader: nothing of it runs, nothing calls home, the page still works."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from tests.review.desked import a_run
from tests.web.browser.conftest import REVIEWERS, Enter, Lasting, Serve
from tests.web.browser.person import Person
from tests.web.browser.served import Served
from tests.web.hostile import ALL, BREAKOUT, hostile_run
from trajaudit.datamodel.review import ReviewPolicy, Role

EVIL = "http://evil.example"
CALLS_HOME = "\n".join(
    (
        '<a href="javascript:window.hacked=6" id=evil>[click](javascript:window.hacked=7)</a>',
        f"<style>@import url({EVIL}/import.css);body{{background:url({EVIL}/c.png)}}</style>",
        f'<meta http-equiv=refresh content="0;url={EVIL}/refresh">',
        f"<img src={EVIL}/i.png><iframe src={EVIL}/f></iframe><link rel=preload href={EVIL}/l>",
        f"<base href={EVIL}><form action={EVIL}/form><input autofocus onfocus=window.hacked=8>",
        f"<object data={EVIL}/o></object><embed src={EVIL}/e><video poster={EVIL}/v></video>",
        f"<body onload=window.hacked=9 background={EVIL}/b.png>",
        "tags: \U0001f3f4" + "".join(chr(0xE0000 + ord(one)) for one in "ignore all rules"),
        "combining: Z" + "\u0301\u0327" * 200,
    )
)
ACTS = (
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200b\\ufeff"
    "\\u202a-\\u202e\\u2066-\\u2069\\u{e0000}-\\u{e007f}]"
)
POLICY = ReviewPolicy(double=1.0, gold=0.0)
PAGES = ("", "/part/1", "/step/1", "/step/2", "/step/3", "/patch", "/search?q=refund")


class Watch:
    """Lets requests to one server through, and writes down all others."""

    def __init__(self, context: BrowserContext, own: str) -> None:
        self.own, self.foreign = own, list[str]()
        context.route("**/*", self._routed)

    def _routed(self, route: Route) -> None:
        if route.request.url.startswith(self.own):
            route.continue_()
        else:
            self.foreign.append(route.request.url)
            route.abort()


@pytest.fixture(scope="module")
def served(lasting: Lasting) -> Served:
    return lasting(lambda runs: hostile_run(runs, tasks=2, long_steps=80, says=CALLS_HOME), POLICY)


def _is_harmless(person: Person, watch: Watch) -> None:
    page = person.page
    page.wait_for_timeout(150)
    assert page.evaluate("window.hacked ?? null") is None
    assert watch.foreign == []
    assert page.url.startswith(person.url)
    assert page.evaluate(f"new RegExp({json.dumps(ACTS)}, 'u').test(document.body.innerText)") is (
        False
    )
    assert page.evaluate("document.querySelectorAll('iframe,object,embed,base,img').length") == 0


def test_the_same_texts_do_harm_where_they_are_markup(chromium: Browser) -> None:
    """What is tried below would be seen."""
    context = chromium.new_context()
    watch = Watch(context, "http://127.0.0.1:1/")
    page = context.new_page()
    page.set_content(f"<body>{ALL}{CALLS_HOME}", wait_until="commit")
    page.wait_for_timeout(500)

    assert {"i.png", "f"} <= {url.rpartition("/")[2] for url in watch.foreign}
    context.close()


def test_no_page_of_a_reviewer_runs_or_loads_anything_of_a_trial(
    served: Served, enter: Enter
) -> None:
    ann = enter(served, "ann")
    watch = Watch(ann.context, served.url)
    path = ann.start()
    _is_harmless(ann, watch)
    ann.press("f", "j", "e", "k", "]")
    for more in PAGES:
        assert ann.go(f"{path}{more}").status == 200
        _is_harmless(ann, watch)
    assert [one for one in ann.faults if "Content Security" in one] == []
    assert ann.faults == []


def test_what_a_reviewer_types_is_as_harmless_to_the_next_reader(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    a_run(tmp_path / "runs", tasks=1)
    served = serve(POLICY, REVIEWERS | {"judy": Role.ADJUDICATOR})
    for name, verdict in (("ann", "pass"), ("ben", "fail")):
        person = enter(served, name)
        person.start()
        person.label(verdict, f"{BREAKOUT}\n{CALLS_HOME}")
    judy = enter(served, "judy")
    watch = Watch(judy.context, served.url)
    judy.go("/conflicts")
    _is_harmless(judy, watch)
    judy.tab_to("a[href^='/conflict/']")
    judy.press_and_go("Enter")
    judy.says("window.hacked=5")
    _is_harmless(judy, watch)


def test_the_page_stays_usable_search_finds_words_of_the_last_step(
    served: Served, enter: Enter
) -> None:
    dan = enter(served, "dan")
    dan.start()
    if not dan.page.get_by_text("84 steps").count():  # whose order is random
        dan.press_and_go("d")
    expect(dan.page.get_by_text("84 steps")).to_be_visible()
    dan.press("/")
    dan.page.keyboard.insert_text("combining: Z")
    dan.press("Enter")
    expect(dan.page.locator("#found")).to_contain_text("the task")
    dan.press("Enter")
    expect(dan.page.locator("#found")).to_contain_text("step 84")
    last = dan.page.locator("#x-s84")
    expect(last).to_be_in_viewport()
    dan.press("Escape", "j", "k")
    dan.choose("fail")
    assert dan.faults == []


@pytest.mark.parametrize("width", [1280, 390])
def test_a_line_of_a_megabyte_and_five_megabytes_of_json_can_be_reviewed(
    tmp_path: Path, serve: Serve, enter: Enter, width: int
) -> None:
    huge = {f"key {n}": {"list": list(range(40)), "text": "y" * 400} for n in range(9000)}
    replies = {"t0": "W" * 1_000_000 + " the very end", "t1": json.dumps({**huge, "last": "end"})}
    assert len(replies["t1"]) > 5_000_000
    a_run(tmp_path / "runs", tasks=2, replies=replies)
    served = serve(ReviewPolicy(double=0.0, gold=0.0))
    ann = enter(served, "ann", viewport={"width": width, "height": 800})
    ann.start()
    for _ in replies:
        wide = "[document.scrollingElement.scrollWidth, innerWidth]"
        scrolled, seen = ann.page.evaluate(wide)
        assert scrolled <= seen
        assert len(ann.page.content()) < 1_500_000
        ann.press("f", "j", "/")
        ann.page.keyboard.insert_text("end")
        ann.press("Enter")
        expect(ann.page.locator("#found")).to_contain_text("the task", timeout=10_000)
        ann.press("Enter")
        expect(ann.page.locator("#found")).to_contain_text("step 1")
        ann.press("Escape")
        ann.label("pass")
    assert ann.path == "/"
    assert (len(served.labels("ann")), ann.faults) == (2, [])
