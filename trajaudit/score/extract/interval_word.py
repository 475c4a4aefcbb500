"""Which interval do words, bars and gaps write: `at least 3`, `|x| < 2`, `x ≠ 0`?"""

import re

_NUMBER = r"[-\d./\u221a\u03c0]{1,30}"
_WORDS = (
    (r"(?i)\b(?:is )?(?:less than or equal to|at most|no more than|not more than)\b", "\u2264"),
    (
        r"(?i)\b(?:is )?(?:(?:greater|more) than or equal to|at least|(?:no|not) less than)\b",
        "\u2265",
    ),
    (r"(?i)\b(?:is )?(?:strictly )?(?:less than|smaller than|below)\b", "<"),
    (r"(?i)\b(?:is )?(?:strictly )?(?:greater than|more than|larger than|above)\b", ">"),
)
_ABSOLUTE = re.compile(
    r"\|\s*([A-Za-z])\s*(?:([-+])\s*([\w./\u221a\u03c0()]{1,30}))?\s*\|\s*(<=|>=|[<>\u2264\u2265])\s*"
    r"([\w./\u221a\u03c0()]{1,30})"
)
WITHOUT = re.compile(
    r"(?i)(?:[A-Za-z]\s*(?:\u2260|!=|<>)\s*"
    r"|(?:all real (?:numbers|values)|\u211d|R|all reals?|x)\s*"
    r"(?:except(?: for)?|other than|but|\\|-)\s*(?:[A-Za-z]\s*=\s*)?)(\{?[^{}a-z]{1,60}\}?)"
)
_BETWEEN = re.compile(
    rf"(?i)\b(?P<strict>strictly )?(?:between|from) (?P<low>{_NUMBER}) (?:and|to)"
    rf" (?P<high>{_NUMBER})"
    r"(?:[, (]*(?:both )?(?P<ends>(?:in|ex)clusive)(?:ly)?\)?)?"
)


def spelled(text: str) -> str:
    """Comparisons, bars and `between ... inclusive` in signs and brackets."""
    text = re.sub(
        r"^[A-Za-z](?: is)? (?=[(\[])",
        "",
        _BETWEEN.sub(_with_ends, _ABSOLUTE.sub(_without_bars, text)),
    )
    for words, sign in _WORDS:
        text = re.sub(words, sign, text)
    return text


def _without_bars(match: re.Match[str]) -> str:
    """`|x - 1| < 2` is (-1, 3)."""
    _, sign, shift, compare, radius = match.groups()
    middle = f"{'-' if sign == '+' else '+'}({shift})" if shift else ""
    low, high = f"-({radius}){middle}", f"({radius}){middle}"
    closed = compare[-1] in "=\u2264\u2265"
    if compare[0] in "<\u2264":
        return f"[{low}, {high}]" if closed else f"({low}, {high})"
    left, right = ("]", "[") if closed else (")", "(")
    return f"(-inf, {low}{left} \u222a {right}{high}, inf)"


def _with_ends(match: re.Match[str]) -> str:
    """`between 0 and 1, exclusive`; without a word on the ends nobody knows."""
    if not match["strict"] and not match["ends"]:
        return match[0]
    closed = not match["strict"] and match["ends"][0] in "iI"
    return f"{'[' if closed else '('}{match['low']}, {match['high']}{']' if closed else ')'}"
