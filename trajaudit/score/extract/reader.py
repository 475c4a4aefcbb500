"""Which reader reads which kind of target?"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from trajaudit.datamodel import target as kinds
from trajaudit.score.extract.found import Context, Reader
from trajaudit.score.extract.read_bool import BoolReader
from trajaudit.score.extract.read_choice import ChoiceReader
from trajaudit.score.extract.read_choices import ChoicesReader
from trajaudit.score.extract.read_expression import ExpressionReader
from trajaudit.score.extract.read_interval import IntervalReader
from trajaudit.score.extract.read_json import JsonReader, RegexReader
from trajaudit.score.extract.read_moment import DateReader, TimeReader
from trajaudit.score.extract.read_number import NumberReader, Wanted
from trajaudit.score.extract.read_sequence import SequenceReader
from trajaudit.score.extract.read_text import TextReader
from trajaudit.score.recent import Recent


def reader_for(target: kinds.Target, question: str = "") -> Reader | None:
    """The reader of a target; None where no rule can read it (patches, rubrics)."""
    return _reader_for(target, question)


@Recent
def _reader_for(target: kinds.Target, question: str) -> Reader | None:
    make = _MAKERS.get(type(target))
    return make(target, Context(question, target.locale)) if make else None


def _of_number(target: kinds.Target, context: Context) -> Reader | None:
    match target:
        case kinds.NumberTarget(number=number, unit=unit, tolerance=tolerance):
            wanted = Wanted(_exact(number), unit, tolerance=_exact_or_none(tolerance))
        case kinds.MoneyTarget(money=money, currency=currency, tolerance=tolerance):
            wanted = Wanted(_exact(money), currency, tolerance=_exact_or_none(tolerance))
        case kinds.PercentTarget(percent=percent, tolerance=tolerance):
            wanted = Wanted(
                _exact(percent), None, percent=True, tolerance=_exact_or_none(tolerance)
            )
        case _:
            return None
    return NumberReader(wanted, context)


def _of_words(target: kinds.Target, context: Context) -> Reader | None:
    reader: Reader | None = None
    question = context.question
    match target:
        case kinds.TextTarget(text=text, any_of=others, literal=literal):
            reader = TextReader((text, *others), literal=literal, question=question)
        case kinds.ChoiceTarget(choice=choice, of=options):
            reader = ChoiceReader(choice, options)
        case kinds.ChoicesTarget(choices=choices, of=options):
            reader = ChoicesReader(choices, options)
        case kinds.BoolTarget(bool=right):
            reader = BoolReader(right=right, question=question)
        case kinds.DateTarget(date=date, date_order=order):
            reader = DateReader(date, order=order)
        case kinds.TimeTarget(time=time, clock=clock):
            reader = TimeReader(time, clock=clock)
        case _:
            pass
    return reader


def _of_shape(target: kinds.Target, context: Context) -> Reader | None:
    reader: Reader | None = None
    match target:
        case kinds.SetTarget(set=members):
            reader = SequenceReader(members, context, ordered=False)
        case kinds.ListTarget(list=members) | kinds.TupleTarget(tuple=members):
            reader = SequenceReader(members, context, ordered=True)
        case kinds.IntervalTarget(interval=interval):
            reader = IntervalReader(interval)
        case kinds.ExpressionTarget(expression=expression):
            reader = ExpressionReader(expression)
        case kinds.JsonTarget():
            reader = JsonReader(target.json_, target.schema_)
        case kinds.RegexTarget(regex=regex):
            reader = RegexReader(regex)
        case _:
            pass
    return reader


_MAKERS: dict[type, Callable[[kinds.Target, Context], Reader | None]] = {
    **dict.fromkeys((kinds.NumberTarget, kinds.MoneyTarget, kinds.PercentTarget), _of_number),
    **dict.fromkeys((kinds.TextTarget, kinds.ChoiceTarget, kinds.ChoicesTarget), _of_words),
    **dict.fromkeys((kinds.BoolTarget, kinds.DateTarget, kinds.TimeTarget), _of_words),
    **dict.fromkeys((kinds.SetTarget, kinds.ListTarget, kinds.TupleTarget), _of_shape),
    **dict.fromkeys((kinds.IntervalTarget, kinds.ExpressionTarget), _of_shape),
    **dict.fromkeys((kinds.JsonTarget, kinds.RegexTarget), _of_shape),
}


def _exact(number: Decimal | Fraction) -> Fraction:
    return Fraction(*number.as_integer_ratio())


def _exact_or_none(number: Decimal | Fraction | None) -> Fraction | None:
    return None if number is None else Fraction(number)
