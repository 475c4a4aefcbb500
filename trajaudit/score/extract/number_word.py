"""Which number do words say? English cardinals, fractions and dozens; Chinese numerals."""

import re
from fractions import Fraction

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
SMALL: dict[str, int] = {word: value for value, word in enumerate(_UNITS)}
SMALL |= {word: 20 + 10 * index for index, word in enumerate(_TENS)}
SMALL["fourty"] = 40
"""Word → value; tens and what is below twenty."""
_AND, _HUNDRED = "and", "hundred"
_PARTS = {
    "half": 2,
    "halves": 2,
    "quarter": 4,
    "quarters": 4,
    "third": 3,
    "thirds": 3,
    "fifth": 5,
    "fifths": 5,
    "sixth": 6,
    "sixths": 6,
    "seventh": 7,
    "sevenths": 7,
    "eighth": 8,
    "eighths": 8,
    "ninth": 9,
    "ninths": 9,
    "tenth": 10,
    "tenths": 10,
}
_WORD = "|".join(sorted((*SMALL, "hundred", *_SCALES), key=len, reverse=True))
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
ENGLISH = (
    rf"(?:(?:minus|negative)[ ])?(?:"
    rf"(?:(?:an?|{_WORD})(?:[ -]|[ ]?,[ ]|[ ]and[ ]))?"
    rf"(?:{_WORD})(?:(?:[ -]|,[ ]|[ ]and[ ]){{1,2}}(?:{_WORD})){{0,24}}"
    rf"(?:[ ]and[ ](?:a|one|two|three|{_WORD})[ -](?:{_PART}))?(?:[ -](?:{_PART}))?"
    rf"(?:[ ]point(?:[ ](?:{'|'.join(_UNITS[:10])})){{1,12}})?"
    rf"(?:[ ]dozen)?"
    rf"|(?:an?|one)[ ](?:{_PART}|dozen)|half[ ]a[ ]dozen|half|a[ ]dozen)"
)
"""Pattern of a number in English words, in lower case."""
ENGLISH_STARTS = ("minus", "negative", "a ", "a-", "a,", "an", "half", _HUNDRED, *SMALL, *_SCALES)
"""How such a number begins."""

_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")}
_HAN_DIGITS |= {"〇": 0, "○": 0, "两": 2, "兩": 2, "壹": 1, "贰": 2, "叁": 3, "肆": 4, "伍": 5}
_HAN_DIGITS |= {"陆": 6, "柒": 7, "捌": 8, "玖": 9}
_HAN_PLACES = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
HAN_SCALES = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
HAN_CHARS = "".join((*_HAN_DIGITS, *_HAN_PLACES, *HAN_SCALES))


def english(words: str) -> Fraction | None:
    """The value of English number words, or None: `forty-two`, `minus three and a half`."""
    tokens = re.findall(r"[a-z]+", words.lower())
    sign = 1
    if tokens and tokens[0] in ("minus", "negative"):
        sign, tokens = -1, tokens[1:]
    value = _phrase(tokens)
    return None if value is None else sign * value


def _phrase(tokens: list[str]) -> Fraction | None:
    if tokens[-1:] == ["dozen"]:
        before = [token for token in tokens[:-1] if token not in ("a", "an")]
        count = _phrase(before) if before else Fraction(1)
        return None if count is None else 12 * count
    if "point" in tokens:
        return _decimal(tokens)
    if tokens and tokens[-1] in _PARTS:
        return _with_part(tokens)
    return _whole(tokens)


def _decimal(tokens: list[str]) -> Fraction | None:
    at = tokens.index("point")
    whole = _whole(tokens[:at])
    digits = [SMALL.get(token, 10) for token in tokens[at + 1 :]]
    if whole is None or not digits or max(digits) > 9:
        return None
    return whole + Fraction(int("".join(map(str, digits))), 10 ** len(digits))


def _with_part(tokens: list[str]) -> Fraction | None:
    """`half`, `two thirds`, `three and a half`, `one and three quarters`."""
    part = Fraction(1, _PARTS[tokens[-1]])
    before = tokens[:-1]
    whole = Fraction(0)
    if "and" in before:
        at = len(before) - 1 - before[::-1].index("and")
        read = _whole(before[:at])
        if read is None:
            return None
        whole, before = read, before[at + 1 :]
    before = [token for token in before if token not in ("a", "an")]
    count = _whole(before) if before else Fraction(1)
    return None if count is None else whole + count * part


def _whole(tokens: list[str]) -> Fraction | None:
    total, current, seen, last = 0, 0, False, 10**18
    for token in tokens:
        if token in (_AND, "a", "an"):
            if token != _AND and not seen:
                current, seen = 1, True
            continue
        if token in SMALL:
            step = SMALL[token]
            if seen and not _may_follow(step, current, last):
                return None
            current, last = current + step, step
        elif token == _HUNDRED:
            current, last = max(current, 1) * 100, 100
        elif token in _SCALES:
            total, current, last = total + max(current, 1) * _SCALES[token], 0, 1000
        else:
            return None
        seen = True
    return Fraction(total + current) if seen else None


def _may_follow(step: int, current: int, last: int) -> bool:
    """`twenty one` and `hundred five` are one number, `five six` and `ten two` are not."""
    if last in (100, 1000):
        return True
    return last >= 20 and last < 100 and 0 < step < 10 and current % 100 == last


def han(text: str) -> Fraction | None:
    """The value of a Chinese numeral, or None: `四十二`, `一万二千`, `三点五`, `二〇二四`."""
    whole, _, tail = text.partition("点")
    value = _han_whole(whole)
    if value is None or not tail:
        return value
    if any(char not in _HAN_DIGITS for char in tail):
        return None
    digits = "".join(str(_HAN_DIGITS[char]) for char in tail)
    return value + Fraction(int(digits), 10 ** len(digits))


def _han_whole(text: str) -> Fraction | None:
    if not text or len(text) > 40:
        return None
    if len(text) > 1 and all(char in _HAN_DIGITS for char in text):
        return Fraction(int("".join(str(_HAN_DIGITS[char]) for char in text)))
    total, section, digit, place = 0, 0, None, 1
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char in _HAN_PLACES:
            place = _HAN_PLACES[char]
            section, digit = section + (1 if digit is None else digit) * place, None
        elif char in HAN_SCALES:
            section += digit or 0
            total, section, digit = (total + max(section, 1)) * HAN_SCALES[char], 0, None
            place = HAN_SCALES[char]
        else:
            return None
    if digit and text[-2:-1] and text[-2] in (*_HAN_PLACES, *HAN_SCALES) and place > 10:
        digit *= place // 10
    return Fraction(total + section + (digit or 0))
