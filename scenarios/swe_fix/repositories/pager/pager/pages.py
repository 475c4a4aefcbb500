"""A list, cut into pages of one size."""


class Pages:
    """Pages of a list; the first one is page 1."""

    def __init__(self, items, size):
        if size < 1:
            raise ValueError(f"a page holds at least one item; got {size}")
        self.items = list(items)
        self.size = size

    @property
    def count(self):
        """How many pages there are; an empty list has one, which is empty."""
        return len(self.items) // self.size + 1

    def page(self, number):
        """Return the items of a page."""
        if not 1 <= number <= self.count:
            raise IndexError(f"there is no page {number}; there are {self.count}")
        start = (number - 1) * self.size
        return self.items[start : start + self.size]

    def __iter__(self):
        return (self.page(number) for number in range(1, self.count + 1))
