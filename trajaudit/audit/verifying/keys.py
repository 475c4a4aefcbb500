"""Hashes of everything that decides: what was verified under the same one still holds."""

import hashlib
import json
from importlib.resources import files

from trajaudit import __version__
from trajaudit.datamodel.patch import Instance, Prediction

CODE = ("trajaudit.score.patch", "trajaudit.audit.verifying")


def verification_key(
    instance: Instance, prediction: Prediction, image: str, *settings: object
) -> str:
    """Return a hash of everything that decides about a prediction; `settings`: code and options."""
    parts = [instance.model_dump(mode="json"), prediction.model_dump(mode="json"), image, *settings]
    return _hash(parts)


def baseline_key(instance: Instance, image: str, *settings: object) -> str:
    """Return a hash of everything that decides how tests end without any patch."""
    return _hash(["base", instance.model_dump(mode="json", exclude={"patch"}), image, *settings])


def code_hash() -> str:
    """Return a hash of the code that verifies."""
    total = hashlib.sha256(__version__.encode())
    for package in CODE:
        for source in sorted(files(package).iterdir(), key=lambda one: one.name):
            if source.name.endswith(".py"):
                total.update(source.read_bytes())
    return total.hexdigest()


def _hash(parts: list[object]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
