"""Of several values with a label each, which one does the question ask for?

`Total: 64` and `Average: 16` under each other: what was asked decides, not what stands last.
"""

import re

_LABELLED = re.compile(
    r"[\s*_`|\u2022+-]*(?:the )?(?P<label>[A-Za-z][A-Za-z ]{1,40}?)[\s*_`]*[:=|]"
    r"[\s*_`]*(?P<value>[^|\n]*\d[^|\n]*)\|?",
    re.IGNORECASE,
)
_MOST = 20
_FILLING = frozenset(("the", "of", "a", "an", "in", "is", "number"))


def asked_line(text: str, question: str) -> str | None:
    """What stands behind the one label that the question names, where every line has one."""
    if text.count(":") + text.count("=") + text.count("|") < 2 or not question:
        return None  # fewer than two labels
    lines = [line for line in text.split("\n") if line.strip(" |-*_\t")]
    if len(lines) == 1:
        lines = [part for part in re.split(r"[;,]\s|\band\b", lines[0]) if part.strip()]
    if not 2 <= len(lines) <= _MOST:
        return None
    found = [match for line in lines if (match := _LABELLED.fullmatch(line.rstrip(" .")))]
    headed = _LABELLED.fullmatch(lines[0].rstrip(" .")) is None  # a table's head, or a lead
    if len(found) < 2 or len(found) + headed < len(lines):
        return None
    asked = _stems(question)
    named = [match["value"] for match in found if set() < _stems(match["label"]) <= asked]
    return named[0] if len(named) == 1 else None


def _stems(text: str) -> frozenset[str]:
    words = re.findall(r"[a-z]+", text.lower())
    return frozenset(re.sub(r"(?:e?s|ing|ed|e)$", "", one) for one in words if one not in _FILLING)
