"""What kind of answer is a reference that somebody wrote into a table?"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from trajaudit.record.importers.answer_columns import options_of, reference_of
from trajaudit.record.importers.shapes import as_text

_MARKED = re.compile(r"(?:^|\n)\s*(?:####|A:|Answer:|ANSWER:|答案[::])\s*(\S[^\n]*?)\s*$")
_NUMBER = re.compile(r"([$€£¥]?)\s*([-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+]?\d+(?:\.\d+)?)\s*(%?)")
_SCALED = re.compile(
    r"(?i)([$€£¥]?)\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?"
    r"(thousand|million|billion|trillion|k|m|bn|b)"
)
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_BOOLS = {"true": True, "yes": True, "false": False, "no": False}
_OR = re.compile(r"\s+or\s+", re.IGNORECASE)
_REMARK = re.compile(r"\s*\([^()]{1,80}\)\s*")
_CLAUSE = re.compile(r"([^,]+), (?:who|which|whose) (.*)", re.DOTALL)
_NAMED = re.compile(r"\b(?!(?:It|The|This|That|He|She|They|Those|These)\b)[A-Z]\w")
_MORE = re.compile(r",\s+(?:and|or)\s+[A-Z]")
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SIGNS = {"k": 3, "m": 6, "bn": 9, "b": 9}
"""Only behind a currency: elsewhere `5m` is a length."""
_SHORT_WORDS = 5
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def target_of(record: Mapping[str, Any]) -> tuple[Any, str]:
    """Return the target of a record as YAML would write it, and what was guessed about it.

    None: the record has no reference, so that nothing can be graded by rules.
    """
    column, value = reference_of(record)
    options = _options(options_of(record))
    chosen = _chosen(value, options) if options else None
    if chosen is not None:
        return {"choice": chosen, "of": options}, ""
    if isinstance(value, str):
        return _of_text(column, value.strip())
    if isinstance(value, list):
        return _any_of([as_text(one) for one in value]), ""
    if isinstance(value, (int, float)):
        return {"bool" if isinstance(value, bool) else "number": value}, ""
    return None, ""


def _of_text(column: str, text: str) -> tuple[Any, str]:
    marked = _MARKED.search(text)
    if marked:
        return written(marked[1]), "the marked last line of a worked solution"
    found = _alternatives(text) if column == "golden_answer" else []
    if found:
        return _any_of([text, *found]), "alternatives in it, or a remark"
    return written(text), ""


def _alternatives(text: str) -> list[str]:
    """Return what a reference of open question answering accepts besides its whole text: parts
    between slashes; without these parts around `or`, and what is left without remarks in brackets
    and clauses like `, who was ...`. A list between slashes holds names without them already.
    """
    if "/" in text:
        return [part.strip() for part in text.split("/") if part.strip()]
    either = [part.strip(" ,") for part in _OR.split(text)]
    short = len(either) == 2 and all(0 < len(part.split()) <= _SHORT_WORDS for part in either)
    parts = either if short else [text]
    plain = [_REMARK.sub(" ", part).strip(" ,.") for part in parts if "(" in part]
    plain += [
        found[1]
        for found in map(_CLAUSE.fullmatch, parts)
        if found is not None and _NAMED.search(found[1]) and not _MORE.search(found[2])
    ]
    return [one for one in dict.fromkeys([*parts, *plain]) if one and one != text]


def written(text: str) -> Any:
    """Return the target that a short text is: a number, an amount, a percentage, yes or no, text.

    Source of the rule: the whole text has that form, in the notation of English.
    """
    number = _NUMBER.fullmatch(text)
    if number is not None:
        sign, digits, percent = number.groups()
        value = digits.replace(",", "")
        if percent:
            return {"percent": value}
        if sign:
            return {"money": value, "currency": _CURRENCIES[sign]}
        return {"number": value}
    if text.lower() in _BOOLS:
        return {"bool": _BOOLS[text.lower()]}
    return _scaled(text) or ({"text": text} if text else None)


def _scaled(text: str) -> dict[str, str] | None:
    """Return the amount or number of `£50m` or `1.2 million`; None: it is no such text."""
    found = _SCALED.fullmatch(text)
    if found is None:
        return None
    sign, digits, scale = found[1], found[2].replace(",", ""), found[3].lower()
    power = _SCALES.get(scale) or (_SIGNS[scale] if sign else None)
    if power is None:
        return None
    value = format(Decimal(digits).scaleb(power).normalize(), "f")
    return {"money": value, "currency": _CURRENCIES[sign]} if sign else {"number": value}


def _any_of(texts: list[str]) -> Any:
    """Return a target for several texts of which each is right."""
    known = list(dict.fromkeys(text for text in texts if text))
    if not known:
        return None
    if len(known) == 1:
        return written(known[0])
    return {"text": known[0], "any_of": known[1:]}


def _options(value: Any) -> dict[str, str]:
    """Return letter → text of the options of a choice."""
    if isinstance(value, dict) and isinstance(value.get("text"), list):
        labels = value.get("label")
        texts = [as_text(one) for one in value["text"]]
        names = [as_text(one) for one in labels] if isinstance(labels, list) else list(_LETTERS)
        return dict(zip(names, texts, strict=False))
    if isinstance(value, dict):
        return {str(name): as_text(text) for name, text in value.items()}
    if isinstance(value, list):
        return dict(zip(_LETTERS, map(as_text, value), strict=False))
    return {}


def _chosen(value: Any, options: dict[str, str]) -> str | None:
    """Return the letter of the right option: given as a letter, a position from 0, or its text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return list(options)[value] if 0 <= value < len(options) else None
    text = as_text(value).strip()
    if text in options:
        return text
    by_text = [letter for letter, option in options.items() if option.strip() == text]
    return by_text[0] if len(by_text) == 1 else None
