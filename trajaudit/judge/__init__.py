"""Judges: what is shown to them, how their replies are read, and what a panel of them decides."""
