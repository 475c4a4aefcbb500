"""What stands in the declared format, character by character?"""

from decimal import Decimal
from fractions import Fraction

from pydantic import JsonValue

from trajaudit.datamodel import target as kinds
from trajaudit.score.extract.json_answer import written_json
from trajaudit.score.extract.linear_pattern import fits

_BLANKS = " \t\r"


def format_line(seen: str, reply: str, declared: str | None) -> str | None:
    """The value in the last line of the declared format, without outer blanks.

    `seen` is the reply with thinking blocks blanked out, of the same length: a line that the
    reader never sees is no answer. Without a format the whole reply is the value.
    """
    if declared is None or "{answer}" not in declared:
        return reply.strip()
    prefix, _, suffix = declared.partition("{answer}")
    prefix, suffix = prefix.rstrip(_BLANKS), suffix.strip(_BLANKS)
    at = 0
    found: str | None = None
    for line in reply.split("\n"):
        hidden = line.strip(_BLANKS) and not seen[at : at + len(line)].strip(_BLANKS)
        at += len(line) + 1
        bare = line.rstrip(_BLANKS)
        if not hidden and line.startswith(prefix) and bare.endswith(suffix):
            found = bare[len(prefix) : len(bare) - len(suffix)].strip(_BLANKS)
    return found


def is_written(value: str, target: kinds.Target) -> bool:
    """Whether a value stands as the strict reading wants it: spelt so, or fitting the pattern."""
    if isinstance(target, kinds.RegexTarget):
        return fits(target.regex, value) is True
    if target.written is not None:
        return value == target.written
    return value in (_of_value(target) or _of_shape(target))


def _of_value(target: kinds.Target) -> tuple[str, ...]:
    written: tuple[str, ...] = ()
    match target:
        case kinds.NumberTarget(number=value) | kinds.MoneyTarget(money=value):
            written = _digits(value)
        case kinds.PercentTarget(percent=value):
            written = (*_digits(value), *(f"{one}%" for one in _digits(value)))
        case kinds.TextTarget(text=text, any_of=others):
            written = (text, *others)
        case kinds.ChoiceTarget(choice=choice):
            written = (choice,)
        case kinds.BoolTarget(bool=right):
            written = ("yes", "true") if right else ("no", "false")
        case _:
            pass
    return written


def _of_shape(target: kinds.Target) -> tuple[str, ...]:
    written: tuple[str, ...] = ()
    match target:
        case kinds.JsonTarget():
            written = (written_json(target.json_),)
        case kinds.ChoicesTarget(choices=members):
            written = _joined(list(members))
        case (
            kinds.SetTarget(set=values)
            | kinds.ListTarget(list=values)
            | kinds.TupleTarget(tuple=values)
        ):
            written = _joined(list(values))
        case (
            kinds.IntervalTarget(interval=text)
            | kinds.ExpressionTarget(expression=text)
            | kinds.DateTarget(date=text)
            | kinds.TimeTarget(time=text)
        ):
            written = (text,)
        case _:
            pass
    return written


def _digits(value: Decimal | Fraction) -> tuple[str, ...]:
    text = str(value)
    if isinstance(value, Fraction) or "E" not in text or abs(value.adjusted()) >= 400:
        return (text,)
    return (text, format(value, "f"))


def _joined(members: list[JsonValue]) -> tuple[str, ...]:
    texts = [str(one) for one in members]
    return (", ".join(texts), ",".join(texts), written_json(members))
