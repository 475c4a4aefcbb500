"""Where do sentences end, and what does a sentence do: conclude, explain, ask, quote, refuse?"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from trajaudit.score.extract.caseless import Caseless

_END = re.compile(
    r"(?<=[^.\s][.!?])(?=\s|[\"')*_]+\s|[\"')*_]+$)|(?<=[!?])(?=[\"')*]*\s)|(?<=\w;)(?=\s)|\n+"
    r"|(?<=[\u3400-\u9fff][.!?;])|(?<=[\d%)][.!?;])(?=[\u3400-\u9fff])"
)
_LONGEST = 1000
"""Longer sentences are cut, in characters: reading one takes quadratic time."""
_ABBREVIATION = Caseless(
    r"(?:\b(?:e\.g|i\.e|mr|mrs|ms|dr|st|jr|sr|vs|etc|approx|ca|bzw|z\.b|d\.h|no|nr|fig|eq|prof"
    r"|gen|col|lt|capt|rev|hon|[a-z]|[a-z]\.[a-z]))\.$"
)
_DAY_MONTH = re.compile(
    r".{0,2}\b\d{1,2}\.[ ](?:Jan|Feb|M[\u00e4a]r|Apr|Ma[ij]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[zc])"
)
CONCLUSION = Caseless(
    r"(?:^|[\s*_,:(])(?:so|therefore|thus|hence|finally|in (?:total|all|conclusion|summary"
    r"|short)|overall|altogether"
    r"|consequently|accordingly|in the end|as a result|to conclude|conclusion|this means"
    r"|it follows|ultimately"
    r"|answer|result|solution|final|also ist|daher|somit|insgesamt|also|donc|ainsi|au total"
    r"|por lo tanto|en total)\b"
    r"|[∴⇒]|所以|因此|故|综上|总共|一共|答案|最终|结果|总之"
)
EXPLANATION = Caseless(
    r"^[\s*_#>-]*(?:\((?![A-Za-z0-9]{1,2}\))|because\b(?![^.]*,)|(?:this|that|it"
    r"|which) (?:is because|follows from|comes from|results from|is due)|note\b|explanation"
    r"|reason(?:ing)?\b|for example"
    r"|e\.g\.|here(?:'s| is) (?:why|how)|check|verif|let me know|let's verify|to verify"
    r"|we can (?:check|verify)|proof"
    r"|recall|remember|feel free|if you (?:have|need|want|would|like)|i hope|hope this"
    r"|double-check|as a check|by the way"
    r"|confidence|sources?:|see also|weil\b(?![^.]*,)|denn\b|解释|因为|注意|验证|检查|理由|说明)"
)
QUESTION = re.compile(r"\?[\"')*_\s]*$")
REFUSAL = Caseless(
    r"\b(?:(?:i|we|one|you)(?:'m| am| are)? ?(?:really |simply |just |currently "
    r"|unfortunately |therefore |still )?"
    r"(?:cannot|can't|can not|could not|couldn't|won't|will not|do not|don't|did not|didn't"
    r"|not able to|unable to|not sure|not certain|unsure)\b"
    r"(?: (?:really|honestly|actually|currently|reliably))? ?(?:know|help|determine|answer"
    r"|provide|find|tell|say|assist|decide|compute|calculate|solve|be (?:sure|certain)|comply"
    r"|do (?:that|this)|give|access|figure|what|how|whether|if|which|enough|have (?:enough"
    r"|sufficient|access|the|any)|\.|,|$)"
    r"|unable to (?:determine|answer|decide|provide|help|compute|find|say|tell|give|comply|assist)"
    r"|(?:cannot|can't|can not|could not|couldn't|impossible to) (?:be )?(?:determine|decide"
    r"|answer|know|tell|say|establish|calculate|compute|work(?:ed)? out|find|identif|infer"
    r"|conclude)\w*"
    r"|not enough (?:information|data|context)|insufficient (?:information|data)|no idea"
    r"|(?:division|divided?|dividing) by zero"
    r"|no answer|i(?:'m| am) sorry, (?:but )?i"
    r"|^\W*(?:not sure|unsure|no clue|not certain|dunno|idk|n/a|beats me|hard to say)\W*$"
    r"|as an ai\b|weiss (?:es )?nicht|weiß (?:es )?nicht|keine ahnung|je ne sais pas|no lo s[eé])"
    r"|无法|不知道|不清楚|不能回答|抱歉"
)
ATTRIBUTED = Caseless(
    r"\b(?:(?:i|we) (?:(?:had )?(?:first|initially|originally|previously|at first) (?:thought"
    r"|said|guessed|assumed|believed|had|got|wrote|answered|computed|found)|(?:thought|guessed"
    r"|assumed|believed)\b)|(?:one|you|some|someone|people|many|others|they|students?) (?:people "
    r"|students? )?(?:might|may|could|would|will|often|sometimes|first|initially|originally"
    r"|previously)? ?"
    r"(?:be tempted to|think|thought|say|said|guess(?:ed)?|assume[ds]?|believe[ds]?|expect(?:ed)?"
    r"|claim(?:s|ed)?|suggest(?:s|ed)?|answer(?:s|ed)?|computed|had|got|wrote)(?: that)? (?:it"
    r"|this|that|the|\W*$)"
    r"|(?:many|most|some|other|several) (?:people |students |sources |critics |authors )?"
    r"(?:would )?(?:say|think|thought|believed?|claim(?:ed)?|answer(?:ed)?|guess|assume|said)\b"
    r"|it (?:is|may be|might be|would be) tempting|tempted|common(?:ly)? (?:mistake|error|wrong"
    r"|misconception)|typical mistake|at first (?:glance|sight)?|naive(?:ly)?|na\u00efve(?:ly)?"
    r"|(?:previous|earlier|initial|original|old|wrong|incorrect|example|sample|draft|tentative"
    r"|student'?s?|user'?s?|their|his|her|your|model'?s?|assistant'?s?|expected"
    r"|reference) (?:final )?(?:answer|result|value|guess|estimate|attempt|solution|output|reply"
    r"|response|claim)"
    r"|for example|e\.g\.|(?:as )?in the example|the example|example(?=:)"
    r"|(?:in|of|as) the (?:format|template|form)"
    r"|the (?:instructions?|question|prompt|task|problem|user|document|page|tool|website)"
    r" (?:says|said|asks|asked|states|stated|claims|claimed|shows|showed|gives|gave"
    r"|suggests|contains|reads)"
    r"|(?:was|were) (?:asked|told)|suppose|imagine|hypothetically|what if)\b|例如|比如|示例|假设"
)
_HYPOTHETICAL = Caseless(
    r"^[\s*_]*(?:(?:but |and )?if|suppose|assuming|had|were|unless|whether)\b|如果|假如"
)
_DOUBT = Caseless(
    r"\b(?:i|we)(?: (?:highly|seriously|really|very much|strongly))? doubt\b"
    r"|\b(?:doubtful|unlikely) (?:that|to be)\b"
)
CORRECTION = Caseless(
    r"(?:^|(?<=[\s.!?,;:(\-–—*_…]))(?:(?:oh|ah|hmm+|no|but|so|and|well)[, ]+)?(?:wait|oops"
    r"|whoops|correction|scratch that|hold on|on second thoughts?|my mistake|my bad|apologies"
    r"|i misread|i miscounted"
    r"|i (?:made|was making) an? (?:mistake|error|slip)|i was wrong|i (?:take|withdraw"
    r"|retract)(?: that| it| this| my)|strike that|let me (?:correct|fix|redo|recompute"
    r"|recalculate|recheck|re-check|reconsider)|sorry|actually|rather|no(?=,(?! not))|in fact"
    r"|ignore (?:that|the above|my)|disregard|that(?:'s| is| was|'s not| is not| isn't) (?:wrong"
    r"|incorrect|not right|right|a mistake|not correct)"
    r"|i (?:then |later )?(?:changed|switched) (?:it |that |my (?:answer|mind) )?to"
    r"|i mean|make that|or rather|better|revised|updated?|moment mal|korrektur|nein(?=,)|doch nicht"
    r"|pardon|perd[oó]n)\b"
    r"|更正|等等|等一下|不对|纠正|修正|其实|重新(?:计算|算)|我错了|抱歉|应该是|应为|改为"
)
WITHDRAWAL = Caseless(
    r"\b(?:(?:that|this|it|the (?:above|answer|result)|which)(?:'s| is| was) (?:wrong"
    r"|incorrect|not right|a mistake|not correct|an error)"
    r"|(?:that|this) (?:isn't|wasn't|can't be|cannot be|can not be) (?:right|correct)|i (?:take"
    r"|withdraw|retract) (?:that|it|this|my)|scratch that|strike that|ignore (?:that|the above"
    r"|my)|disregard"
    r"|i (?:made|was making) an? (?:mistake|error|slip)|i was wrong|i misread|not sure (?:anymore"
    r"|any more)|i(?:'m| am) no longer sure)\b|不对|我错了|作废|撤回"
)
CONFIRMATION = Caseless(
    r"\b(?:yes|correct|indeed|confirmed|confirms|checks out|matches|as expected|right"
    r"|consistent|stands|same|ok(?:ay)?|good|still)\b|正确|没错|一致|✓|✔|✅"
)


class Sentence(NamedTuple):
    """A sentence and where it stands."""

    text: str
    start: int
    end: int

    @property
    def is_question(self) -> bool:
        asks = QUESTION.search(self.text[-20:])
        return asks is not None and not _ends_in_title(self.text)

    @property
    def concludes(self) -> bool:
        return bool(CONCLUSION.search(self.text[:400]))

    @property
    def explains(self) -> bool:
        return bool(EXPLANATION.search(self.text[:200]))


_TITLE_AT_END = re.compile(r"\w[^\"?!.\n]*\"([^\"\n]{2,80})\?\"?\W*$")
_ASKS = re.compile(
    r"(?i)\W*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could"
    r"|will|would|should|shall|may|has|have|had)\b"
    r"|.*\b(?:perhaps|maybe|you mean|could it be|might it be)\b"
)


def _ends_in_title(sentence: str) -> bool:
    """Whether the question mark belongs to the name of a work: `he sang "Can We Fix It?"`."""
    if '"' not in sentence or _ASKS.match(sentence):
        return False
    title = _TITLE_AT_END.search(sentence[-_LONGEST:])
    if title is None:
        return False
    words = re.findall(r"[^\W\d_]+", title[1])
    return (
        len(words) > 1
        and all(word[0].isupper() or len(word) < 5 for word in words)
        and (sum(word[0].isupper() for word in words) > 1)
    )


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of `text`; line ends end sentences, decimal points and abbreviations do not."""
    start = 0
    for match in _END.finditer(text):
        if "\n" not in match[0] and _ABBREVIATION.search(
            text[max(start, match.start() - 8) : match.start()]
        ):
            continue
        if _DAY_MONTH.match(text, max(start, match.start() - 3)):
            continue
        yield from _pieces(text, start, match.start())
        start = match.end()
    yield from _pieces(text, start, len(text))


def _pieces(text: str, start: int, end: int) -> Iterator[Sentence]:
    """A sentence, or bounded pieces of what nobody would read as one."""
    while end - start > _LONGEST:
        blank = text.rfind(" ", start + 1, start + _LONGEST)
        cut = blank if blank > start else start + _LONGEST
        yield Sentence(text[start:cut], start, cut)
        start = cut
    if text[start:end].strip():
        yield Sentence(text[start:end], start, end)


_TURN = Caseless(r"\b(?:but|however|yet|though|sondern|aber|mais|pero)\b|但是?|而是|然而")


def after_turn(sentence: str) -> str:
    """What a sentence says after `but`, where what stands before is denied or someone else's."""
    turn = _TURN.search(sentence)
    if turn is None:
        return sentence
    before = sentence[: turn.start()]
    if REFUSAL.search(before) or ATTRIBUTED.search(before):
        return sentence[turn.end() :]
    return sentence


def commits_to_nothing(sentence: str) -> bool:
    """Whether the words refuse, quote, attribute or suppose instead of claiming."""
    return bool(
        REFUSAL.search(sentence)
        or ATTRIBUTED.search(sentence)
        or _DOUBT.search(sentence)
        or ("," not in sentence and _HYPOTHETICAL.match(sentence))
    )
