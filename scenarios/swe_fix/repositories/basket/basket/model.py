"""What lies in a basket."""

from dataclasses import dataclass

from basket.rebate import rebate


@dataclass
class Line:
    """Some pieces of one thing; `price` is of one piece, in cents."""

    name: str
    price: int
    pieces: int = 1


class Basket:
    """The basket of one customer."""

    def __init__(self, owner, lines=[], coupons=None):
        self.owner = owner
        self.lines = lines
        self.coupons = coupons or []

    def add(self, name, price, pieces=1):
        """Put something in; more of the same thing makes its line longer."""
        for line in self.lines:
            if (line.name, line.price) == (name, price):
                line.pieces += pieces
                return
        self.lines.append(Line(name, price, pieces))

    def total(self):
        """Return what all of it costs, in cents, rebates taken off."""
        full = sum(line.price * line.pieces for line in self.lines)
        return full - rebate(full, self.coupons)
