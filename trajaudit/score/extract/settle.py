"""Which of the values that a sentence names does it commit to?

Denied and withdrawn values are out, operands give way to results, side remarks to main clauses;
what is left undecided between two values is ambiguous, never a guess.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from trajaudit.score.extract.beside import RESULT_FIRST, is_compared, is_term, without_start
from trajaudit.score.extract.caseless import Caseless
from trajaudit.score.extract.found import Candidate, Found, State
from trajaudit.score.extract.sentence import CORRECTION

_NOT = Caseless(
    r"(?:\b(?:not|nothing|none of|unlikely|isn't|wasn't|aren't|ain't|never|neither|nor|rather than"
    r"|instead of|rules? out|ruled out|ruling out|eliminat\w+"
    r"|exclud\w+|reject\w*|cannot be|can't be|couldn't be|won't be|wouldn't be|doesn't equal"
    r"|no longer|unlike|except(?:ion|ions|ing|ed)?|nichts?|kein\w*|pas|ne sont pas|anything but)"
    r"(?!\w)"
    r"|\u2260|不是|并非|而不是|不等于|不选|排除|不为|非)[\s:,*_\"'`($\[]*"
    r"(?:(?!(?:but|rather)\b)[\w']+[\s*_\"'`($]+){0,2}$"
)
_NOT_BUT = Caseless(
    r"\bnot (?:only|just|merely|until|because|that|sure|necessarily|surprisingly)\b"
)
_WRONG_AFTER = Caseless(
    r"^[\s\"'*_`)\].$]*(?:(?:[a-z]+ ){0,2}(?:is|are|was|would be|seems|looks|can be|has been"
    r"|being) (?:all |both |clearly |obviously |definitely |also |therefore |just |simply )?"
    r"(?:wrong|incorrect|not (?:right|correct|the|it|possible|valid|an?|what)\b|false|impossible"
    r"|ruled out|eliminated|excluded|too (?:high|low|big|small|large|many|few)|invalid|out\b"
    r"|not(?=\s*(?:[.;,!)]|$)))"
    r"|[-:\u2013\u2014]? ?(?:wrong|incorrect|false)\b|[\u2717\u2718\u274c]"
    r"|(?:do|does|did)(?:n't| not)\b"
    r"|(?:isn't|wasn't|can't be|cannot be|won't) |(?:is|was) n[o']t\b|不对|不是|错|被排除|是错)"
)
_JOINED_OR = Caseless(
    r"^[\s*_`\"')$\]]*,?\s*(?:or(?: (?:maybe|perhaps|possibly|even))?|oder|ou|o"
    r"|and/or|/|或者|或"
    r"|还是|but (?:maybe|possibly|perhaps|it could be|could also be)|(?:maybe|perhaps"
    r"|possibly))[\s*_`\"'($\[]*(?:it(?:'s| is) |is )?(?:maybe |perhaps |possibly )?$"
)
_JOINED_AND = re.compile(
    r"(?i)^[\s*_`\"')$\]]*(?:,\s*and|,|and|&|und|et|y|as well as|和|与|及)[\s*_`\"'($\[]*$"
)
_JOINED_RANGE = Caseless(
    r"^[\s*_`\"')$\]]*(?:to|through|until|till|bis|à|[-–—~\uff5e]|至|到"
    r"|(?<=.)and)[\s*_`\"'($\[]*$"
)
_BETWEEN = Caseless(r"\b(?:between|from|zwischen|von|entre|ranges?|ranging)\b[^.;]{0,20}$|在$|从$")
_IS = Caseless(
    r"(?:[=≈:→⇒]|\b(?:is|are|was|were|be|equals?|gives?|gave|gets?|got|makes?|made|totals?"
    r"|yields?|leaves?|left with|comes? to|came to|amounts? to|becomes?|get|have|has"
    r"|leaving|making|giving|totall?ing"
    r"|needs?|takes?|costs?|earns?|spends?|pays?|ist|sind|sera|est|sont|es|son|beträgt|ergibt|by"
    r"|only|exactly|about|approximately|roughly|around|total of|a total of)|是|为|等于|共|得"
    r"|有)[\s*_`\"'($]*$"
)
_SIDE = Caseless(
    r"\b(?:(?:all|half|each|out|some|most|none|rest|remainder|full|whole|entire|first|initial"
    r"|original|starting|other|remaining|%|\d+) of (?:the |all |these |his |her |their )?(?:full "
    r"|total |original |initial |whole )?|^of (?:the |all |these )?(?:full |total |original "
    r"|initial )?"
    r"|(?:out of|per|than|given|with|without|step|example|chapter|question|problem|(?<!, )no\.?"
    r"|number"
    r"|page|line|equation|eq\.|case|part|section|figure|table|for|at|if|when|after|before|until"
    r"|every|each|from|since|because|compared to|versus|vs\.?|against|instead|using|in|on"
    r"|divided by|times|multiplied by|plus|minus|option|item|day|year|version|grade"
    r"|level)[\s*_`\"'($]*)$"
    r"|每|从|比|第$"
)
_OPERATOR_AFTER = re.compile(
    r"^[\s)\]]*(?:[-+*/×÷·^–x](?=\s*[\s($\d])|(?:plus|times|minus|divided by|multiplied by"
    r"|乘以|加|减|除以)\b)\s*[$(]?\s*[\dA-Za-z(]|^[^=\w]{0,3}\s?[A-Za-z ]{0,25}[=×÷]"
)
_OPERATOR_BEFORE = re.compile(r"(?:[\d)%][A-Za-z ]{0,20}[-+*/×÷·–x]|×|÷)\s*[$(]?\s*$")
_ELIMINATED = Caseless(
    r"\b(?:eliminat\w+|exclud\w+|reject\w*|rul(?:e|es|ed|ing) out|neither)\b[^.;:]{0,80}$|排除"
)
_CAUSE = Caseless(r"\b(?:because|since|as there (?:are|is)|given that|due to|weil|da)\b|因为|由于")
_CONDITION = Caseless(r"\b(?:if|when|while|although|though|after|before)\b[^,]*$")
_SO_BEFORE = Caseless(r"[,;] (?:and )?so (?:only |exactly )?$")
_EQUALS_BEFORE = re.compile(r"=\s*[$€£]?\s*$")
_BOLD_END = re.compile(r"[^*\n_`]{0,30}(?:\*\*|__|`)")
_CLAUSE_AFTER_CAUSE = re.compile(r"[,;\uff0c](?=.*\w)")
_CLAUSE_END = re.compile(r"[;.!?\u3002\n]|,\s(?=(?:it|they|the|so|but)\b)")
_EITHER = Caseless(
    r"\b(?:or (?:maybe|perhaps|possibly)|,? maybe|(?:could|might|may) (?:also )?be|or)\b"
)
_GOES_ON = re.compile(r"[=]|\bso\b")


_MOST = 24
"""So many values of one sentence are weighed."""


def settle(
    sentence: str, candidates: Sequence[Candidate], *, head: bool, exclusive: bool = False
) -> Found | None:
    """The value that `sentence` commits to; None where it names none.

    `head`: the words were announced as the answer, so the first of equals counts, else the last.
    `exclusive`: equals that differ are ambiguous instead (choices).
    """
    if not candidates:
        return None
    candidates = candidates[:_MOST] if head else candidates[-_MOST:]
    live = without_start(sentence, undenied(sentence, candidates))
    if not live:
        return Found(None, None, State.DENIED, sentence.strip()[:300])
    live = _after_correction(sentence, live)
    weighed = [(one.weight + _weight(sentence, one, live), one) for one in live]
    best = max(weight for weight, _ in weighed)
    top = [one for weight, one in weighed if weight == best]
    chosen = top[0] if head else top[-1]
    if _is_hedged(sentence, chosen, live) or (exclusive and len({one.value for one in top}) > 1):
        return Found(None, None, State.AMBIGUOUS, sentence.strip()[:300])
    return Found(
        chosen.value, chosen.plain, quote=sentence.strip()[:300], notes=chosen.notes, weak=best < 0
    )


def undenied(sentence: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Without denied values; an elimination goes on through a list: `not A, B or C` does not."""
    live: list[Candidate] = []
    last: Candidate | None = None
    for one in candidates:
        between = sentence[last.end : one.start] if last else ""
        listed = last is not None and bool(_JOINED_AND.match(between) or _JOINED_OR.match(between))
        listed = listed and bool(_ELIMINATED.search(sentence[max(0, one.start - 100) : one.start]))
        denied = listed or is_denied(sentence, one)
        last = one if denied else None
        if not denied:
            live.append(one)
    if len(live) == len(candidates):
        return live
    return _without_plural_denied(sentence, candidates, live)


_ARE_WRONG = Caseless(
    r"^[\s\"'*_`)\].]*(?:(?:are|were|can be|have been)\b|(?:都|均)?(?:不对|错|不是|被排除))"
)


def _without_plural_denied(
    sentence: str, candidates: Sequence[Candidate], live: list[Candidate]
) -> list[Candidate]:
    """`A, C and D are wrong` denies all three."""
    denied = False
    kept = list(live)
    for one, after in zip(reversed(candidates[:-1]), reversed(candidates[1:]), strict=True):
        if not denied:
            tail = sentence[after.end : after.end + 60]
            denied = after not in live and bool(_ARE_WRONG.match(tail))
        denied = denied and bool(_JOINED_AND.match(sentence[one.end : after.start]))
        if denied and one in kept:
            kept.remove(one)
    return kept


def is_denied(sentence: str, one: Candidate) -> bool:
    """Whether the words around a value say that it is not the one."""
    before = sentence[max(0, one.start - 60) : one.start]
    clause = _CLAUSE_END.split(before)[-1]
    denial = _NOT.search(clause)
    if denial and not _NOT_BUT.search(clause[denial.start() :]):
        return True
    return bool(_WRONG_AFTER.match(sentence[one.end : one.end + 60]))


def _after_correction(sentence: str, live: list[Candidate]) -> list[Candidate]:
    """Inside one sentence, values before `wait` are withdrawn if others follow."""
    if len(live) < 2:
        return live
    for match in reversed(list(CORRECTION.finditer(sentence))):
        later = [one for one in live if one.start >= match.end()]
        earlier = [one for one in live if one.end <= match.start()]
        if later and earlier:
            return later
    return live


def _weight(sentence: str, one: Candidate, live: Sequence[Candidate]) -> int:
    """How much the words around a value speak for it as the claim of the sentence."""
    before, after = sentence[max(0, one.start - 60) : one.start], sentence[one.end : one.end + 60]
    weight = 0
    if before.endswith(("**", "__", "`")) and _BOLD_END.match(after):
        weight += 4
    if _is_operand(before, after):
        weight -= 4
    else:
        weight += 2 * bool(_IS.search(before)) + 2 * bool(_EQUALS_BEFORE.search(before))
        weight -= 3 * bool(_SIDE.search(before))
    return weight + _clause_weight(sentence, one, live)


def _is_operand(before: str, after: str) -> bool:
    """Part of a calculation, and not its result: `42 = 40 + 2` and `40 + 2 = 42` come to 42."""
    if _OPERATOR_BEFORE.search(before):
        return True
    return bool(_OPERATOR_AFTER.match(after)) and not RESULT_FIRST.match(after)


def _clause_weight(sentence: str, one: Candidate, live: Sequence[Candidate]) -> int:
    """Causes, conditions and brackets are side remarks."""
    before = sentence[: one.start]
    weight = 0
    cause = None
    for match in _CAUSE.finditer(before):
        cause = match
    if cause and not _CLAUSE_AFTER_CAUSE.search(
        before[cause.end() :] if cause.start() < 12 else ""
    ):
        weight -= 4
    if _CONDITION.search(before[-150:]):
        weight -= 2
    weight += 5 * bool(_SO_BEFORE.search(before[-20:]))
    if is_compared(sentence, one, live):
        weight -= 6
    if (
        len(live) > 1
        and _in_brackets(sentence, one)
        and any(not _in_brackets(sentence, other) for other in live)
    ):
        weight -= 4
    return weight


def _in_brackets(sentence: str, one: Candidate) -> bool:
    before = sentence[max(0, one.start - 200) : one.start]
    after = sentence[one.end : one.end + 200]
    opened = before.rfind("(") > before.rfind(")")
    return opened and ")" in after and one.start - (before.rfind("(") + max(0, one.start - 200)) > 0


_BOUND = Caseless(
    r"(?:\b(?:more|less|fewer|greater|bigger|larger|smaller) than|[<>\u2264\u2265]) ?$"
)


def _is_hedged(sentence: str, chosen: Candidate, live: Sequence[Candidate]) -> bool:
    """Whether the chosen value is a bound, or joined to another one by `or`, `and` or a range."""
    if _BOUND.search(sentence[max(0, chosen.start - 20) : chosen.start]):
        return True
    if is_term(sentence, chosen):
        return True
    for left, right in pairwise(live):
        if chosen not in (left, right) or left.value == right.value:
            continue
        between = sentence[left.end : right.start]
        if _JOINED_OR.match(between) or _JOINED_AND.match(between):
            return True
        if len(between) < 30 and _EITHER.search(between) and not _GOES_ON.search(between):
            return True
        is_range = _JOINED_RANGE.match(between) and not sentence[
            right.end : right.end + 3
        ].strip().startswith("=")
        if is_range and ("and" not in between or _BETWEEN.search(sentence[: left.start])):
            return True
    return False
