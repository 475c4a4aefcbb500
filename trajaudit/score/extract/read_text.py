"""The words that a reply gives as its answer.

Compared as tokens: case, accents, outer quotes, punctuation and articles are form; a part of a
longer name is another name. Identifiers (`literal`) are compared character by character.
"""

import re
from collections.abc import Sequence
from itertools import islice

from trajaudit.score.extract.found import Candidate, Found, State
from trajaudit.score.extract.items import Items
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.name import (
    Asked,
    Standing,
    may_be_a_surname,
    names_one_person,
    standing,
)
from trajaudit.score.extract.sentence import Sentence, after_turn, commits_to_nothing, sentences
from trajaudit.score.extract.settle import is_denied
from trajaudit.score.extract.spelling import are_near, is_in_number, may_stand, places, tokens

_OUTER = " \t\r\n*_`\"'.,;:!()[]{}$<>~"
_QUALIFIER = re.compile(
    r"^\s*(?:[,;(\u2013\u2014/.\n]|-\s|\b(?:because|since|as|which|who|where|is|was|in|by|and its"
    r"|for)\b|[\"'*_`]+\s*[,(.]|$)"
)
_OR_AFTER = re.compile(
    r"(?i)^[\s*_`\"')]*(?:,\s*)?(?:or|oder|ou|或|and possibly|or maybe)\s+(?!so\b|more\b)"
)
_HEDGE = re.compile(r"(?i)^(?:maybe|perhaps|probably|possibly|surely|likely)[\s,]+")
_MENDED = re.compile(
    r"(?i)[;,.\u2026\u2014-]\s*(?:no,? )?(?:wait|sorry|oops|scratch that|correction|i mean|i meant)"
    r"[,:;\s]+(.{1,80})$"
)
_BUT = re.compile(
    r"(?i)^[\s*_`\"',;]*(?:but(?: rather)?|sondern|mais|sino|而?是|it(?:'s| is)) ?"
    r"([^.;,!?\n]{1,80})"
)
_NOT_THIS = re.compile(
    r"(?i)[\s,;(-]+(?:(?:and|but) )?(?:not|rather than|instead of|而?不是)[\s*_`\"']*$"
)
_SAYS = re.compile(
    r"(?i)^.{0,60}?\b(?:(?:answer|it|this|that|name|city|code|one)\b.{0,30}?\b(?:is|was|be)|it's)\s+"
)
_DENIES = re.compile(r"(?i)\b(?:not|no|nor|never|neither|isn't|wasn't|but|rather|instead)\b|n't\b")
_MOST = 50
"""Places of a name that are looked at."""
_ENDS_WITHIN = re.compile(r"[.!?;]\s+\w")
_OR_BEFORE = re.compile(r"(?i)\b(?:or|oder|either|whether)\s+[\"'*_]*$|或$")


class TextReader:
    """Reads words for one target with one or more right spellings."""

    def __init__(self, spellings: Sequence[str], *, literal: bool, question: str = "") -> None:
        self._spellings = tuple(spellings)
        self._literal = literal
        self._tokens = [tokens(one) for one in self._spellings]
        self._asked = Asked(question)
        several = [] if literal else [Items.of(one, question) for one in self._spellings]
        self._several = [one for one in several if one is not None]
        self._told = [self._asked.untold(one) for one in self._tokens]
        """Words of each spelling that the question does not say."""

    def marked(self, segment: str) -> Found | None:
        text = segment if self._literal else readable(segment)
        text = text.strip()
        words = _stripped(text)
        if not words:
            return None
        whole = self._whole(words)
        if whole:
            return whole._replace(quote=text[:300])
        for found in self._named(text, self._listed(text)):
            if not text[: found.start].strip(_OUTER + "—–-") and _QUALIFIER.match(
                text[found.end :]
            ):
                return self._found(text, found)
        head = _stripped(re.split(r"\n|(?<=\w\w)[.;](?:\s|$)", text)[0])
        return Found(head, head, quote=text[:300])

    def prose(self, text: str) -> Found | None:
        words = _stripped(text)
        whole = self._whole(words)
        if whole:
            return whole._replace(quote=text.strip()[:300])
        listed = self._listed(text)
        parts = self._with_whole_names(text, list(sentences(text)), listed)
        lines = text.strip().split("\n")
        if (
            len(parts) == 1
            and not parts[0].is_question
            and len(words.split()) <= 3
            and len(lines) == 1
            and not commits_to_nothing(text)
        ):
            words = _HEDGE.sub("", words)
            return self._first(text, listed) or Found(words, words, quote=words[:300])
        return self._claimed([part.text for part in parts if not part.is_question], listed)

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        written = str(value)
        if self._literal:
            right = written in self._spellings
            return right, (), f"{written!r} {'is' if right else 'is not'} the wanted identifier"
        right = tokens(written) in self._tokens
        doubt = None if right else self._doubt(written)
        if doubt is not None:
            return None, (), doubt
        exact = written in self._spellings
        return (
            right,
            (() if exact or not right else ("text_form",)),
            f"{plain!r} {'is' if right else 'is not'} the wanted text",
        )

    def _doubt(self, claim: str) -> str | None:
        """Return why rules cannot tell that a claim is wrong, where they cannot."""
        surname = self._surname(claim)
        if surname is not None:
            return f"{surname!r} may be the surname; rules cannot tell whose"
        if self._holds_words(claim):
            return "all words of the wanted text, put otherwise; rules cannot tell what they say"
        return None

    def _holds_words(self, text: str) -> bool:
        """Whether a claim has, between others, all words of a spelling that the question does not
        say, and denies nothing: three at least, or two beside each other. Together they would be a
        longer name, alone another order.
        """
        if self._literal or self._several or _DENIES.search(text):
            return False
        said = self._asked.untold(tokens(text))
        held = [one for one in self._told if len(one) > 1 and one < said]
        near = (one for one in held if len(one) > 2 or are_near(one, text))
        return any(near) and not self._mentions(text, whole=False)

    def _surname(self, text: str) -> str | None:
        """Return the right spelling that may be the surname of the person who is named."""
        if not names_one_person(text, self._asked):
            return None
        for one in self._mentions(text, whole=False)[:_MOST]:
            if may_be_a_surname(text, one.start, one.end, self._asked):
                return None if is_denied(text, one) else one.plain
        return None

    def _whole(self, words: str) -> Found | None:
        """Return the spelling that the words are, with the tolerances that it needs."""
        if self._literal:
            return Found(words, words) if words in self._spellings else None
        said = tokens(words)
        if said and said in self._tokens:
            found = self._spellings[self._tokens.index(said)]
            return Found(found, found, notes=_notes(words, found))
        return None

    def _listed(self, text: str) -> str | None:
        """Return the words that name the wanted things, in whatever order."""
        found = (one.found(text, self._asked) for one in self._several)
        listed = next((one for one in found if one is not None), None)
        return None if listed is None else text[listed.start : listed.end]

    def _named(self, text: str, listed: str | None) -> list[Candidate]:
        """Return where a right spelling stands, or the list of the wanted things."""
        found = self._mentions(text)
        start = -1 if listed is None else text.find(listed)
        if listed is None or start < 0 or found:
            return found
        wanted = self._several[0].text
        return [Candidate(wanted, start, start + len(listed), wanted, notes=("any_order",))]

    def _first(self, text: str, listed: str | None) -> Found | None:
        for found in self._named(text, listed):
            return self._found(text, found)
        return None

    def _found(self, text: str, one: Candidate) -> Found | None:
        if is_denied(text, one):
            other = _instead(text, one)
            if other:
                return Found(other, other, quote=text.strip()[:300])
            return Found(None, None, State.DENIED, text[:300])
        if _OR_AFTER.match(text[one.end :]) or _OR_BEFORE.search(text[: one.start]):
            return Found(None, None, State.AMBIGUOUS, text[:300])
        return Found(one.value, one.plain, quote=text.strip()[:300], notes=one.notes)

    def _with_whole_names(
        self, text: str, parts: list[Sentence], listed: str | None
    ) -> list[Sentence]:
        """Put sentences together again where a right spelling, or the list of the wanted things,
        holds what ends one: `Oh! What a Lovely War`.
        """
        spans = [] if listed is None else [(text.index(listed), text.index(listed) + len(listed))]
        for spelling in filter(_ENDS_WITHIN.search, self._spellings if len(parts) > 1 else ()):
            found = places(spelling, text, literal=self._literal)
            spans += [one.span() for one in islice(found, _MOST)]
        for start, end in spans:
            over = [at for at, one in enumerate(parts) if one.start < end and start < one.end]
            if over and parts[over[-1] + 1 :] and parts[over[-1] + 1].text.lstrip()[:1].islower():
                over.append(over[-1] + 1)
            if len(over) > 1:
                first, last = parts[over[0]], parts[over[-1]]
                whole = Sentence(text[first.start : last.end], first.start, last.end)
                parts[over[0] : over[-1] + 1] = [whole]
        return parts

    def _claimed(self, parts: list[str], listed: str | None) -> Found | None:
        """The first sentence that claims something, or a later one that names the right words."""
        said: Found | None = None
        for part, following in zip(parts, (*parts[1:], ""), strict=False):
            claim = after_turn(readable(part)) if not self._literal else part
            if commits_to_nothing(claim):
                continue
            claim = _asked_part(claim)
            # A list counts in the first claim: later ones name things in passing.
            first = said is None or not any(map(str.isalpha, said.plain or ""))
            for one in self._named(claim, listed if first else None):
                mended = _MENDED.search(f"{claim} {following.strip()}", one.end)
                if mended and not self._mentions(mended[1]):
                    words = _stripped(mended[1])
                    return Found(words, words, quote=claim.strip()[:300])
                found = self._found(claim, one)
                if found is not None:
                    return found
            words = _stripped(claim)
            said = said or Found(words[:200], words[:200], quote=claim.strip()[:300])
        return said

    def _mentions(self, text: str, *, whole: bool = True) -> list[Candidate]:
        """Places where a right spelling stands, as a name of its own or anyhow."""
        found: list[Candidate] = []
        lower = text.lower() if text.isascii() else None
        for spelling in self._spellings:
            if lower is not None and not may_stand(spelling, lower):
                continue
            plural = self._asked.for_several
            for match in places(spelling, text, literal=self._literal, plural=plural):
                start, end = match.span()
                stands: Standing = "alone"
                if not self._literal and whole:
                    stands = standing(text, start, end, self._asked)
                if not self._literal and is_in_number(text, start, end):
                    stands = "part"
                if stands != "part":
                    notes = (
                        ("name_form",) if stands == "told" else _notes(text[start:end], spelling)
                    )
                    found.append(Candidate(spelling, start, end, spelling, notes=notes))
        return sorted(found, key=lambda one: one.start)


_ASKED = re.compile(
    r"(?i)\b(?:but|however|though)\b,?\s+"
    r"(?:(?:the|this|your|our) (?:actual |real )?(?:question|task)"
    r"|(?:you|we|they) (?:asked|were asked|want\w*)"
    r"|(?:the )?(?:correct |right |real |actual |true )*(?:answer|one))\b"
)


def _asked_part(claim: str) -> str:
    """Of `that is in Paris, but the question is about Germany: Berlin` only what is asked for."""
    turn = None
    for match in _ASKED.finditer(claim):
        turn = match
    if turn is None:
        return claim
    words, _, after = claim[turn.end() :].partition(":")
    return after if after.strip() else words


def _notes(written: str, spelling: str) -> tuple[str, ...]:
    """Name the tolerance under which words are the wanted ones, where they are spelt otherwise."""
    return () if written == spelling else ("text_form",)


def _instead(text: str, denied: Candidate) -> str:
    """What is said in place of a denied value: `Lyon, not Paris`, `not Paris but Lyon`."""
    after = _BUT.match(text[denied.end :])
    if after:
        return _stripped(after[1])
    before = _NOT_THIS.search(text[: denied.start])
    if before is None:
        return ""
    words = _stripped(_SAYS.sub("", text[: before.start()].rpartition("\n")[2]))
    return words if len(words.split()) <= 8 else ""


def _stripped(text: str) -> str:
    previous = None
    words = text
    while words != previous:
        previous, words = words, words.strip(_OUTER)
    return words
