"""A bill as text."""

from bill.split import split


def report(total, names):
    """Return one line for each person."""
    width = max(len(name) for name in names)
    shares = split(total, len(names))
    return "\n".join(f"{name:<{width}}  {share:>8}" for name, share in zip(names, shares))
