"""A hundred thousand items slow no page down; the promise itself is `bench.review_page`'s."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bench.review_desk import ITEMS
from bench.review_page import CONFLICTS, TOKEN, filled, walk
from tests.web.browser.person import ITEM, Person

pytestmark = pytest.mark.slow
TIMES = 3
MOST_MS = 1000.0
LABELLED = 5000


def test_every_page_answers_soon_and_an_item_is_labelled_by_keyboard(
    tmp_path: Path, chromium: Browser
) -> None:
    with filled(tmp_path, labelled=LABELLED) as url:
        spent = walk(url, TIMES)
        ben = Person("ben", chromium.new_context(locale="en-GB"), url)
        ben.log_in(TOKEN.format("ben"))
        ben.says("items left")
        left = int(ben.page.locator(".start span").inner_text().split()[0])
        assert ITEMS // 2 < left < ITEMS
        path = ben.start()
        for verdict in ("pass", "fail", "pass"):
            assert ITEM.search(path)
            before, path = path, ben.label(verdict)
            assert path != before
        lea = Person("lea", chromium.new_context(locale="en-GB"), url)
        lea.log_in(TOKEN.format("lea"))
        lea.go("/lead")
        waiting = int(lea.page.locator(".card a[href='/conflicts']").inner_text())
        assert waiting >= CONFLICTS - TIMES
        assert [ben.faults, lea.faults] == [[], []]
        for one in (ben, lea):
            one.context.close()
    assert {"item", "save", "history", "conflicts", "decide", "lead", "home"} <= spent.keys()
    assert {name: min(each) for name, each in spent.items() if min(each) > MOST_MS} == {}
