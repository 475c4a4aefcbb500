"""May a result be kept? Records never change, so the same record always gives the same result.

Deliberate: caches go by identity, since records hold dictionaries, which have no hash, and since
to compare two tools costs more than most of what is kept. A cache keeps its records alive, so no
identity is given to another one meanwhile.
"""


class Same:
    """Things that are the same if each of them is the very same object."""

    __slots__ = ("_ids", "things")

    def __init__(self, *things: object) -> None:
        self.things = things
        self._ids = tuple(map(id, things))

    def __hash__(self) -> int:
        return hash(self._ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._ids == other._ids
