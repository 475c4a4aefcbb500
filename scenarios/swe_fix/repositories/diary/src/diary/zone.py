"""Local time of a person."""

from datetime import timedelta, timezone


def zone(offset_minutes):
    """Return the zone that is so many minutes ahead of UTC (behind it, where negative)."""
    if not -14 * 60 <= offset_minutes <= 14 * 60:
        raise ValueError(f"no place on earth is {offset_minutes} minutes off")
    return timezone(timedelta(minutes=offset_minutes))
