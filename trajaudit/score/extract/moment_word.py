"""What do words say of a date or a time of day? Rewrites them in figures.

`the third of May` becomes `3 May`, `quarter to four` `3:45`, `二〇二四年三月` `2024年3月`; what
stands around them stays, so that the patterns for figures read the rest.
"""

import re

from trajaudit.score.extract.number_word import HAN_CHARS, english, han

MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
    "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3,
    "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
    "januar": 1, "jänner": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7,
    "oktober": 10, "okt": 10, "dezember": 12, "dez": 12,
    "janvier": 1, "février": 2, "mars": 3, "avril": 4, "juin": 6, "juillet": 7, "août": 8,
    "septembre": 9, "octobre": 10, "novembre": 11, "décembre": 12, "enero": 1, "febrero": 2,
    "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7, "agosto": 8, "septiembre": 9,
    "setiembre": 9, "octubre": 10, "noviembre": 11, "diciembre": 12,
    "gennaio": 1, "febbraio": 2, "aprile": 4, "maggio": 5, "giugno": 6, "luglio": 7,
    "settembre": 9, "ottobre": 10, "dicembre": 12,
    "janeiro": 1, "fevereiro": 2, "março": 3, "maio": 5, "junho": 6, "julho": 7, "setembro": 9,
    "outubro": 10, "novembro": 11, "dezembro": 12,
    "januari": 1, "februari": 2, "maart": 3, "mei": 5, "augustus": 8,
}  # fmt: skip
"""Names of months in seven languages, in lower case."""
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
"""Pattern of a month's name."""
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
_DAYS = {word: day for day, word in enumerate(_ORDINALS, 1)}
_DAYS |= {f"twenty-{word}": 20 + day for day, word in enumerate(_ORDINALS[:9], 1)}
_DAYS |= {"thirtieth": 30, "thirty-first": 31}
_DAY = "|".join(sorted((word.replace("-", "[- ]") for word in _DAYS), key=len, reverse=True))
_ORDINAL = re.compile(
    rf"(?i)\b(?P<one>{_DAY})(?=\s+(?:day\s+)?(?:of\s+)?(?:{MONTH})\b)"
    rf"|(?P<lead>\b(?:{MONTH})\.?\s+(?:the\s+)?)(?P<two>{_DAY})\b"
)
_HAN_FIGURE = re.compile(rf"([{HAN_CHARS}]{{1,6}})(?=[年月日号点时分])")
_HAN_HALF = re.compile(r"(\d{1,2})\s*[点时]\s*(半|一刻|三刻)")
_HAN_MINUTES = {"半": "30", "一刻": "15", "三刻": "45"}
_HOURS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_HOUR = rf"(?:{'|'.join(_HOURS)}|\d{{1,2}}(?![\d:.])|noon|midday|midnight)"
_COUNT = r"(?:twenty[- ]five|twenty|ten|five|\d{1,2})"
_TENS = r"(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
_RELATIVE = re.compile(
    rf"(?i)\b(?:a\s+)?(?P<by>half|quarter|{_COUNT})(?:\s+minutes?)?\s+"
    rf"(?P<side>past|after|to|before|till)\s+(?P<hour>{_HOUR})(?:\s+o'clock)?\b"
)
_READ_OUT = re.compile(
    rf"(?i)\b(?P<hour>{'|'.join(_HOURS)})(?:\s+o'clock\b|(?:\s+(?P<minutes>{_TENS}|oh[- ]five|ten"
    r"|fifteen))?(?=\s*(?:a\.?m\b|p\.?m\b|in the (?:morning|afternoon|evening)|at night)))"
)
_GERMAN = re.compile(
    r"(?i)\bhalb\s+(eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)\b"
)
_GERMAN_HOURS = (
    "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf",
    "zwölf",
)  # fmt: skip
SPOKEN = "\ue001"
"""Stands behind a time that was told in words, without the half of the day."""


def dates_in_figures(text: str) -> str:
    """Days and Chinese numerals of dates as figures."""
    text = _ORDINAL.sub(_day, text)
    return _HAN_FIGURE.sub(_han, text)


def times_in_figures(text: str) -> str:
    """Hours and minutes told in words as `h:mm`."""
    text = _RELATIVE.sub(_relative, text)
    text = _READ_OUT.sub(_read_out, text)
    text = _GERMAN.sub(_half_before, text)
    text = _HAN_FIGURE.sub(_han, text)
    return _HAN_HALF.sub(lambda one: f"{one[1]}:{_HAN_MINUTES[one[2]]}", text)


def _day(match: re.Match[str]) -> str:
    word = (match["one"] or match["two"]).lower().replace(" ", "-")
    return f"{match['lead'] or ''}{_DAYS[word]}"


def _han(match: re.Match[str]) -> str:
    value = han(match[1])
    return match[0] if value is None else str(value)


def _relative(match: re.Match[str]) -> str:
    by, hour = match["by"].lower(), _hour(match["hour"])
    minutes = {"half": 30, "quarter": 15}.get(by) or _figure(by)
    if not 0 < minutes < 60 or hour > 24:
        return match[0]
    if match["side"].lower() in ("past", "after"):
        return _written(hour, minutes, match["hour"])
    named = match["hour"].lower() in ("midnight", "noon", "midday")
    before = (hour - 1) % 24 if named or hour > 12 else (hour - 2) % 12 + 1
    return _written(before, 60 - minutes, match["hour"])


def _read_out(match: re.Match[str]) -> str:
    minutes = match["minutes"] or ""
    hour = _hour(match["hour"])
    if not minutes:
        return f"{hour}:00{SPOKEN}"
    return f"{hour}:{_figure(minutes.lower().replace('oh', '')):02}{SPOKEN}"


def _half_before(match: re.Match[str]) -> str:
    hour = _GERMAN_HOURS.index(match[1].lower()) + 1
    return f"{(hour - 2) % 12 + 1}:30{SPOKEN}"


def _hour(word: str) -> int:
    known = {"noon": 12, "midday": 12, "midnight": 0}.get(word.lower())
    return _figure(word) if known is None else known


def _figure(word: str) -> int:
    if word.isdigit():
        return int(word)
    return int(english(word) or 0)


def _written(hour: int, minutes: int, named: str) -> str:
    spoken = "" if named.lower() in ("noon", "midday", "midnight") else SPOKEN
    return f"{hour}:{minutes:02}{spoken}"
