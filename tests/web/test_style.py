"""Colours that can be told apart, in both modes, and no rule that loads anything."""

import re
from pathlib import Path

import pytest

from trajaudit.web.render import static_files

STYLE = "".join(static_files()[name][1].decode() for name in ("report.css", "review.css"))
_COLOUR = re.compile(r"--(\w+):#([0-9a-f]{3,8})\b")
ON_PAPER = ("fg", "muted", "link", "pass", "fail", "warn")


def _colours(*, dark: bool) -> dict[str, str]:
    found: dict[str, str] = {}
    for block in re.findall(
        r"(@media screen and \(prefers-color-scheme:dark\)\{)?:root\{([^}]*)\}", STYLE
    ):
        if dark or not block[0]:
            found |= dict(_COLOUR.findall(block[1]))
    return found


def _light(colour: str) -> float:
    digits = "".join(2 * one for one in colour) if len(colour) == 3 else colour[:6]
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one: str, other: str) -> float:
    """WCAG 2.2, relative luminance."""
    light, dark = sorted((_light(one), _light(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_every_colour_of_text_has_a_contrast_of_at_least_four_and_a_half(dark: bool) -> None:
    known = _colours(dark=dark)
    pairs = [(text, paper) for text in ON_PAPER for paper in ("bg", "soft")]
    pairs += [("warn", "warnbg"), ("markfg", "mark"), ("markfg", "quote"), ("fg", "other")]
    pairs += [("accentfg", "accent"), ("fg", "band")]

    low = {pair: _contrast(known[pair[0]], known[pair[1]]) for pair in pairs}
    assert {pair: value for pair, value in low.items() if value < 4.5} == {}


def test_the_contrast_is_computed_as_the_standard_says() -> None:
    assert round(_contrast("000", "fff"), 2) == 21
    assert round(_contrast("767676", "ffffff"), 2) == 4.54


def test_no_file_of_the_pages_names_another_host() -> None:
    for name, (_, content) in static_files().items():
        text = content.decode().replace("http://www.w3.org/2000/svg", "")
        assert re.findall(r"https?://|@import|url\(", text) == [], name


def test_the_script_makes_no_markup_of_text() -> None:
    script = static_files()["review.js"][1].decode()
    sinks = r"(inner|outer)HTML|insertAdjacentHTML|\.write\(|eval\(|new Function|DOMParser|srcdoc"

    assert re.findall(sinks, script) == []


def test_templates_switch_no_escaping_off_and_hold_no_script_or_style() -> None:
    folder = Path(__file__).resolve().parents[2] / "trajaudit" / "web" / "templates"
    for path in folder.glob("*.j2"):
        text = path.read_text()
        found = re.findall(r"\|\s*safe|autoescape|<script(?! src)|<style|style=|\son\w+=", text)
        assert found == [], path.name
