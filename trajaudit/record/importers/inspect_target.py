"""What an Inspect sample asks, and which answer it wants, as a typed target."""

import re
from typing import Any

from trajaudit.record.importers.chat import prompt_of
from trajaudit.record.importers.inspect_text import Texts
from trajaudit.record.importers.shapes import as_dict, as_list, as_text

_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,29})(?:\.\d{1,30})?")
_SHORT = 40
"""Characters; what a judge compares with and is longer is a guide for the judge, no answer."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def prompt_text(sample: dict[str, Any], texts: Texts) -> str:
    """Return what was asked, with the choices where there are some."""
    given = sample.get("input")
    asked = texts.text(given) if isinstance(given, str) else prompt_of(texts.tree(as_list(given)))
    options = [f"{letter}) {text}" for letter, text in _options(sample, texts).items()]
    return "\n".join([asked, "", *options]) if options else asked


def target_of(sample: dict[str, Any], texts: Texts, *, judged: bool) -> dict[str, Any] | None:
    """Return the target as it would be written in YAML; None: the sample has none.

    Args:
        sample: of the log.
        texts: puts attachments back.
        judged: a model graded the answers: a long target guides it.
    """
    ours = as_dict(as_dict(sample.get("metadata")).get("trajaudit"))
    if ours:
        # A log that trajaudit wrote: Inspect has no form for most kinds of target.
        return as_dict(ours.get("target")) or None
    target = sample.get("target")
    wanted = [texts.text(one) for one in (target if isinstance(target, list) else [target])]
    wanted = [one.strip() for one in wanted if one.strip()]
    if not wanted:
        return None
    options = _options(sample, texts)
    if options:
        return _choice(wanted, options)
    if judged and max(map(len, wanted)) > _SHORT:
        return {"rubric": "\n".join(wanted)}
    if len(wanted) == 1:
        plain = _NUMBER.fullmatch(wanted[0])
        return {"number": wanted[0].replace(",", "")} if plain else {"text": wanted[0]}
    return {"text": wanted[0], "any_of": wanted[1:]}


def _options(sample: dict[str, Any], texts: Texts) -> dict[str, str]:
    choices = [texts.text(one) for one in as_list(sample.get("choices"))]
    return dict(zip(_LETTERS, choices, strict=False)) if len(choices) <= len(_LETTERS) else {}


def _choice(wanted: list[str], options: dict[str, str]) -> dict[str, Any] | None:
    letters = {text: letter for letter, text in options.items()}
    named = [one if one in options else letters.get(one) for one in wanted]
    chosen = [one for one in named if one is not None]
    if len(chosen) != len(wanted):
        return {"text": wanted[0], "any_of": wanted[1:]}
    if len(chosen) == 1:
        return {"choice": chosen[0], "of": options}
    return {"choices": chosen, "of": options}


def is_judged(evaluation: dict[str, Any], scores: Any) -> bool:
    """Return whether a model graded the answers, by the names of the scorers."""
    named = [as_text(as_dict(one).get("name")) for one in as_list(evaluation.get("scorers"))]
    return any("model_graded" in name for name in [*named, *as_dict(scores)])
