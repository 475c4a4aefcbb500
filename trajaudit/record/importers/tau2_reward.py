"""What a tau2-bench log says of a simulation: how it ended, and what its reward is made of."""

from typing import Any

from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.shapes import as_dict, as_list, as_number, as_text

_ENDS: dict[str, EndReason] = {
    "user_stop": "replied",
    "agent_stop": "replied",
    "max_steps": "step_limit",
    "timeout": "time_limit",
    "too_many_errors": "agent_error",
    "agent_error": "agent_error",
    "invalid_agent_message": "agent_error",
    "user_error": "infra_error",
    "infrastructure_error": "infra_error",
    "unexpected_error": "infra_error",
}
_CHECKS = {
    "DB": "db",
    "ENV_ASSERTION": "env",
    "ACTION": "action",
    "COMMUNICATE": "communicate",
    "NL_ASSERTION": "nl_assertions",
}
_MET = {
    "env_assertions": ("env", "met"),
    "action_checks": ("action", "action_match"),
    "communicate_checks": ("communicate", "met"),
    "nl_assertions": ("nl_assertions", "met"),
}


def end_of(reason: str) -> tuple[EndReason, str]:
    """Return the end reason, with the log's own word for it where it is not a plain end."""
    end = _ENDS.get(reason, "replied")
    return end, "" if end == "replied" and reason in _ENDS else f"termination_reason {reason}"


def origin_of(
    record: dict[str, Any], reward: dict[str, Any], source: str, end: EndReason
) -> Origin:
    """Return the verdict that came with a simulation; one whose infrastructure failed has none."""
    value = as_number(reward.get("reward"))
    basis = [as_text(one) for one in as_list(reward.get("reward_basis"))]
    return Origin(
        source=source,
        format="",
        source_id=as_text(record.get("id")),
        raw=value == 1 if value in (0, 1) and end != "infra_error" else None,
        raw_score=value,
        raw_detail=_detail(value, reward),
        checks=_checks(reward),
        basis=tuple(_CHECKS[one] for one in basis if one in _CHECKS),
    )


def _checks(reward: dict[str, Any]) -> dict[str, bool | None]:
    checks: dict[str, bool | None] = {}
    matched = as_dict(reward.get("db_check")).get("db_match")
    if isinstance(matched, bool):
        checks["db"] = matched
    for field, (name, key) in _MET.items():
        found = [as_dict(one).get(key) for one in as_list(reward.get(field))]
        if found:
            known = all(isinstance(one, bool) for one in found)
            checks[name] = all(found) if known else None
    return checks


def _detail(value: float | None, reward: dict[str, Any]) -> str:
    if value is None:
        return "no reward"
    parts = as_dict(reward.get("reward_breakdown"))
    told = ", ".join(f"{name} {number}" for name, number in list(parts.items())[:10])
    return f"reward {value}" + (f" ({told})" if told else "")
