"""Appointments by day."""

from diary.agenda import agenda, next_after
from diary.appointment import Appointment

__all__ = ["Appointment", "agenda", "next_after"]
