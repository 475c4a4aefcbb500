"""Models: how one is opened by its name.

The first segment of a model's name says how it is spoken to; the rest is the name that the
provider knows. Adapters are imported only when one of their models is opened.
"""

import importlib
from collections.abc import Callable
from dataclasses import replace

from trajaudit import plugins
from trajaudit.llm.base import ChatModel
from trajaudit.llm.family import family_of
from trajaudit.llm.options import ModelOptions

__all__ = ["MODELS", "ModelOptions", "family_of", "open_model", "provider_name"]

ModelFactory = Callable[[str, str, ModelOptions], ChatModel]
"""(model id as the user wrote it, what stands behind the prefix, options) → model."""


def _lazy(module: str, function: str) -> ModelFactory:
    """Return a factory that imports its adapter when it is called, not before."""

    def factory(model_id: str, name: str, options: ModelOptions) -> ChatModel:
        adapter = importlib.import_module(f"trajaudit.llm.{module}")
        model: ChatModel = getattr(adapter, function)(model_id, name, options)
        return model

    return factory


MODELS: dict[str, ModelFactory] = {
    "openai": _lazy("opening", "open_openai"),
    "local": _lazy("local", "open_local"),
    "recorded": _lazy("recorded", "open_recorded"),
    "scripted": _lazy("scripted", "open_scripted"),
}


def open_model(
    model_id: str,
    *,
    base_url: str | None = None,
    api_key_env: str | None = None,
    options: ModelOptions | None = None,
) -> ChatModel:
    """Open a model; nothing is asked and nothing started before its first request.

    Open it once per run and share it: the concurrency cap and an embedded server belong to it.

    Raises:
        UsageError: the name, a file or a setting is wrong, or a package is missing.
    """
    settings = options or ModelOptions()
    if base_url is not None:
        settings = replace(settings, base_url=base_url)
    if api_key_env is not None:
        settings = replace(settings, api_key_env=api_key_env)
    prefix, name = _split(model_id)
    return plugins.find("model", prefix, MODELS)(model_id, name, settings)


def provider_name(model_id: str) -> str:
    """Return the name that the provider knows: what stands behind the prefix."""
    return _split(model_id)[1]


def _split(model_id: str) -> tuple[str, str]:
    for mark in ("/", ":"):
        prefix, found, name = model_id.partition(mark)
        if found and "/" not in prefix and ":" not in prefix:
            return prefix, name
    return model_id, ""
