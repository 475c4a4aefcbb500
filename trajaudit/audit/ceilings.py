"""Can a panel's ceilings hold at all?"""

from trajaudit.datamodel.judging import Judge, Panel
from trajaudit.errors import UsageError

FREE = ("local/", "scripted/", "recorded/")
"""Models that cost nothing."""


def require_prices(panel: Panel) -> None:
    """Refuse a ceiling of cost over judges whose price nobody knows: it would never be reached.

    Raises:
        UsageError: it names them.
    """
    if panel.budget.cost_usd is None:
        return
    unpriced = [one.model for one in panel.judges if one.price is None and not _is_free(one)]
    if unpriced:
        raise UsageError(
            f"panel {panel.name} has a ceiling of ${panel.budget.cost_usd:g}, which cannot hold; "
            f"got no price of {', '.join(unpriced)}; give price: {{prompt: …, completion: …}} or "
            "a budget of calls or tokens"
        )


def _is_free(judge: Judge) -> bool:
    return judge.model.startswith(FREE)
