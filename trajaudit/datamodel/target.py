"""What the right answer is: one class per kind of value.

In YAML the kind is told by the key (`{number: 315}`, `{money: 42.50, currency: EUR}`); a bare
scalar is text or a number by its YAML type.
"""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Discriminator, Field, JsonValue, Tag

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.patch_trial import PatchSpec

_FRACTION = re.compile(r"\s*[-+]?\d{1,100}\s*/\s*0*[1-9]\d{0,99}\s*")


def _decimal(value: Any) -> Any:
    """Keep the digits as they were written: 42.50 stays 42.50, 1/3 stays exact."""
    if isinstance(value, bool):
        raise ValueError("a number is wanted, not true or false")  # noqa: TRY004 (pydantic)
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        return Fraction("".join(value.split()))
    if isinstance(value, (int, float)):
        return Decimal(str(getattr(value, "source_text", value)))
    return value


Number = Annotated[Decimal | Fraction, Field(union_mode="left_to_right"), BeforeValidator(_decimal)]
"""A finite number; a string `a/b` is an exact fraction."""


class _Target(Record):
    key: ClassVar[str]
    """The key that tells this kind of target in YAML."""
    locale: str | None = None
    """BCP 47 tag that settles how numbers and dates are written, for example `de-CH`."""
    written: str | None = None
    """The answer as the strict reading wants it; None: as the target says."""
    answer_format: str | None = None
    """The declared format, `{answer}` standing for the value; None: the reply is the answer."""
    requires_submit: bool = False
    """Only a submitted answer counts; a mention in a message commits to nothing."""


class TextTarget(_Target):
    key: ClassVar[str] = "text"
    text: str
    any_of: tuple[str, ...] = ()
    """Other spellings that are just as right."""
    literal: bool = False
    """Compare as an identifier: case, blanks and punctuation matter."""


class NumberTarget(_Target):
    key: ClassVar[str] = "number"
    number: Number
    unit: str | None = None
    tolerance: Number | None = None
    """Absolute."""


class MoneyTarget(_Target):
    key: ClassVar[str] = "money"
    money: Number
    currency: str | None = None
    tolerance: Number | None = None


class PercentTarget(_Target):
    key: ClassVar[str] = "percent"
    percent: Number
    tolerance: Number | None = None


class ChoiceTarget(_Target):
    key: ClassVar[str] = "choice"
    choice: str
    of: dict[str, str] = Field(default_factory=dict)


class ChoicesTarget(_Target):
    key: ClassVar[str] = "choices"
    choices: tuple[str, ...]
    of: dict[str, str] = Field(default_factory=dict)


class SetTarget(_Target):
    key: ClassVar[str] = "set"
    set: tuple[JsonValue, ...]


class ListTarget(_Target):
    key: ClassVar[str] = "list"
    list: tuple[JsonValue, ...]


class TupleTarget(_Target):
    key: ClassVar[str] = "tuple"
    tuple: tuple[JsonValue, ...]


class IntervalTarget(_Target):
    key: ClassVar[str] = "interval"
    interval: str
    """For example `[0, 1)` or `(-inf, 3]`."""


class ExpressionTarget(_Target):
    key: ClassVar[str] = "expression"
    expression: str


class DateTarget(_Target):
    key: ClassVar[str] = "date"
    date: str
    """ISO 8601."""
    date_order: str | None = None
    """`dmy`, `mdy` or `ymd`: how ambiguous numeric dates are read."""


class TimeTarget(_Target):
    key: ClassVar[str] = "time"
    time: str
    clock: int | None = None
    """12 or 24."""


class BoolTarget(_Target):
    key: ClassVar[str] = "bool"
    bool: bool


class JsonTarget(_Target):
    key: ClassVar[str] = "json"
    json_: JsonValue = Field(alias="json")
    schema_: dict[str, JsonValue] | None = Field(default=None, alias="schema")


class RegexTarget(_Target):
    key: ClassVar[str] = "regex"
    regex: str


class PatchTarget(_Target):
    key: ClassVar[str] = "patch"
    patch: PatchSpec
    """Graded by the tests that are run on what the agent leaves in the repository."""


class RubricTarget(_Target):
    key: ClassVar[str] = "rubric"
    rubric: str
    """Graded by judges only; the rule scorers say `ungraded`."""


TARGETS: tuple[type[_Target], ...] = (
    TextTarget,
    NumberTarget,
    MoneyTarget,
    PercentTarget,
    ChoiceTarget,
    ChoicesTarget,
    SetTarget,
    ListTarget,
    TupleTarget,
    IntervalTarget,
    ExpressionTarget,
    DateTarget,
    TimeTarget,
    BoolTarget,
    JsonTarget,
    RegexTarget,
    PatchTarget,
    RubricTarget,
)
_KEYS = {target.key for target in TARGETS}


def _written(value: Any) -> Any:
    """Turn a bare scalar into the mapping it is short for."""
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, (int, float)):
        return {"number": value}
    if isinstance(value, str):
        return {"text": value}
    return value


def _tag(value: Any) -> str | None:
    if isinstance(value, _Target):
        return value.key
    if isinstance(value, dict):
        keys = _KEYS & value.keys()
        return keys.pop() if len(keys) == 1 else None
    return None


Target = Annotated[
    Annotated[TextTarget, Tag("text")]
    | Annotated[NumberTarget, Tag("number")]
    | Annotated[MoneyTarget, Tag("money")]
    | Annotated[PercentTarget, Tag("percent")]
    | Annotated[ChoiceTarget, Tag("choice")]
    | Annotated[ChoicesTarget, Tag("choices")]
    | Annotated[SetTarget, Tag("set")]
    | Annotated[ListTarget, Tag("list")]
    | Annotated[TupleTarget, Tag("tuple")]
    | Annotated[IntervalTarget, Tag("interval")]
    | Annotated[ExpressionTarget, Tag("expression")]
    | Annotated[DateTarget, Tag("date")]
    | Annotated[TimeTarget, Tag("time")]
    | Annotated[BoolTarget, Tag("bool")]
    | Annotated[JsonTarget, Tag("json")]
    | Annotated[RegexTarget, Tag("regex")]
    | Annotated[PatchTarget, Tag("patch")]
    | Annotated[RubricTarget, Tag("rubric")],
    Discriminator(
        _tag,
        custom_error_type="target_kind",
        custom_error_message="a target is a bare scalar or has exactly one of the keys "
        + ", ".join(target.key for target in TARGETS),
    ),
    BeforeValidator(_written),
]
