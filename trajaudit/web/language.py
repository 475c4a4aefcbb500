"""In which language does a page speak, and what does it say there?"""

from collections.abc import Mapping
from dataclasses import dataclass

from trajaudit.web.texts import en, zh

COOKIE = "language"
TEXTS: Mapping[str, Mapping[str, str]] = {"en": en.TEXTS, "zh": zh.TEXTS}
NAMES = {"en": "English", "zh": "中文"}
TAGS = {"en": "en", "zh": "zh-Hans"}
"""What the `lang` attribute of a page says."""
DEFAULT = "en"


@dataclass(frozen=True)
class Words:
    """The texts of one language."""

    language: str

    def __call__(self, key: str, **values: object) -> str:
        """Return a text; of `one|many` the first where `n` is 1.

        Raises:
            KeyError: no such text.
        """
        text = TEXTS[self.language][key]
        one, _, many = text.partition("|")
        chosen = one if not many or values.get("n") == 1 else many
        return chosen.format_map(values) if values else chosen

    def has(self, key: str) -> bool:
        """Whether there is such a text."""
        return key in TEXTS[self.language]

    @property
    def tag(self) -> str:
        return TAGS[self.language]


def chosen(cookie: str | None, accepted: str | None) -> Words:
    """Return the language that was chosen, else the one that the browser likes best."""
    if cookie is not None and cookie in TEXTS:
        return Words(cookie)
    for tag in _ranked(accepted or ""):
        primary = tag.split("-")[0]
        if primary in TEXTS:
            return Words(primary)
    return Words(DEFAULT)


def _ranked(accepted: str) -> list[str]:
    """Tags of an Accept-Language header, best first; what cannot be read is left out."""
    found: list[tuple[float, str]] = []
    for part in accepted[:1000].lower().split(","):
        tag, _, quality = part.strip().partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if weight > 0:
            found.append((-weight, tag.strip()))
    return [tag for _, tag in sorted(found, key=lambda one: one[0])]
