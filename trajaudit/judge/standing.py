"""Does a reply stand by what it states, or is it a quotation, an example or a guess on the way?"""

import re

from trajaudit.judge.reply import Found, Scan

_TENTATIVE = re.compile(
    r"\b(?:might|may|could|would|seems?|seemed|at first|first sight|initially|tempted|tempting|if"
    r"|unless|perhaps|maybe|possibly|leaning|one could|instead of|rather than|almost|not|isn't"
    r"|cannot|can't|don't|won't|never|avoid|whether|first impression|on the face|for example|e\.g)"
    r"\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:example|possible|allowed|valid|format|template|schema|for instance|such as"
    r"|instruct\w*|asked to"
    r"|must (?:reply|answer|respond|be)|should (?:reply|answer|respond|look)|of the form|like this"
    r"|reply with|respond with)\b[^\n.]{0,60}\n?[ \t]*(?:`{3,}\w*\s*)?$"
    r"|\be\.g\.[^\n.]{0,60}\n?[ \t]*(?:`{3,}\w*\s*)?$"
    r"|(?:^|[.!?]\s+|\n)(?:use|write|say)\s+[\"'`]?$",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:tool|agent|candidate|assistant|log|observation|transcript|trajectory|page|file|user"
    r"|answer|step \d+|it|reply|message|attacker|text|data)\b[^.\n]{0,60}"
    r"\b(?:said|says|wrote|writes|returned|returns|replied|contains|contained|claimed|claims"
    r"|printed|prints|shows|showed|included|includes|injected|ends with|ended with|reads"
    r"|tells?|told|asks|asked|output)\b[^\n.]{0,40}\n?[ \t]*(?:`{3,}\w*\s*)?$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\b(?:would|might|could|had|if|were)\b", re.IGNORECASE)
_AFTERWARDS = re.compile(
    r"[`\s]*(?:was|is|were|appears?|came)\s+(?:only\s+)?"
    r""
    r"(?:found|injected|quoted|planted|in|from|what)\b",
    re.IGNORECASE,
)


_STATED = re.compile(
    r"(?<![A-Za-z])(?:overall|verdict|decision|judge?ment|conclusion|grade|assessment|winner|better)"
    r"[*_`\"']*\s*(?::|=|->|→|\bis\b|\bto\b)\s*[*_`\"']*(?:a\s+)?"
    r"(?P<said>pass(?:es|ed)?|fail(?:s|ed|ure)?|abstain|tie|A|B)\b",
    re.IGNORECASE,
)
REVISED = re.compile(
    r"\b(?:on (?:further )?reflection|on second thoughts?|correct(?:ion|ing)|actually|revis\w+"
    r"|i was (?:wrong|mistaken)|my mistake|wait|chang\w+ my (?:mind|verdict|score)|reconsider\w*"
    r"|scratch that|strike that|i (?:take|took) (?:that|it) back|update[d]?|re-?check\w*"
    r"|after (?:a )?(?:second|closer) look|looking again|withdraw\w*|overrul\w+|supersed\w+"
    r"|replac\w+|disregard (?:that|the above)|ignore (?:that|the above)|instead|let me fix"
    r"|final(?:ly)?)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:chang\w+ my (?:mind|verdict)|i (?:take|took) (?:that|it) back|(?:scratch|strike) that"
    r"|disregard (?:that|the above)|i was (?:wrong|mistaken))\b",
    re.IGNORECASE,
)
_DECLINED = re.compile(
    r"\b(?:can(?:'t|not| not)|unable to|won't|will not|not able to|decline to|refuse to)"
    r" (?:help|assist|judge|assess|evaluate|comply|grade)\b",
    re.IGNORECASE,
)


def is_own(text: str, one: Found) -> bool:
    """Whether an object is the reply's own statement: no quotation, example or supposition."""
    before = text[max(0, one.start - 120) : one.start]
    line = re.split(r"[.!?;]\s|\n", before)[-1]
    if _AFTERWARDS.match(text, one.end) or _is_marked(text, one):
        return False
    return not any(
        found.search(said)
        for found, said in ((_EXAMPLE, before), (_REPORTED, before), (_SUPPOSED, line))
    )


def _is_marked(text: str, one: Found) -> bool:
    """Whether it is set as a quotation, as a comment, or struck out."""
    line = text[text.rfind("\n", 0, one.start) + 1 : one.start].lstrip()
    commented = text.rfind("<!--", 0, one.start) > text.rfind("-->", 0, one.start)
    return line.startswith(">") or line.rstrip().endswith("~~") or commented


def denied(read: Scan) -> str | None:
    """Return how the prose of a reply denies the last verdict that an object of it states."""
    said = [
        (one, value) for one in read.objects for value in _overall(one) if is_own(read.whole, one)
    ]
    if not said:
        return None
    last, overall = said[-1]
    if _TAKEN_BACK.search(read.text, last.end):
        return "the verdict is taken back behind it"
    if _DECLINED.search(read.text):
        return "the judge declines, and gives a verdict all the same"
    for match in _STATED.finditer(read.text):
        other = match["said"][:4].casefold() != overall[:4]
        revised = match.end() < last.start and REVISED.search(read.text, match.end(), last.start)
        if other and not revised and is_firm(read.text, match):
            return f"beside the object stands {match[0]!r}"
    return None


def _overall(one: Found) -> list[str]:
    return [
        str(value).casefold() for key, value in one.pairs if key.strip().casefold() == "overall"
    ]


def is_firm(text: str, match: re.Match[str]) -> bool:
    """Whether the reply stands by what it states there."""
    line_start = text.rfind("\n", 0, match.start()) + 1
    before = text[line_start : match.start()]
    if before.lstrip().startswith(">") or _is_quoted(text, line_start, match):
        return False
    if _EXAMPLE.search(text[max(0, match.start() - 120) : match.start()]):
        return False
    sentence = re.split(r"[.!?;]\s|,?\s(?:but|still|yet|however)\b", before)[-1]
    if _REPORTED.search(sentence):
        return False
    return _TENTATIVE.search(sentence) is None


def _is_quoted(text: str, line_start: int, match: re.Match[str]) -> bool:
    """Whether a quotation opens before it on its line, with words before the quotation."""
    end = text.find("\n", match.end())
    line = text[line_start : end if end >= 0 else len(text)]
    at = match.start() - line_start
    for quote in re.finditer(r"\"[^\"]*\"|“[^”]*”|`[^`]+`|(?<!\w)'[^']*'(?!\w)", line):
        if quote.start() < at and line_start + quote.end() >= match.end():
            rest = line[: quote.start()] + line[quote.end() :]
            return re.search(r"\w", rest) is not None
    return False
