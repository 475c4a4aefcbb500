r"""Forms of numbers that are rewritten before figures are looked for.

Repeating decimals and `1 in 4` become fractions, `half a million` a figure with its scale, German
and French number words figures.
"""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from trajaudit.score.extract.expression import Node, UnreadableError, parse
from trajaudit.score.screen import lowered, may_hold

_PERIOD = re.compile(
    r"(?<![\w.])(\d{0,12})\.(\d{0,12})(?:\\overline\s*\{\s*(\d{1,12})\s*\}|\((\d{1,12})\))(?!\d)"
)
_AND_SO_ON = re.compile(
    r"(?<![\w.])(\d{0,12})\.(\d{0,6}?)(\d{1,6}?)\3{2,}(?:\.{3}|\u2026|\\l?dots\b)"
)
_PART_OF_SCALE = re.compile(
    r"(?i)\b(half|(?:a )?quarter of) an? (hundred|thousand|million|billion)\b"
)
_STARTS_OF_SCALE = ("half a", "quarter of a")
_IN = re.compile(r"\b(\d{1,12}) (?:in|out of)(?: every)? (\d{1,12})\b(?! ?[a-z%\u20ac])")
_ASKS_CHANCE = re.compile(
    r"(?i)\b(?:probability|chances?|odds|likel\w+|fraction|proportion|share)\b"
)


_NESTED = re.compile(
    r"(?<![\w)])\(\(([-+*/×·() \d.]{1,60})\)/\(([-+*/×·() \d.]{1,60})\)\)(?![\w(])"
)
_ROOT = re.compile(r"(?:\bsqrt\((\d{1,18})\)|√(\d{1,18})(?!\d))")
_ASKS_RANK = re.compile(
    r"(?i)\b(?:(?:which|what) (?:\w+ )?(?:place|position|rank|floor|grade|row|number|century)"
    r"|(?:place|position|rank|ranking|placement)\b.{0,40}\?)"
)
_PARTS_OF_RANK = ("place", "position", "rank", "floor", "grade", "row", "number", "century")
_PARTS_OF_CHANCE = ("probability", "chance", "odds", "likel", "fraction", "proportion", "share")
_RANKS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip
_RANK = re.compile(
    rf"(?i)(?<!at )(?<!from )\b(?<!-)({'|'.join(_RANKS)})\b(?!\s*[,:]|-| of all| glance| sight|ly)"
)
_LEDGER = re.compile(
    r"(?i)\b(?:accounting|ledger|in parentheses|net (?:income|profit|loss|result|change|earnings)"
    r"|profit|loss|cash flow|variance|deficit|p&l)\b"
)
_NEGATIVE = re.compile(r"(?<![\w)])\(([$€£]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\)")


def rewritten(text: str, *, question: str, language: Callable[[], str | None]) -> str:
    """`text` with the forms above in figures; other text comes back unchanged.

    `language` tells in which one number words are; it is asked where there may be some.
    """
    text = _as_asked(_in_figures(text), question)
    if not text.isascii() or may_hold(text.lower(), _PARTS_OF_WORDS):
        words = _TABLES.get(language() or "")
        text = _words_in_figures(text, words()) if words else text
    return text


def _in_figures(text: str) -> str:
    """`text` with the forms in figures that mean the same whatever is asked."""
    if "." in text:
        if "(" in text or "overline" in text:
            text = _PERIOD.sub(_periodic, text)
        if "..." in text or "\u2026" in text or "dots" in text:
            text = _AND_SO_ON.sub(_periodic, text)
    if may_hold(lowered(text), _STARTS_OF_SCALE):
        text = _PART_OF_SCALE.sub(_part_of_scale, text)
    if "((" in text:
        text = _NESTED.sub(_quotient, text)
    if "sqrt" in text or "√" in text:
        text = _ROOT.sub(_whole_root, text)
    return text


def _as_asked(text: str, question: str) -> str:
    """`text` with the forms in figures that only some questions make numbers of."""
    if asks_rank(question):
        text = _RANK.sub(lambda m: f"{_RANKS.index(m[1].lower()) + 1}th", text)
    if "(" in text and _NEGATIVE.search(text) and _LEDGER.search(f"{question} {text[:500]}"):
        text = _NEGATIVE.sub(r"-\1\2", text)
    if (" in " in text or " out of " in text) and _asks_chance(question):
        text = _IN.sub(r"\1/\2", text)
    return text


def _part_of_scale(match: re.Match[str]) -> str:
    return f"{'0.5' if match[1][0] in 'hH' else '0.25'} {match[2]}"


@lru_cache(maxsize=16)
def asks_rank(question: str) -> bool:
    """Whether an ordinal answers a question."""
    return may_hold(lowered(question), _PARTS_OF_RANK) and bool(_ASKS_RANK.search(question))


@lru_cache(maxsize=16)
def _asks_chance(question: str) -> bool:
    return may_hold(lowered(question), _PARTS_OF_CHANCE) and bool(_ASKS_CHANCE.search(question))


def _quotient(match: re.Match[str]) -> str:
    """A fraction of fractions, worked out exactly."""
    try:
        value = _exact(parse(match[1])) / _exact(parse(match[2]))
    except (UnreadableError, ArithmeticError):
        return match[0]
    return str(value)


def _exact(node: Node) -> Fraction:
    """Value of a tree of whole numbers and the four operations."""
    if node.op == "number":
        return Fraction(node.text)
    operation = _OPERATIONS.get(node.op)
    if operation is None:
        raise UnreadableError(node.op)
    return operation(*map(_exact, node.args))


_OPERATIONS: dict[str, Callable[..., Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda a: -a,
}


def _whole_root(match: re.Match[str]) -> str:
    """`sqrt(16)` is 4; other roots stay."""
    square = int(match[1] or match[2])
    root = math.isqrt(square)
    return str(root) if root * root == square else f"√{square}"


def _periodic(match: re.Match[str]) -> str:
    """`2.1(6)` is 13/6."""
    whole, fixed = match[1] or "0", match[2]
    period = next(part for part in match.groups()[2:] if part)
    value = Fraction(int(f"{whole}{fixed}"), 10 ** len(fixed))
    value += Fraction(int(period), 10 ** len(fixed) * (10 ** len(period) - 1))
    return str(value)


def _words_in_figures(text: str, table: dict[str, int]) -> str:
    """The longest number words at each place."""
    words = list(re.finditer(r"[^\W\d_]+", text))
    out: list[str] = []
    at = index = 0
    while index < len(words):
        length = _longest(text, words, index, table)
        if not length:
            index += 1
            continue
        first, last = words[index], words[index + length - 1]
        out += [text[at : first.start()], str(table[_key(text[first.start() : last.end()])])]
        at, index = last.end(), index + length
    return "".join((*out, text[at:]))


def _longest(text: str, words: list[re.Match[str]], index: int, table: dict[str, int]) -> int:
    for length in range(min(9, len(words) - index), 0, -1):
        span = text[words[index].start() : words[index + length - 1].end()]
        if len(span) < 90 and _key(span) in table:
            return length
    return 0


def _key(span: str) -> str:
    return span.lower().replace("-", " ")


_GERMAN_ONES = [
    "null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
    "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn",
    "neunzehn",
]  # fmt: skip


_GERMAN_TENS = [
    "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
]  # fmt: skip


@lru_cache(maxsize=1)
def _german() -> dict[str, int]:
    """Cardinals below 10,000; `ein` and `eins` alone are articles or labels."""

    def below_100(number: int, one: str) -> str:
        if number < 20:
            return one if number == 1 else _GERMAN_ONES[number]
        unit = "ein" if number % 10 == 1 else _GERMAN_ONES[number % 10]
        ten = _GERMAN_TENS[number // 10 - 2]
        return f"{unit}und{ten}" if number % 10 else ten

    below = [below_100(number, "eins") for number in range(100)]
    table: dict[str, int] = {}
    for number in range(10_000):
        thousands, hundreds, rest = number // 1000, number // 100 % 10, number % 100
        word = f"{'ein' if thousands == 1 else _GERMAN_ONES[thousands]}tausend" if thousands else ""
        word += f"{'ein' if hundreds == 1 else _GERMAN_ONES[hundreds]}hundert" if hundreds else ""
        word += below[rest] if rest or not word else ""
        table[word] = number
    table |= {word.replace("ß", "ss"): value for word, value in table.items() if "ß" in word}
    del table["eins"]
    return table | {"hundert": 100, "tausend": 1000}


_FRENCH_ONES = [
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix",
    "onze", "douze", "treize", "quatorze", "quinze", "seize",
    "dix sept", "dix huit", "dix neuf",
]  # fmt: skip


@lru_cache(maxsize=1)
def _french() -> dict[str, int]:
    """Cardinals below 10,000; `un` alone is an article."""
    tens = {
        2: "vingt",
        3: "trente",
        4: "quarante",
        5: "cinquante",
        6: "soixante",
        7: "soixante",
        8: "quatre vingt",
        9: "quatre vingt",
    }

    def below_100(number: int) -> str:
        if number < 20:
            return _FRENCH_ONES[number]
        ten, rest = number // 10, number % 10 + (10 if number // 10 in (7, 9) else 0)
        joined = " et " if rest in (1, 11) and ten < 8 else " "
        return tens[ten] + (f"{joined}{_FRENCH_ONES[rest]}" if rest else "")

    table: dict[str, int] = {}
    for number in range(10_000):
        thousands, hundreds, rest = number // 1000, number // 100 % 10, number % 100
        words = [] if thousands < 2 else [_FRENCH_ONES[thousands]]
        words += ["mille"] * bool(thousands)
        words += ([_FRENCH_ONES[hundreds]] if hundreds > 1 else []) + ["cent"] * bool(hundreds)
        words += [below_100(rest)] if rest or not words else []
        table[" ".join(words)] = number
        if number >= 80 and rest in (0, 80):
            table[" ".join(words) + "s"] = number
    table |= {"septante": 70, "huitante": 80, "octante": 80, "nonante": 90}
    del table["un"]
    return table


_TABLES = {"de": _german, "fr": _french}
_PARTS_OF_WORDS = (
    "null", "zwei", "drei", "vier", "sech", "sieb", "acht", "neun", "zehn", "elf", "zwanzig",
    "hundert", "tausend", "deux", "trois", "quat", "cinq", "six", "sept", "huit", "neuf", "dix",
    "onze", "douze", "treize", "quinze", "seize", "vingt", "ante", "trente", "cent", "mille",
)  # fmt: skip
"""One of them is in each word of both tables that is ASCII."""
