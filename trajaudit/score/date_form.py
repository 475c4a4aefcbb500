"""Which day or instant does a text name? One reading, several, or none."""

import re
from datetime import UTC, date, datetime, time

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\Z")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})\Z")
_NUMERIC = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})\Z")
_DAY_FIRST = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?([a-z]+)\.?,?\s+(\d{4})\Z", re.IGNORECASE
)
_MONTH_FIRST = re.compile(r"([a-z]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\Z", re.IGNORECASE)
_CHINESE = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]\Z")
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.0+)?)?\s*([ap])?\.?m?\.?\Z", re.IGNORECASE)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = re.compile(r"([a-z]{3,9})\.?(?:,\s*|\s+)(?=\w)", re.IGNORECASE)


def days_of(text: str) -> frozenset[str]:
    """Return every day that the text may mean, as ISO 8601; a weekday before it is passed over."""
    text = _without_weekday(text.strip())[1]
    for pattern in (_ISO, _COMPACT, _CHINESE):
        if found := pattern.match(text):
            numbers = [int(part) for part in found.groups() if part.isdigit()]
            return _valid((numbers[0], numbers[1], numbers[2]))
    if found := _NUMERIC.match(text):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        return _valid((year, first, second), (year, second, first))
    if found := _DAY_FIRST.match(text):
        return _valid((int(found[3]), _month(found[2]), int(found[1])))
    if found := _MONTH_FIRST.match(text):
        return _valid((int(found[3]), _month(found[1]), int(found[2])))
    instants = instants_of(text)
    return frozenset(i[:10] for i in instants if re.search(r"T00:00:00(Z|\Z)", i) and len(instants))


def is_contradicted(text: str) -> bool:
    """Whether a weekday stands before a day that is another one."""
    weekday, rest = _without_weekday(text.strip())
    days = days_of(rest) if weekday is not None else frozenset[str]()
    return bool(days) and all(date.fromisoformat(day).weekday() != weekday for day in days)


def _without_weekday(text: str) -> tuple[int | None, str]:
    """Part a weekday from what follows it: Monday is 0; None where there is none."""
    found = _WEEKDAY.match(text)
    if found is not None:
        name = found[1].lower()
        for number, weekday in enumerate(_WEEKDAYS):
            if name == weekday or (weekday.startswith(name) and len(name) <= 5):
                return number, text[found.end() :]
    return None, text


def instants_of(text: str) -> frozenset[str]:
    """Return every instant that the text may mean: `...Z` in UTC, or local time without a zone."""
    text = text.strip()
    if not re.match(r"\d{4}-?\d{2}-?\d{2}[T ]\d", text, re.IGNORECASE):
        return frozenset()
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return frozenset()
    if moment.tzinfo is None:
        return frozenset({moment.isoformat()})
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:
        return frozenset()
    return frozenset({moment.replace(tzinfo=None).isoformat() + "Z"})


def times_of(text: str) -> frozenset[str]:
    """Return the time of day that the text means, as `hh:mm:ss`."""
    found = _TIME.match(text.strip())
    if found is None:
        return frozenset()
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        if not 1 <= hour <= 12:
            return frozenset()
        hour = hour % 12 + (12 if found[4].lower() == "p" else 0)
    try:
        return frozenset({time(hour, minute, second).isoformat()})
    except ValueError:
        return frozenset()


def _month(name: str) -> int:
    lowered = name.lower()
    for number, month in enumerate(_MONTHS, start=1):
        if lowered == month or (month.startswith(lowered) and len(lowered) >= 3):
            return number
    return 0


def _valid(*candidates: tuple[int, int, int]) -> frozenset[str]:
    found = set()
    for year, month, day in candidates:
        try:
            found.add(date(year, month, day).isoformat())
        except ValueError:
            continue
    return frozenset(found)
