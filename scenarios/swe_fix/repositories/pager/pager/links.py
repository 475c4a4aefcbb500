"""Which page numbers are shown below a list?"""


def links(current, count, around=2):
    """Return page numbers in order; None stands for a gap of numbers that are left out."""
    wanted = {1, count, *range(current - around, current + around + 1)}
    shown = sorted(number for number in wanted if 1 <= number <= count)
    found = []
    for number in shown:
        if found and number - found[-1] > 1:
            found.append(None)
        found.append(number)
    return found
