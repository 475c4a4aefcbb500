"""The date or the time of day that a reply commits to."""

import datetime as dt
import re
from abc import ABC, abstractmethod

from trajaudit.score.extract.found import Candidate, Found
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.moment_word import (
    MONTH,
    MONTHS,
    dates_in_figures,
    times_in_figures,
)
from trajaudit.score.extract.prose import read_prose
from trajaudit.score.extract.sentence import sentences
from trajaudit.score.extract.settle import settle

_DATE = re.compile(
    rf"""(?ix)
    (?<![\d.,/-])(?P<y1>\d{{4}})[-/.\u2013](?P<m1>\d{{1,2}})[-/.\u2013](?P<d1>\d{{1,2}})(?!\d)(?:T[\d:.]+Z?)?
    | (?<!\d)(?P<y2>\d{{4}})\s*[年년]\s*(?P<m2>\d{{1,2}})\s*[月월]\s*(?P<d2>\d{{1,2}})\s*[日号일]?
    | (?<![\d.,/-])(?P<a>\d{{1,2}})[-/.](?P<b>\d{{1,2}})[-/.](?P<y3>\d{{4}}|\d{{2}})(?![\d/-])
    | (?<!\d)(?P<d4>\d{{1,2}})(?:st|nd|rd|th|\.|er)?(?:\s+of|\s+de)?[\s-]+(?P<n4>{MONTH})\.?
      (?:[\s,-]+|\s+de[l]?\s+)(?P<y4>\d{{4}})(?!\d)
    | \b(?P<n5>{MONTH})\.?\s+(?:the\s+)?(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?
      (?:,\s*|\s+|\s+of\s+)(?P<y5>\d{{4}})(?!\d)
    | (?<!\d)(?P<y6>\d{{4}})[\s,]+(?P<n6>{MONTH})\.?\s+(?P<d6>\d{{1,2}})(?!\d)
    | (?<!\w)(?P<d8>\d{{1,2}})(?P<n8>{MONTH})(?P<y8>\d{{4}})(?!\d)
    | (?<!\d)(?P<y7>(?:19|20)\d\d)(?P<m7>[01]\d)(?P<d7>[0-3]\d)(?!\d)
    """
)
_TIME = re.compile(
    r"""(?ix)
    (?<![\d:.])(?P<h>\d{1,2})\s?(?:[:.h]|\u65f6|\u70b9)\s?(?P<m>[0-5]\d|\d(?=\s?分))(?:[:.](?P<s>[0-5]\d))?(?!\d)\s?(?:uhr|分)?\s*(?:\ue001(?P<spoken>)\s*)?(?P<half>a\.?m\b\.?|p\.?m\b\.?)?
    | (?<![\d:.])(?P<h2>\d{1,2})\s*(?:o'clock\s*)?(?P<half2>a\.?m\b\.?|p\.?m\b\.?)
    | (?<![\d:.])(?P<h3>\d{1,2})\s*(?:o'clock|uhr\b|h\b|[点时](?:整)?)
    | (?<![\d:.])(?P<h4>[01]\d|2[0-3])(?P<m4>[0-5]\d)\s*(?:h(?:rs?|ours)?\b)
    | (?<![\d:.])(?P<h5>\d{1,2})(?=\s+(?:in\s+the\s+(?:morning|afternoon|evening)|at\s+night)\b)
    | (?:(?:^|\b(?:at|by|until|around|about|before|after|is)\s)[\s*_`"'($]*)(?<![\d:.])
      (?P<h6>[01]\d|2[0-3])(?P<m6>[0-5]\d)(?=[\s*_`"')$.!]*$)
    | (?P<word>\bnoon\b|\bmidday\b|\bmidnight\b|中午|午夜|\bmittags?\b|\bmitternacht\b)
    """
)
_DAYPART = re.compile(
    r"(?i)^\s*,?\s*(?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night))"
)
_HAN_PART = re.compile(r"(上午|早上|凌晨|下午|晚上|中午)\s*$")


_SHORT_MONTH = re.compile(
    r"(?i)\b(jan|feb|mar|apr|jun|jul|aug|sept?|oct|okt|nov|dec|dez)\.(?=\s\d)"
)
_HALF_DAY = 12 * 3600


def _joined_months(text: str) -> str:
    """`Sept. 5` ends no sentence."""
    return _SHORT_MONTH.sub(r"\1", text)


class _MomentReader(ABC):
    """What dates and times share: candidates in a sentence, settled like any other value."""

    @abstractmethod
    def candidates(self, sentence: str) -> list[Candidate]:
        """Return what the sentence may mean, in its order."""

    @abstractmethod
    def prepared(self, text: str) -> str:
        """Return plain characters, with words in figures."""

    def marked(self, segment: str) -> Found | None:
        for sentence in sentences(self.prepared(segment)):
            found = settle(sentence.text, self.candidates(sentence.text), head=True)
            if found is not None:
                return found
        return None

    def prose(self, text: str) -> Found | None:
        return read_prose(_joined_months(text), self.candidates, prepare=self.prepared)


class DateReader(_MomentReader):
    """Reads calendar dates; `order` says how `05/03/2024` is meant."""

    def __init__(self, right: str, *, order: str | None) -> None:
        self._right = right.strip()
        self._order = (order or "").lower()

    def prepared(self, text: str) -> str:
        return dates_in_figures(_joined_months(readable(text)))

    def candidates(self, sentence: str) -> list[Candidate]:
        found: list[Candidate] = []
        for match in _DATE.finditer(sentence):
            dates = tuple(dict.fromkeys(_dates(match, self._order)))
            if dates:
                plain = " or ".join(dates)
                found.append(Candidate(dates, match.start(), match.end(), plain))
        return found

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        dates = value if isinstance(value, tuple) else ()
        if self._right not in dates:
            return False, (), f"{plain} is not {self._right}"
        if len(dates) > 1:
            return None, (), f"day and month cannot be told apart: {plain}"
        return True, ("date_form",), f"{plain} is the wanted date"


def _dates(match: re.Match[str], order: str) -> list[str]:
    """ISO dates that the match can mean."""
    for index in (1, 2, 7):
        if match[f"y{index}"]:
            return _iso(match[f"y{index}"], match[f"m{index}"], match[f"d{index}"])
    for index in (4, 5, 6, 8):
        if match[f"y{index}"]:
            month = str(MONTHS[match[f"n{index}"].lower()])
            return _iso(match[f"y{index}"], month, match[f"d{index}"])
    year = match["y3"] if len(match["y3"]) == 4 else f"20{match['y3']}"
    day_first, month_first = _iso(year, match["b"], match["a"]), _iso(year, match["a"], match["b"])
    if order == "ymd":
        return (
            _iso(f"20{match['a']}", match["b"], match["y3"]) if len(match["y3"]) == 2 else day_first
        )
    if order in ("dmy", "mdy"):
        return day_first if order == "dmy" else month_first
    if "." in match[0]:
        return day_first or month_first
    return [*day_first, *month_first]


def _iso(year: str, month: str, day: str) -> list[str]:
    try:
        return [dt.date(int(year), int(month), int(day)).isoformat()]
    except ValueError:
        return []


class TimeReader(_MomentReader):
    """Reads times of day, to the second."""

    def __init__(self, right: str, *, clock: int | None) -> None:
        self._clock = clock
        known = self.candidates(right)
        self._right = known[0].value if known else None

    def prepared(self, text: str) -> str:
        return times_in_figures(readable(text).replace("{:}", ":"))

    def candidates(self, sentence: str) -> list[Candidate]:
        found: list[Candidate] = []
        for match in _TIME.finditer(sentence):
            seconds = _seconds(sentence, match)
            if seconds is not None:
                text = f"{seconds // 3600:02}:{seconds % 3600 // 60:02}"
                text += f":{seconds % 60:02}" if seconds % 60 else ""
                open_half = self._is_open(sentence, match)
                value = (seconds, seconds - _HALF_DAY) if open_half else (seconds,)
                found.append(Candidate(value, match.start(), match.end(), text))
        return found

    def _is_open(self, sentence: str, match: re.Match[str]) -> bool:
        """Whether only a clock of twelve hours was read, before or after noon."""
        if match["half"] or match["half2"] or match["word"] or _part_of_day(sentence, match):
            return False
        hour = int(match["h"] or match["h3"] or 0)
        spoken = match["spoken"] is not None or self._clock == 12
        return spoken and 1 <= hour <= 12

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        times = value if isinstance(value, tuple) else ()
        wanted = self._right[0] if isinstance(self._right, tuple) else None
        right = wanted is not None and times[:1] == (wanted,)
        if not right and len(times) > 1 and wanted in (times[0] + _HALF_DAY, times[1]):
            return None, (), f"{plain} before or after noon cannot be told apart"
        return (
            right,
            ("time_form",) if right else (),
            f"{plain} {'is' if right else 'is not'} the wanted time",
        )


def _seconds(sentence: str, match: re.Match[str]) -> int | None:
    """Seconds since midnight; None where the hour does not exist."""
    if match["word"]:
        return 0 if match["word"].lower() in ("midnight", "午夜", "mitternacht") else 12 * 3600
    hour = int(
        match["h"] or match["h2"] or match["h3"] or match["h4"] or match["h5"] or match["h6"]
    )
    minute, second = int(match["m"] or match["m4"] or match["m6"] or 0), int(match["s"] or 0)
    half = (match["half"] or match["half2"] or "").lower().replace(".", "")
    half = half or _part_of_day(sentence, match)
    if half and not 1 <= hour <= 12:
        return None if half == "am" or hour > 24 else hour % 24 * 3600 + minute * 60 + second
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 24 or (hour == 24 and minute):
        return None
    return hour % 24 * 3600 + minute * 60 + second


def _part_of_day(sentence: str, match: re.Match[str]) -> str:
    part = _DAYPART.match(sentence[match.end() : match.end() + 30])
    if part:
        return "am" if part["part"] == "morning" else "pm"
    han = _HAN_PART.search(sentence[max(0, match.start() - 4) : match.start()])
    if han:
        return "am" if han[1] in ("上午", "早上", "凌晨") else "pm"
    return ""
