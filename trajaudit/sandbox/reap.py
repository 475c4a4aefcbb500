"""Removes the containers that a dead owner left; those of a living one are never touched."""

from trajaudit.errors import SandboxError
from trajaudit.sandbox.container import LABEL
from trajaudit.sandbox.docker import Api
from trajaudit.sandbox.owner import Owner


def reap(api: Api) -> int:
    """Remove every container of ours whose owner is dead; return how many."""
    removed = 0
    for found in api.containers({LABEL: "1"}):
        owner = Owner.from_labels(found.get("Labels") or {})
        if owner is None or not owner.is_dead():
            continue
        try:
            api.remove(str(found["Id"]))
        except SandboxError:
            continue  # someone else removes it at this moment, or the next reaper will
        removed += 1
    return removed
