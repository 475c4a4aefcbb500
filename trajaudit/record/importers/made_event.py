"""Makes the events of foreign logs: checked as always, but quickly where each value fits as it is.

A log of a thousand trials has a hundred thousand events. Most of their fields are plain texts and
numbers, which one look at their type tells; whatever is anything else goes through the constructor,
which puts it right or refuses it.
"""

from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from trajaudit.datamodel._base import Record, made_of

M = TypeVar("M", bound=Record)
_PLAIN = frozenset({str, int, float, bool, NoneType})


def made(kind: type[M], /, json: tuple[str, ...] = (), **fields: Any) -> M:
    """Return a record.

    Args:
        kind: of event, without fields that make their defaults.
        json: names of fields whose values were parsed from JSON; they are not looked at.
        fields: by name.

    Raises:
        ValidationError: a value does not fit.
    """
    exact, texts, tuples = _fits(kind)
    for name, value in fields.items():
        found = type(value)
        if found in exact[name]:
            if found is str and name in texts and value not in texts[name]:
                return kind(**fields)
        elif found is tuple and name in tuples:
            if any(type(one) is not tuples[name] for one in value):
                return kind(**fields)
        elif name not in json:
            return kind(**fields)
    return made_of(kind, **fields)


_Fits = tuple[dict[str, frozenset[type]], dict[str, frozenset[str]], dict[str, type]]


@cache
def _fits(kind: type[Record]) -> _Fits:
    """Return, by field, the exact types that fit as they are, the texts that are allowed where not
    all are, and the type of what a tuple may hold.
    """
    exact: dict[str, frozenset[type]] = {}
    texts: dict[str, frozenset[str]] = {}
    tuples: dict[str, type] = {}
    for name, field in kind.model_fields.items():
        found: set[type] = set()
        for one in _members(field.annotation):
            if get_origin(one) is Literal:
                texts[name] = frozenset(get_args(one))
                found.add(str)
            elif get_origin(one) is tuple:
                tuples[name] = get_args(one)[0]
            elif one in _PLAIN or (isinstance(one, type) and issubclass(one, Record)):
                found.add(one)
        exact[name] = frozenset(found)
    return exact, texts, tuples


def _members(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
