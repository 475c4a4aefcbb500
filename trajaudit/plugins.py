"""Looks names up: one of our own objects, or one that an installed package offers."""

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import TypeVar

from trajaudit.errors import UnknownPluginError, UsageError

T = TypeVar("T")

KINDS = ("scorer", "sandbox", "model", "agent", "importer", "renderer")


def find(kind: str, name: str, builtins: Mapping[str, T]) -> T:
    """Return the plug-in `name`; exactly one built-in or package may offer it.

    Raises:
        UnknownPluginError: nobody offers the name.
        UsageError: more than one offers it, so that a package cannot replace a built-in.
    """
    group = f"trajaudit.{kind}s"
    found = list(entry_points(group=group, name=name))
    if len(found) + (name in builtins) > 1:
        offers = ", ".join(sorted(ep.value for ep in found))
        raise UsageError(f"{kind} {name!r} is offered more than once: {offers}")
    if name in builtins:
        return builtins[name]
    if found:
        plugin: T = found[0].load()
        return plugin
    raise UnknownPluginError(kind, name, [*builtins, *entry_points(group=group).names])
