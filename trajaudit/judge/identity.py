"""Which judges are the same judges? A certificate holds for nothing else."""

import hashlib
import json

from trajaudit.datamodel.judging import Panel, Rubric

_OUTSIDE = frozenset(
    {"name", "version", "description", "rubric", "seed", "correlation"}
    | {"budget", "audit", "costs", "concurrency", "schema_version"}
)
"""Fields of a panel that shape no vote."""
_OF_ACCESS = frozenset({"api_key_env", "price", "timeout_s", "per_minute"})


def panel_identity(panel: Panel, rubric: Rubric, *prompts: str) -> str:
    """Return a SHA-256 over all that shapes a panel's votes: judges, stages, rubric, prompts."""
    shaping = panel.model_dump(mode="json", exclude=set(_OUTSIDE))
    shaping["judges"] = [
        one.model_dump(mode="json", exclude=set(_OF_ACCESS)) for one in panel.judges
    ]
    text = json.dumps([shaping, rubric.model_dump(mode="json"), prompts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
