"""Nothing that a reviewer must not know is in any answer, and no text of a trial acts on a page."""

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.review.desked import TWICE
from tests.web.hostile import ATTRIBUTE, BREAKOUT, MODEL, SCRIPT, SECRET, hostile_run
from tests.web.visitor import Served, Visitor
from trajaudit.datamodel.review import Role

OWN = frozenset(
    {"html", "head", "meta", "title", "link", "script", "body", "a", "header", "nav", "form"}
    | {"input", "button", "p", "main", "section", "details", "summary", "kbd", "span", "h1", "h2"}
    | {"h3", "div", "pre", "small", "ol", "li", "ul", "code", "table", "thead", "tbody", "tr", "th"}
    | {"td", "dl", "dt", "dd", "del", "ins", "fieldset", "legend", "label", "select", "optgroup"}
    | {"option", "textarea", "noscript", "dialog", "progress", "time", "strong", "q", "article"}
    | {"br", "svg", "rect", "text", "line", "circle", "g", "figure", "figcaption"}
)


class _Markup(HTMLParser):
    """Collects what could act."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.acting: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            address = name in {"href", "src", "action", "formaction", "xlink:href"}
            outside = address and not re.match(r"[/#]", value or "")
            if name.startswith("on") or name in {"style", "srcdoc"} or outside:
                self.acting.append(f"{tag} {name}={value}")
        if tag == "script" and "src" not in dict(attrs):
            self.acting.append("inline script")


def _hidden_words(*others: str) -> list[str]:
    known = [*SECRET.values(), MODEL.upper(), "canary", "canarius", *others]
    # Queues and strata by any name that a page could use for them.
    return [*known, "resolve", "audit sample", "inclusion", "about_harm", '"gold"', "ORDER_FLIP"]


def _leaks(visitor: Visitor, words: list[str]) -> list[str]:
    found = []
    for answer in visitor.answers:
        headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        said = html.unescape(f"{answer.url}\n{headers}\n{answer.text}").casefold()
        found += [f"{word} in {answer.url.path}" for word in words if word.casefold() in said]
    return found


def _walk(visitor: Visitor, path: str) -> None:
    """Everything that can be asked for about an item."""
    lease = visitor.hidden()
    for more in ("", "/part/1", "/step/1", "/step/2", "/step/3", "/patch", "/search?q=refund"):
        visitor.get(f"{path}{more}")
    visitor.get(f"{path}/search?q=refund", accept="application/json")
    visitor.post(f"{path}/draft", {**lease, "reason": "mine"})
    visitor.post(f"{path}/renew", {"lease": lease["lease"]})
    for page in (
        "/",
        "/history",
        "/help",
        "/conflicts",
        "/lead",
        f"/reveal/{path[6:]}",
        "/nothing",
    ):
        visitor.get(page)
    for kind in ("conflict", "reveal"):
        visitor.get(f"/{kind}/{path[6:]}/part/1")
    visitor.get(path)


def test_a_walk_over_every_page_meets_nothing_hidden(tmp_path: Path) -> None:
    hostile_run(tmp_path, tasks=3)
    served = Served(tmp_path, TWICE)
    ann, ben = served.add("ann-the-first"), served.add("ben-the-second")
    seen = set()
    for visitor in (ann, ben):
        path = visitor.start()
        for _ in range(3):
            _walk(visitor, path)
            seen.add(path)
            note = f"REASON-OF-{'ANN' if visitor is ann else 'BEN'}"
            visitor.label("pass" if visitor is ann else "fail", reason=note)
            path = visitor.follow(visitor.answers[-1])

    assert len(seen) == 3
    assert _leaks(ann, _hidden_words("ben-the-second", "REASON-OF-BEN")) == []
    assert _leaks(ben, _hidden_words("ann-the-first", "REASON-OF-ANN")) == []

    judy = served.add("judy", Role.ADJUDICATOR)
    for path in seen:
        item = path.removeprefix("/item/")
        judy.get("/conflicts")
        judy.get(f"/conflict/{item}")
        for more in ("/part/1", "/step/2", "/patch", "/search?q=refund"):
            judy.get(f"/conflict/{item}{more}")
        judy.get(f"/conflict/{item}")
        judy.post(f"/conflict/{item}/draft", judy.hidden())
        judy.get("/lead")
    assert _leaks(judy, _hidden_words("ann-the-first", "ben-the-second")) == []
    assert any("REASON-OF-ANN" in answer.text for answer in judy.answers)


def test_the_same_walk_finds_a_word_that_is_there(tmp_path: Path) -> None:
    """The walk above is no use if it cannot find anything."""
    hostile_run(tmp_path, tasks=1, says="I was here. ")
    visitor = Served(tmp_path, TWICE).add("ann")
    _walk(visitor, visitor.start())

    assert _leaks(visitor, ["i was HERE."]) != []


def test_no_text_of_a_trial_becomes_markup(tmp_path: Path) -> None:
    hostile_run(tmp_path, tasks=1)
    served = Served(tmp_path, TWICE)
    ann, ben = served.add("ann"), served.add("ben")
    path = ""
    for visitor, verdict in ((ann, "pass"), (ben, "fail")):
        path = visitor.start()
        _walk(visitor, path)
        marks = '[{"step": 1, "quote": "</script><script>alert(1)</script>"}]'
        visitor.label(verdict, reason=BREAKOUT + ATTRIBUTE, evidence=marks)
        visitor.get("/history")
    item = path.removeprefix("/item/")
    judy = served.add("judy", Role.LEAD)
    judy.get(f"/conflict/{item}")
    judy.label("fail", reason=SCRIPT)
    judy.get("/lead")
    ann.get(f"/reveal/{item}")
    judy.get(f"/reveal/{item}")

    pages = [one for visitor in (ann, ben, judy) for one in visitor.answers]
    assert sum(SECRET["judge"] in one.text for one in pages) == 2
    for page in pages:
        if not page.headers.get("content-type", "").startswith("text/html"):
            continue
        markup = _Markup()
        markup.feed(page.text)
        assert (markup.acting, markup.tags - OWN) == ([], set()), page.url.path


@pytest.mark.parametrize("unseen", ["\u202e", "\x1b", "\x07", "\x00", "\ufeff", "\u200b", "\u2066"])
def test_characters_that_act_are_written_out(tmp_path: Path, unseen: str) -> None:
    hostile_run(tmp_path, tasks=1)
    visitor = Served(tmp_path, TWICE).add("ann")
    _walk(visitor, visitor.start())

    assert [one.url.path for one in visitor.answers if unseen in one.text] == []
