from rates import Converter

TABLE = {
    ("USD", None): 1.10,
    ("USD", "2026-01-02"): 1.05,
    ("USD", "2026-01-03"): 1.20,
    ("CHF", None): 0.94,
}


class Source:
    def __init__(self):
        self.asked = []

    def __call__(self, currency, day=None):
        self.asked.append((currency, day))
        return TABLE[currency, day]


def test_each_currency_has_a_rate():
    converter = Converter(Source())

    assert converter.convert(10, "USD") == 11.0
    assert converter.convert(10, "CHF") == 9.4


def test_the_source_is_asked_once():
    source = Source()
    converter = Converter(source)
    for _ in range(3):
        converter.convert(1, "CHF")

    assert source.asked == [("CHF", None)]


def test_what_was_forgotten_is_asked_again():
    source = Source()
    converter = Converter(source)
    converter.convert(1, "CHF")
    converter.forget()
    converter.convert(1, "CHF")

    assert len(source.asked) == 2
