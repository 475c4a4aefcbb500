"""Which piece of a text is the formula, and which are its parts?"""

import re

_LEAD = re.compile(
    r"(?i)^[\s*_`\"']*(?:(?:so|thus|therefore|hence|the|final|answer|set|solution|solutions|value"
    r"|values|interval|point|pair|domain|range|result|expression|coordinates|of|for|all|x|n|are"
    r"|is|be|it|we|get|have|that|which|equals?|simplif\w+|to|as|there|simplified|form|given|by|in"
    r"|roots?|zeros?|members?|elements?|"
    r"f|y|z|s|a|k|t|m|p|\([a-z]\)|'|,)[\s:]+)*"
)
_OUTER = " \t\r\n*_`\"'.,;:!$~"
_MATHS = re.compile(r"\\\[(.+?)\\\]|\\\((.+?)\\\)|\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def mathematics(text: str) -> list[str]:
    """Contents of LaTeX delimiters, in order."""
    return [
        next(part for part in match.groups() if part) for match in _MATHS.finditer(text[:20_000])
    ]


def trimmed(text: str) -> str:
    """Without outer blanks, emphasis and sentence signs."""
    return text.strip().strip(_OUTER).strip()


def without_lead(text: str) -> str:
    """Drop words and names that only lead to the formula: `so the answer is x =`."""
    bare = _LEAD.sub("", text)
    return bare or text


def right_side(text: str) -> str:
    """Behind the last top-level equals sign."""
    depth, last = 0, -1
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if (
            char in "=\u2248"
            and depth == 0
            and text[index - 1 : index] not in ("<", ">", "!", "\u2264")
        ):
            last = index
    return text[last + 1 :].strip() if last >= 0 else text


def parts(text: str, separators: str = ",;") -> list[str]:
    """Split at separators outside brackets."""
    found: list[str] = []
    depth, start = 0, 0
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char in separators and depth == 0:
            found.append(text[start:index])
            start = index + 1
    found.append(text[start:])
    return found


def bracketed(text: str) -> list[tuple[int, int]]:
    """Outermost bracket groups as (start, end); half-open intervals may mix brackets."""
    found: list[tuple[int, int]] = []
    depth, start = 0, 0
    for index, char in enumerate(text):
        if char in "([{":
            if depth == 0:
                start = index
            depth += 1
        elif char in ")]}" and depth:
            depth -= 1
            if depth == 0:
                found.append((start, index + 1))
    return found


def unwrapped(text: str) -> str:
    """Without one pair of brackets around the whole."""
    groups = bracketed(text)
    if groups == [(0, len(text))] and _PAIRS.get(text[:1]) == text[-1:]:
        return text[1:-1].strip()
    return text
