"""How reasons and answers look when what differs from trial to trial is taken out of them."""

import re

_SHAPE = 90
_FORM = 24


def shape(reason: str) -> str:
    """Return a reason without what differs from trial to trial: quotes, numbers and JSON."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|“[^”]*”", "'…'", reason)
    text = re.sub(r"\d+(?:[.,]\d+)*", "N", text)
    before = ""
    while text != before:
        before, text = text, re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "…", text)
    # What was cut off has no end.
    text = " ".join(re.sub(r"[{\[][^;]*", "…", text).split())
    return text if len(text) <= _SHAPE else f"{text[: _SHAPE - 1]}…"


def form_of(text: str | None) -> str:
    """Return how an answer is written: letters as `a`, digits as `9`, signs as they are."""
    if text is None:
        return "nothing"
    short = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", " ".join(text.split())))
    short = re.sub(r"a(?: a){2,}", "a …", short)
    return (short if len(short) <= _FORM else f"{short[: _FORM - 1]}…") or "empty"
