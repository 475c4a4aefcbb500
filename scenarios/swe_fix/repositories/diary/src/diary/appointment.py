"""One appointment."""

from dataclasses import dataclass
from datetime import datetime, timezone


@dataclass(frozen=True)
class Appointment:
    """What happens when; `start` is in UTC."""

    title: str
    start: datetime

    def __post_init__(self):
        if self.start.tzinfo is not timezone.utc:
            raise ValueError(f"moments are kept in UTC; got {self.start!r}")
