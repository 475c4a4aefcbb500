"""Looks names up: one of our own objects, or one that an installed package offers."""

from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from typing import TypeVar

from trajaudit.errors import UnknownPluginError, UsageError

T = TypeVar("T")

KINDS = ("scorer", "sandbox", "model", "agent", "importer", "exporter", "renderer")


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


def offers(kind: str, builtins: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return (kind, name, origin) of every plug-in of a kind; origin is package and version."""
    found = [(kind, name, "built in") for name in builtins]
    for entry in entry_points(group=f"trajaudit.{kind}s"):
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        found.append((kind, entry.name, package))
    return sorted(found)
