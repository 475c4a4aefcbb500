"""A ceiling of cost that could never be reached is refused before anything is sent."""

from typing import Any

import pytest

from trajaudit.audit.ceilings import require_prices
from trajaudit.datamodel.judging import Budget, Judge, Panel, TokenPrice
from trajaudit.errors import UsageError

PRICED = Judge(model="openai/a", price=TokenPrice(prompt=1, completion=1))
FREE = Judge(model="local/smollm2")
UNPRICED = Judge(model="openai/b")


def panel(*judges: Judge, **budget: Any) -> Panel:
    return Panel(name="p", version=1, judges=judges, budget=Budget(**budget))


def test_a_ceiling_of_cost_needs_every_price() -> None:
    with pytest.raises(UsageError, match=r"ceiling of \$5, .*; got no price of openai/b;"):
        require_prices(panel(PRICED, UNPRICED, FREE, cost_usd=5))


def test_other_ceilings_need_none() -> None:
    require_prices(panel(UNPRICED, UNPRICED, tokens=5, calls=3))
    require_prices(panel(PRICED, FREE, cost_usd=5))
