"""Which words of a trial would tell who the agent is? Hidden from judges and from people."""

import re
from collections.abc import Iterable

from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.llm import family_of

MARK = "[agent]"
"""Stands where a name stood."""
_EVERYDAY = frozenset(
    {"agent", "assistant", "command", "golden", "graph", "null", "react", "replay", "scripted"}
    | {"several", "default"}
)
"""Names of agents that are words as well: to hide them would take evidence away."""
_BRANDS: dict[str, tuple[str, ...]] = {
    "alibaba": ("qwen", "tongyi", "alibaba cloud"),
    "anthropic": ("anthropic", "claude"),
    "cohere": ("cohere",),
    "deepseek": ("deepseek",),
    "google": ("gemini", "gemma", "deepmind"),
    "huggingface": ("smollm", "hugging face"),
    "meta": ("llama", "meta ai"),
    "microsoft": ("microsoft copilot",),
    "mistral": ("mistral", "mistral ai"),
    "moonshot": ("kimi", "moonshot ai"),
    "openai": ("openai", "chatgpt"),
    "xai": ("grok",),
    "zhipu": ("chatglm", "zhipu"),
}
"""Family → what a model of it calls itself. A maker's name that is a word of many tasks is not
here: to hide `google` would take evidence away."""


def names_of(trajectory: Trajectory) -> list[str]:
    """Return the names of the agent and its model that tell, the longest first."""
    return telling([trajectory.agent], [trajectory.model_id])


def telling(agents: Iterable[str], models: Iterable[str]) -> list[str]:
    """Return the telling names of agents and models, the longest first."""
    names: set[str] = set()
    for model_id in models:
        model = model_id.rsplit("/", 1)[-1]
        names |= {model_id, model, re.split(r"[-:@]", model)[0]}
    for agent in map(str.strip, agents):
        names |= {agent, agent.split(" ")[0]}
    found = (name for name in names if len(name) > 3 and name.casefold() not in _EVERYDAY)
    return sorted(found, key=lambda name: (-len(name), name))


def brands(models: Iterable[str]) -> list[str]:
    """Return what models call themselves and their makers when somebody asks them."""
    return [name for model in models for name in _BRANDS.get(family_of(model), ())]


def without_names(text: str, names: Iterable[str], mark: str = MARK) -> str:
    """Return a text in which a mark stands for each name that is a word of its own."""
    folded = _folded(text)
    for name in names:
        # Most texts hold no name at all: to look for one costs a hundredth of a match.
        if _folded(name) in folded:
            found = rf"(?<!\w){re.escape(name)}(?!\w)"
            text = re.sub(found, lambda _: mark, text, flags=re.IGNORECASE)
    return text


def _folded(text: str) -> str:
    """Return a text in which all is alike that a pattern that ignores case takes for alike."""
    return text.casefold().replace("i\u0307", "i").replace("\u0131", "i")
