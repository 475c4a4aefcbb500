"""Which characters are the same to a reader?

Every mapping keeps the length of the text, so that positions found in the normalised text are
positions in the original, and evidence can quote what was really written.
"""

import re
import unicodedata
from functools import lru_cache

_MINUS = "\u2212\u2010\u2011\ufe63\uff0d\u2796\u02d7"
"""Characters drawn as a minus or hyphen; the en dash stays, because it also writes ranges."""
_SPACES = "\u00a0\u2007\u202f\u2009\u2002\u2003\u2004\u2005\u2006\u2008\u200a\u205f\u3000\t"
_INVISIBLE = (
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\ufe0e\ufe0f\u2061\u2062\u2063"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_PAIRS = {
    "\u2018": "'",
    "\u2019": "'",
    "\u02bc": "'",
    "\u2032": "'",
    "\u201a": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u201e": '"',
    "\u00ab": '"',
    "\u00bb": '"',
    "\u3001": ",",
    "\u3002": ".",
    "\uff61": ".",
    "\u2217": "*",
    "\u22c5": "\u00b7",
    "\u2044": "/",
    "\u2215": "/",
    "\u066b": ".",
    "\u066c": ",",
    "\u2236": ":",
    "\u3010": "[",
    "\u3011": "]",
    "\u2e3a": "\u2014",
    "\r": "\n",
    "\u2028": "\n",
    "\u2029": "\n",
    "\x85": "\n",
}
_OTHERS = re.compile(r"[^\x00-\x08\x0a-\x0c\x0e-\x7f\u3400-\u9fff]")
"""What is not plain already; the commonest characters are, and Chinese ones."""


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    if char in _MINUS:
        return "-"
    if char in _SPACES or char in _INVISIBLE:
        return " "
    if char in _PAIRS:
        return _PAIRS[char]
    if "\uff01" <= char <= "\uff5e":
        return chr(ord(char) - 0xFEE0)
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(int(digit))
    return char


def plain(text: str) -> str:
    """Full-width forms, foreign digits, typographic minus, quotes and blanks as ASCII.

    The result has the length of the input.
    """
    if text.isascii():
        return text.replace("\t", " ").replace("\r", "\n")
    return _OTHERS.sub(_as_plain, text)


def _as_plain(match: re.Match[str]) -> str:
    char = match[0]
    return char if char.isalpha() and char < "\uff00" else _plain(char)


def folded(text: str) -> str:
    """Text for comparing words: compatibility form, no accents, no case, single blanks."""
    if text.isascii():
        return " ".join(plain(text).casefold().split())
    decomposed = unicodedata.normalize("NFKD", plain(text))
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(bare.casefold().split())
