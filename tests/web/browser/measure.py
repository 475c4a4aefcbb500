"""What a page offers those who do not see it, or see little: names, focus, contrast."""

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

CONTROLS = frozenset(
    {"button", "link", "textbox", "searchbox", "combobox", "radio", "checkbox", "listbox"}
)
_HERE = Path(__file__).parent
_CONTRAST = (_HERE / "contrast.js").read_text()
_FOCUSED = (_HERE / "focused.js").read_text()


@dataclass(frozen=True)
class Stop:
    """One place at which Tab stops."""

    tag: str
    place: int
    """Among all elements of the page."""
    outline: bool
    text: str
    seen: bool
    """It lies inside of the window."""


def faint(page: Page, least: float = 4.5) -> list[str]:
    """Return the visible texts whose contrast is below the least (WCAG 2.2, 1.4.3)."""
    texts = page.evaluate(_CONTRAST)
    assert len(texts) > 5
    return [f"{one['text']}: {one['ratio']:.2f}" for one in texts if one["ratio"] < least]


def nameless(page: Page) -> list[str]:
    """Return the controls of the accessibility tree that have no name."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    found = [
        (one["role"]["value"], one.get("name", {}).get("value", "").strip())
        for one in nodes
        if not one.get("ignored") and one.get("role", {}).get("value") in CONTROLS
    ]
    assert found
    return [role for role, name in found if not name]


def tab_stops(page: Page, most: int = 300) -> list[Stop]:
    """Press Tab from the top of the page until the focus leaves it."""
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    page.evaluate("() => getSelection().collapse(document.body, 0)")
    stops: list[Stop] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = Stop(**page.evaluate(_FOCUSED))
        if stop.tag == "body" or stop in stops:
            break
        stops.append(stop)
    return stops
