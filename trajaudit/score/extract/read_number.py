"""The number, amount of money or percentage that a reply commits to."""

import re
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from trajaudit.score.extract.asked import asked_nouns, asked_unit, is_before
from trajaudit.score.extract.caseless import Caseless
from trajaudit.score.extract.composed import joined
from trajaudit.score.extract.found import Candidate, Context, Found
from trajaudit.score.extract.labelled import asked_line
from trajaudit.score.extract.language import language_of
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.number import Quantity, quantities
from trajaudit.score.extract.number_form import asks_rank, rewritten
from trajaudit.score.extract.numeral import Convention
from trajaudit.score.extract.prose import read_prose
from trajaudit.score.extract.sentence import sentences
from trajaudit.score.extract.settle import settle
from trajaudit.score.extract.unit import Unit, convert, find_unit
from trajaudit.score.screen import lowered, may_hold


class Amount(NamedTuple):
    """A number with its percent sign and unit, as it was written."""

    value: Fraction | None
    percent: bool = False
    unit: Unit | None = None


class Wanted(NamedTuple):
    """What the target asks for."""

    value: Fraction
    unit: str | None = None
    percent: bool = False
    """The value counts percents."""
    tolerance: Fraction | None = None


_ASKS_PERCENT = re.compile(r"(?i)%|\bper ?cent|percentage|\bprozent|pourcentage|porcentaje|百分")
_PARTS_OF_PERCENT = (
    *("%", "per cent", "percent", "prozent", "pourcentage", "porcentaje", "\u767e\u5206"),
)
_ASKS_SHARE = re.compile(
    r"(?i)\b(?:decimal|fraction|as a (?:share|ratio|number)|between 0 and 1|probability)\b"
    r"|小数|分数"
)
_PLACE = Caseless(
    r"\b(page|chapter|section|figure|appendix|equation|exercise|footnote)s?\s+(?:no\.?\s*)?\(?$"
)


_IN_NOUNS = re.compile(r"[\w'-]")
_SEPARATED = re.compile(r"\d[.,]\d")


class NumberReader:
    """Reads numbers for one target."""

    def __init__(self, wanted: Wanted, context: Context) -> None:
        self.wanted = wanted
        self._question = context.question
        self._locale = context.locale
        self._asks_percent = wanted.percent or (
            may_hold(lowered(context.question), _PARTS_OF_PERCENT)
            and bool(_ASKS_PERCENT.search(context.question))
        )

    # What the question says is worked out where a reply needs it: a long one costs more than most
    # replies.

    @cached_property
    def _echoes(self) -> set[Fraction | None]:
        """Values that stand in the question."""
        asked = quantities(readable(self._question), Convention.of(self._locale))
        return {one.value for one in asked}

    @cached_property
    def _unit(self) -> Unit | None:
        return asked_unit(self.wanted.unit, self._question)

    @cached_property
    def _words(self) -> str | None:
        """The language in which number words are written."""
        return (self._locale or "").lower()[:2] or language_of(self._question)

    @cached_property
    def _nouns(self) -> tuple[str, ...]:
        return asked_nouns(self._question)

    @cached_property
    def _asks_rank(self) -> bool:
        return asks_rank(self._question)

    def candidates(self, sentence: str) -> list[Candidate]:
        """Every quantity of a sentence in plain characters."""
        locale = self._locale or self._language(sentence)
        found = quantities(sentence, Convention.of(locale))
        found = joined(sentence, found)
        found = [one for one in found if not self._is_reference(sentence, one)]
        return [self._candidate(sentence, one, alone=len(found) == 1) for one in found]

    def _is_reference(self, sentence: str, one: Quantity) -> bool:
        """`page 12` names a place, unless the question asks for one."""
        noun = _PLACE.search(sentence[max(0, one.start - 30) : one.start])
        return noun is not None and noun[1].lower() not in self._question.lower()

    def _prepared(self, text: str) -> str:
        """Plain characters, with every form of a number that figures do not show in figures."""
        if "overline" in text:
            text = rewritten(text, question="", language=lambda: None)
        return rewritten(readable(text), question=self._question, language=lambda: self._words)

    def _language(self, sentence: str) -> str | None:
        """Only figures with a dot or comma inside depend on the language."""
        if ("." not in sentence and "," not in sentence) or _SEPARATED.search(sentence) is None:
            return None
        return language_of(f"{self._question} {sentence}")

    def marked(self, segment: str) -> Found | None:
        text = self._prepared(segment)
        for sentence in sentences(text):
            found = settle(sentence.text, self.candidates(sentence.text), head=True)
            if found is not None:
                return found
            if len(sentence.text.split()) > 6:
                break
        return None

    def prose(self, text: str) -> Found | None:
        asked = asked_line(text, self._question)
        found = self.marked(asked) if asked else None
        return found or read_prose(text, self.candidates, prepare=self._prepared)

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        if not isinstance(value, Amount) or value.value is None:
            return False, (), f"{plain} is no value that can be compared"
        right, notes = self._compare(value)
        if right:
            return True, notes, f"{plain} is the wanted value"
        if right is None:
            return None, (), f"{plain} fits {self.wanted.value} only if one of them counts percents"
        return False, (), f"{plain} is not {_plain_number(self.wanted.value)}{_suffix(self.wanted)}"

    def _candidate(self, sentence: str, one: Quantity, *, alone: bool) -> Candidate:
        weight = self._bonus(sentence, one)
        if one.rank:
            weight += 1 if self._asks_rank else -3
        if one.word and one.value == 1 and not alone:
            weight -= 5
        if not alone and one.value in self._echoes:
            weight -= 1
        notes = (("number_words",) if one.word else ()) + (("grouping",) if one.grouped else ())
        amount = Amount(one.value, one.percent, one.unit)
        return Candidate(amount, one.start, one.end, plain_amount(amount), weight, notes)

    def _bonus(self, sentence: str, one: Quantity) -> int:
        """What the question asks for speaks for a value: its unit, a percent sign, its noun."""
        weight = 0
        if one.percent:
            weight += 2 if self._asks_percent else 0
        elif self._asks_percent and one.unit:
            weight -= 2
        if one.unit and self._unit:
            weight += 2 if one.unit.dimension == self._unit.dimension else -1
        after = sentence[one.end : one.end + 40].lower()
        if _IN_NOUNS.search(after) and is_before(after, self._nouns):
            weight += 2
        return weight

    def _compare(self, amount: Amount) -> tuple[bool | None, tuple[str, ...]]:
        value = amount.value
        if value is None:
            return False, ()
        if amount.percent:
            return self._compare_percent(value)
        if amount.unit is None or self._unit is None:
            return self._close(value), ()
        unit = find_unit("GBP") if self._is_sterling(amount.unit) else amount.unit
        converted = convert(value, unit or amount.unit, self._unit)
        if converted is None:
            stated = self.wanted.unit is not None or amount.unit.dimension == "currency"
            return (
                False if stated and _conflicts(amount.unit, self._unit) else self._close(value)
            ), ()
        notes = ("unit_conversion",) if converted != value else ("unit",)
        return self._close(converted), notes

    def _is_sterling(self, unit: Unit) -> bool:
        """`15 pounds` are money where money is asked for."""
        return unit.name == "lb" and self._unit is not None and self._unit.name == "GBP"

    def _compare_percent(self, value: Fraction) -> tuple[bool | None, tuple[str, ...]]:
        """35% is 35 where percents are asked for, and 0.35 where a share is."""
        as_count, as_share = self._close(value), self._close(value / 100)
        asks_share = bool(_ASKS_SHARE.search(self._question)) and not self.wanted.percent
        if self.wanted.percent or (self._asks_percent and not asks_share):
            if as_count:
                return True, ("percent_sign",)
            return (None if as_share and not self.wanted.percent else False), ()
        if as_share:
            return True, ("percent_as_share",)
        bare = abs(self.wanted.value) >= 1 and not asks_share
        return as_count and bare, ("percent_sign",)

    def _close(self, value: Fraction) -> bool:
        if self.wanted.tolerance is not None:
            return abs(value - self.wanted.value) <= self.wanted.tolerance
        return value == self.wanted.value


def _conflicts(unit: Unit, wanted: Unit) -> bool:
    return unit.dimension != "angle" or wanted.dimension != "temperature"


def plain_amount(amount: Amount) -> str:
    """`35%`, `46 EUR`, `1500 m`, `7/4`."""
    if amount.value is None:
        return "?"
    text = _plain_number(amount.value)
    if amount.percent:
        return f"{text}%"
    return f"{text} {amount.unit.name}" if amount.unit else text


def _plain_number(value: Fraction) -> str:
    """Digits where they end, else a fraction."""
    if value.denominator == 1:
        return str(value.numerator)
    bare = value.denominator
    for prime in (2, 5):
        while bare % prime == 0:
            bare //= prime
    if bare != 1:
        return str(value)
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _suffix(wanted: Wanted) -> str:
    return "%" if wanted.percent else f" {wanted.unit}" if wanted.unit else ""
