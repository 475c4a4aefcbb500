from datetime import datetime, timezone

import pytest

from diary import Appointment, agenda, next_after
from diary.zone import zone

LUNCH = Appointment("lunch", datetime(2026, 3, 10, 12, 0, tzinfo=timezone.utc))
CALL = Appointment("call", datetime(2026, 3, 10, 8, 15, tzinfo=timezone.utc))


def test_lines_are_in_order_of_time():
    assert agenda([LUNCH, CALL]) == {"2026-03-10": ["08:15 call", "12:00 lunch"]}


def test_times_are_local():
    assert agenda([LUNCH], offset_minutes=60) == {"2026-03-10": ["13:00 lunch"]}


def test_the_next_one_is_found():
    assert next_after([LUNCH, CALL], CALL.start) == LUNCH
    assert next_after([LUNCH, CALL], LUNCH.start) is None


def test_a_moment_is_in_utc():
    with pytest.raises(ValueError, match="UTC"):
        Appointment("x", datetime(2026, 3, 10))


def test_an_offset_is_that_of_a_place():
    with pytest.raises(ValueError, match="900 minutes"):
        zone(900)
