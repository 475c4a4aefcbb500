import pytest

from basket import Basket


@pytest.fixture
def filled():
    made = Basket(owner="Mira")
    made.add("pen", 120, 2)
    made.add("pad", 350)
    return made
