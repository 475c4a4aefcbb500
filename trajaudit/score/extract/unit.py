"""Which unit does a figure carry, and how much is it in another?

Deliberate: a table of our own instead of a unit library. A reply is hostile text and names a few
dozen units; a library parses whole unit expressions (any letter is a unit to it: `5 a` is five
years, `5 apples` an error), takes longer to import than a thousand replies take to score, and
knows neither currencies nor the words of other languages. Factors are exact fractions (SI
brochure; international yard and pound of 1959).
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from trajaudit.score.extract.caseless import starting


class Unit(NamedTuple):
    """A unit: `value * factor + offset` in the base unit of its dimension."""

    name: str
    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)


_PREFIXES = {
    "n": (("nano",), -9),
    "µ": (("micro",), -6),
    "m": (("milli",), -3),
    "c": (("centi",), -2),
    "d": (("deci",), -1),
    "k": (("kilo",), 3),
    "M": (("mega",), 6),
    "G": (("giga",), 9),
    "T": (("tera",), 12),
}
_PREFIXED = {
    "m": ("length", "1", ("metre", "meter", "metres", "meters"), "nµmcdk"),
    "g": ("mass", "1", ("gram", "grams", "gramme", "grammes", "gramm"), "nµmk"),
    "l": ("volume", "1", ("litre", "liter", "litres", "liters"), "µmcd"),
    "s": ("time", "1", ("second", "seconds", "sec", "secs", "sekunden", "secondes"), "nµm"),
    "Hz": ("frequency", "1", ("hertz",), "kMG"),
    "W": ("power", "1", ("watt", "watts"), "mkMG"),
    "J": ("energy", "1", ("joule", "joules"), "kM"),
    "N": ("force", "1", ("newton", "newtons"), "k"),
    "Pa": ("pressure", "1", ("pascal", "pascals"), "kM"),
    "V": ("voltage", "1", ("volt", "volts"), "mk"),
    "A": ("current", "1", ("ampere", "amperes", "amp", "amps"), "m"),
    "B": ("data", "8", ("byte", "bytes"), "kMGT"),
    "bit": ("data", "1", ("bits",), "kMG"),
}
_OTHER = {
    "in": ("length", "0.0254", ("inch", "inches")),
    "ft": ("length", "0.3048", ("foot", "feet")),
    "yd": ("length", "0.9144", ("yard", "yards")),
    "mi": ("length", "1609.344", ("mile", "miles")),
    "nmi": ("length", "1852", ("nautical mile", "nautical miles")),
    "oz": ("mass", "28.349523125", ("ounce", "ounces")),
    "lb": ("mass", "453.59237", ("lbs", "pound", "pounds")),
    "t": ("mass", "1000000", ("tonne", "tonnes", "metric tons", "tonnen")),
    "gal": ("volume", "3.785411784", ("gallon", "gallons")),
    "min": ("time", "60", ("mins", "minute", "minutes", "minuten")),
    "h": ("time", "3600", ("hr", "hrs", "hour", "hours", "stunde", "stunden", "heures")),
    "day": ("time", "86400", ("days", "tage", "jours")),
    "week": ("time", "604800", ("weeks", "wochen", "semaines")),
    "kWh": ("energy", "3600000", ("kilowatt hours", "kilowatt-hours")),
    "Wh": ("energy", "3600", ("watt hours",)),
    "cal": ("energy", "4.184", ("calorie", "calories")),
    "kcal": ("energy", "4184", ("kilocalories",)),
    "bar": ("pressure", "100000", ()),
    "KiB": ("data", "8192", ()),
    "MiB": ("data", "8388608", ()),
    "GiB": ("data", "8589934592", ()),
    "km/h": ("speed", "5/18", ("kmh", "kph", "kilometres per hour", "kilometers per hour")),
    "m/s": ("speed", "1", ("metres per second", "meters per second")),
    "mph": ("speed", "0.44704", ("miles per hour",)),
    "m²": ("area", "1", ("m^2", "m2", "sq m", "square metres", "square meters")),
    "cm²": ("area", "0.0001", ("cm^2", "cm2", "square centimetres", "square centimeters")),
    "km²": ("area", "1000000", ("km^2", "km2", "square kilometres", "square kilometers")),
    "ha": ("area", "10000", ("hectare", "hectares")),
    "m³": ("volume", "1000", ("m^3", "m3", "cubic metres", "cubic meters")),
    "cm³": ("volume", "0.001", ("cm^3", "cm3", "cc", "cubic centimetres", "cubic centimeters")),
    "°": ("angle", "1", ("deg", "°", "degree", "degrees")),
    "rad": ("angle", "57.29577951308232", ("radian", "radians")),
}
_HAN = {
    "米": "m", "公里": "km", "千米": "km", "厘米": "cm", "毫米": "mm", "克": "g", "千克": "kg",
    "公斤": "kg", "吨": "t", "升": "l", "毫升": "ml", "秒": "s", "分钟": "min", "小时": "h",
    "天": "day", "周": "week",
}  # fmt: skip
_TEMPERATURES = (
    Unit("°C", "temperature", Fraction(1), Fraction("273.15")),
    Unit("°F", "temperature", Fraction(5, 9), Fraction("459.67") * Fraction(5, 9)),
    Unit("K", "temperature", Fraction(1)),
)
_TEMPERATURE_WORDS = {
    "°c": 0, "℃": 0, "celsius": 0, "degrees celsius": 0, "degree celsius": 0, "摄氏度": 0,
    "°f": 1, "℉": 1, "fahrenheit": 1, "degrees fahrenheit": 1, "kelvin": 2, "kelvins": 2,
}  # fmt: skip
_CURRENCY_WORDS = {
    "USD": "us$ usd us-dollars", "EUR": "€ eur euro euros", "GBP": "£ gbp pence_ quid sterling",
    "JPY": "jpy yen 円 日元", "CNY": "cny rmb yuan renminbi 元 块 人民币",
    "CHF": "chf franken sfr.",
    "INR": "₹ inr rupee rupees rs rs.", "KRW": "₩ krw won_", "RUB": "₽ rub rubles roubles",
    "AUD": "a$ aud", "CAD": "c$ ca$ cad", "NZD": "nz$ nzd", "HKD": "hk$ hkd", "SGD": "s$ sgd",
    "BRL": "r$ brl reais", "MXN": "mxn", "SEK": "sek", "NOK": "nok", "DKK": "dkk", "PLN": "zł pln",
    "TRY": "₺", "ILS": "₪", "VND": "₫", "NGN": "₦", "UAH": "₴", "BTC": "₿ btc",
    "dollar": "$ dollar dollars bucks 美元", "yen or yuan": "¥",
}  # fmt: skip
_MONEY_PHRASES = {
    "us dollars": "USD", "us dollar": "USD", "american dollars": "USD", "canadian dollars": "CAD",
    "australian dollars": "AUD", "swiss francs": "CHF", "pounds sterling": "GBP",
    "british pounds": "GBP", "japanese yen": "JPY", "indian rupees": "INR",
}  # fmt: skip
_LOOSE = {
    "dollar": {"USD", "AUD", "CAD", "NZD", "HKD", "SGD"},
    "yen or yuan": {"JPY", "CNY"},
}
"""A sign that several currencies share fits each of them."""


@lru_cache(maxsize=1)
def _table() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for symbol, (dimension, factor, words, prefixes) in _PREFIXED.items():
        base = Unit(symbol, dimension, Fraction(factor))
        table |= dict.fromkeys((symbol, *words), base)
        for prefix in prefixes:
            long, power = _PREFIXES[prefix]
            unit = Unit(prefix + symbol, dimension, base.factor * Fraction(10) ** power)
            table[prefix + symbol] = unit
            table |= {name + word: unit for name in long for word in words if len(word) > 3}
    for symbol, (dimension, factor, others) in _OTHER.items():
        table |= dict.fromkeys((symbol, *others), Unit(symbol, dimension, Fraction(factor)))
    table |= {"L": table["l"], "mL": table["ml"], "μm": table["µm"]}
    table |= {"KB": table["kB"], "K": _TEMPERATURES[2], "kilo": table["kg"], "kilos": table["kg"]}
    table |= {"ton": table["t"], "tons": table["t"]}
    table |= {word: _TEMPERATURES[index] for word, index in _TEMPERATURE_WORDS.items()}
    table |= {word: table[symbol] for word, symbol in _HAN.items()}
    for code, names in _CURRENCY_WORDS.items():
        unit = Unit(code, "currency", Fraction(1))
        table |= {word.rstrip("_"): unit for word in names.split()}
    for phrase, iso in _MONEY_PHRASES.items():
        table[phrase] = table[iso.lower()]
    cents = Unit("dollar", "currency", Fraction(1, 100))
    return table | {"cent": cents, "cents": cents, "¢": cents}


def unit_pattern(ascii_only: bool = False) -> str:
    """Pattern of every known unit, the longest first; `ascii_only`: of those an ASCII text has."""
    words = sorted(_table(), key=len, reverse=True)
    if ascii_only:
        words = [word for word in words if word.isascii()]
    return rf"(?={starting(words)})(?:{'|'.join(map(re.escape, words))})"


def find_unit(word: str) -> Unit | None:
    """The unit that a word or symbol names; symbols are case-sensitive, words are not."""
    table = _table()
    return table.get(word) or (table.get(word.lower()) if len(word) > 1 else None)


def is_currency(word: str) -> bool:
    unit = find_unit(word)
    return unit is not None and unit.dimension == "currency"


def convert(value: Fraction, unit: Unit, target: Unit) -> Fraction | None:
    """`value` in `target`, or None where the two measure different things."""
    if unit.dimension != target.dimension:
        return None
    if unit.dimension == "currency" and not _same_money(unit.name, target.name):
        return None
    return (value * unit.factor + unit.offset - target.offset) / target.factor


def _same_money(one: str, other: str) -> bool:
    return one == other or other in _LOOSE.get(one, ()) or one in _LOOSE.get(other, ())
