"""The runner of case files: one thin adapter per operation."""
