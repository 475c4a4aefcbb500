"""What reading a piece of text can come to, and what every reader of a kind offers."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

Value = object
"""A value in the form that its own reader compares: hashable, and equal when it is the same."""


class State(StrEnum):
    """How far a text commits itself."""

    VALUE = "value"
    AMBIGUOUS = "ambiguous"
    DENIED = "denied"
    """Values were named only to be denied."""


class Found(NamedTuple):
    """A value that a text commits to, or why there is none."""

    value: Value | None
    plain: str | None
    """The value in plain form."""
    state: State = State.VALUE
    quote: str = ""
    """The words that say so."""
    notes: tuple[str, ...] = ()
    """Tolerances that reading it needed."""
    weak: bool = False
    """Named, but nothing in the words says that it is the answer."""


class Candidate(NamedTuple):
    """A value at a place in a sentence, before it is clear what the sentence says of it."""

    value: Value
    start: int
    end: int
    plain: str
    weight: int = 0
    notes: tuple[str, ...] = ()
    span: bool = False
    """Joined to the next one to a span of values."""


@dataclass(frozen=True)
class Context:
    """What a reader may know beside the words: the question, and how values are written."""

    question: str = ""
    locale: str | None = None


class Reader(Protocol):
    """Reads one kind of value; one instance per target."""

    def marked(self, segment: str) -> Found | None:
        """The value at the head of words that were announced as the answer."""

    def prose(self, text: str) -> Found | None:
        """The value that unmarked text comes to."""

    def matches(self, value: Value, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        """Whether the value is right (None: cannot be told), by which tolerances, and why not."""
