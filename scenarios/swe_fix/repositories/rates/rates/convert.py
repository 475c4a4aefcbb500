"""Amounts in other currencies."""

from rates.memo import remembered


class Converter:
    """Converts euros; `source(currency, day=None)` gives the rate of a day, or the latest."""

    def __init__(self, source):
        self._rate = remembered(source)

    def convert(self, euros, currency, day=None):
        """Return an amount in another currency at the rate of a day."""
        return round(euros * self._rate(currency, day=day), 2)

    def forget(self):
        """Ask again from now on."""
        self._rate.forget()
