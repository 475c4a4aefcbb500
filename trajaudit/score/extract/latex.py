r"""What does LaTeX say in plain characters?

Rewrites layout away (`\left`, `\text`, `$...$`), names symbols and turns `\frac` and `\sqrt` with
nested braces into `a/b` and `sqrt(a)`. Linear in the length of the text; never raises.
"""

import re
from typing import NamedTuple

_SYMBOLS = {
    "times": "×", "cdot": "·", "ast": "*", "div": "÷", "pm": "±", "leq": "≤", "le": "≤",
    "geq": "≥", "ge": "≥", "leqslant": "≤", "geqslant": "≥", "lt": "<", "gt": ">", "neq": "≠",
    "ne": "≠", "infty": "∞", "pi": "π", "theta": "θ", "alpha": "α", "beta": "β", "lambda": "λ",
    "mu": "µ", "cup": "∪", "cap": "∩", "in": "∈", "circ": "°", "degree": "°", "approx": "≈",
    "to": "→", "rightarrow": "→", "implies": "⇒", "Rightarrow": "⇒", "therefore": "∴",
    "ldots": "…", "dots": "…", "cdots": "…", "lbrace": "{", "rbrace": "}", "emptyset": "∅",
    "varnothing": "∅", "lor": " or ", "vee": " or ", "land": " and ", "wedge": " and ",
    "quad": " ", "qquad": " ", "euro": "€", "pounds": "£", "textdollar": "$", "setminus": "\\",
    "langle": "(", "rangle": ")",
}  # fmt: skip
_DROPPED = {
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "displaystyle", "textstyle",
    "limits", "hfill", "noindent", "centering", "large", "Large", "bf", "rm", "it", "bfseries",
}  # fmt: skip
_WRAPPERS = {
    "text", "textbf", "textit", "textrm", "mathrm", "mathbf", "mathit", "mathsf", "mathtt",
    "operatorname", "mbox", "boxed", "fbox", "emph", "underline", "texttt", "boldsymbol", "bm",
    "hbox", "mathbb", "mathcal", "overline", "textnormal", "bold", "ensuremath",
}  # fmt: skip
_FRACTIONS = {"frac", "dfrac", "tfrac", "cfrac"}
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?|\\(.)", re.DOTALL)
_ESCAPES = {",": "", "!": "", ";": " ", ":": " ", " ": " ", "\\": "\n"}
_DEPTH = 40
_SIMPLE = re.compile(r"[-+]?\d+")
_MATH_DOLLARS = re.compile(r"\$(?!\s)([^$\n]{1,2000})(?<!\s)\$(?!\w)")
_ESCAPED_DOLLAR = "\ue000"


def closing_braces(text: str) -> dict[int, int]:
    """Where each opening brace is closed: index of `{` → index after its `}`."""
    closed: dict[int, int] = {}
    open_at: list[int] = []
    for match in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        if match[0] == "{":
            open_at.append(match.start())
        elif match[0] == "}" and open_at:
            closed[open_at.pop()] = match.end()
    return closed


def undelimited(text: str) -> str:
    r"""Drop `$...$`, `$$`, `\(...\)` and `\[...\]`; a dollar sign of money stays."""
    if "$" in text:
        text = text.replace("\\$", _ESCAPED_DOLLAR).replace("$$", " ")
        text = _MATH_DOLLARS.sub(r" \1 ", text).replace(_ESCAPED_DOLLAR, "$")
    return re.sub(r"\\[()\[\]]", " ", text) if "\\" in text else text


def readable(text: str) -> str:
    """Plain characters for LaTeX; other text comes back unchanged."""
    text = undelimited(text)
    if "\\" not in text and "{," not in text and "^{" not in text:
        return text
    text = text.replace("{,}", ",").replace("{.}", ".")
    text = _rewrite(text, 0)
    return re.sub(
        r"[ ]{2,}", " ", re.sub(r"\^\{\s*([-+]?\d+|[A-Za-z]|°)\s*\}", _power, text)
    ).replace("^°", "°")


def _power(match: re.Match[str]) -> str:
    return match[1] if match[1] == "°" else f"^{match[1]}"


def _rewrite(text: str, depth: int) -> str:
    if depth > _DEPTH or "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    closed = closing_braces(text)
    while match := _COMMAND.search(text, at):
        out.append(text[at : match.start()])
        piece, at = _command(_Source(text, closed, depth), match, out[-1])
        out.append(piece)
    out.append(text[at:])
    return "".join(out)


class _Source(NamedTuple):
    text: str
    closed: dict[int, int]
    depth: int


def _command(source: _Source, match: re.Match[str], before: str) -> tuple[str, int]:
    """What one command becomes, and where reading goes on."""
    name, at = match[1], match.end()
    if name is None:
        return _ESCAPES.get(match[2], match[2]), at
    if name in _FRACTIONS:
        return _fraction(source, at, before)
    if name == "sqrt":
        return _root(source, at)
    if name in _WRAPPERS:
        content, at = _argument(source, at)
        return (f" {content} " if content[:1].isalpha() and name[:4] == "text" else content), at
    if name in _DROPPED:
        return "", at
    gap = " " if name not in _SYMBOLS and before[-1:].isalpha() else ""
    return gap + _SYMBOLS.get(name, name), at


def _argument(source: _Source, at: int) -> tuple[str, int]:
    """The next group, or the next character where there are no braces."""
    text = source.text
    while text[at : at + 1] == " ":
        at += 1
    if text[at : at + 1] == "{":
        end = source.closed.get(at)
        if end is None:
            return "", at + 1
        return _rewrite(text[at + 1 : end - 1], source.depth + 1).strip(), end
    match = _COMMAND.match(text, at)
    if match and source.depth < _DEPTH:
        return _command(source._replace(depth=source.depth + 1), match, "")
    return text[at : at + 1], at + 1


def _fraction(source: _Source, at: int, before: str) -> tuple[str, int]:
    above, at = _argument(source, at)
    below, at = _argument(source, at)
    if _SIMPLE.fullmatch(above) and below.isdigit():
        gap = " " if re.search(r"\d\s*$", before[-20:]) else ""
        return f"{gap}{above}/{below}", at
    return f"(({above})/({below}))", at


def _root(source: _Source, at: int) -> tuple[str, int]:
    index = ""
    if source.text[at : at + 1] == "[":
        close = source.text.find("]", at, at + 50)
        if close > 0:
            index, at = source.text[at + 1 : close], close + 1
    content, at = _argument(source, at)
    return (f"(({content})^(1/({index})))" if index else f"sqrt({content})"), at
