"""Appointments of one person, day by day."""

from diary.zone import zone


def agenda(appointments, offset_minutes=0):
    """Return day (YYYY-MM-DD) → lines `HH:MM title`, for a person at this offset from UTC."""
    days = {}
    for one in sorted(appointments, key=lambda appointment: appointment.start):
        local = one.start.astimezone(zone(offset_minutes))
        day = one.start.date().isoformat()
        days.setdefault(day, []).append(f"{local:%H:%M} {one.title}")
    return days


def next_after(appointments, moment):
    """Return the first appointment that starts after a moment, or None."""
    later = [one for one in appointments if one.start > moment]
    return min(later, key=lambda appointment: appointment.start, default=None)
